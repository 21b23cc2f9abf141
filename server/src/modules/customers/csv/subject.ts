import { countText } from '../../../core/text.ts';
import type { Subject } from '../../activity/commands.ts';

/** For the activity row of an import or export. */
export const subjectOfCount = (count: number): Subject => ({
  type: 'customer',
  id: null,
  label: countText(count, 'customer'),
});
