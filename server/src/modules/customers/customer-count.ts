import type { Subject } from '../activity/commands.ts';

/** Such as '1 customer' or '100,000 customers'. */
export function countText(count: number, noun = 'customer'): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export const subjectOfCount = (count: number): Subject => ({
  type: 'customer',
  id: null,
  label: countText(count),
});
