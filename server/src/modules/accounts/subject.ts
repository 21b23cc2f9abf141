import type { Subject } from '../activity/commands.ts';

export const subjectOf = (user: { id: number; email: string }): Subject => ({
  type: 'user',
  id: user.id,
  label: user.email,
});
