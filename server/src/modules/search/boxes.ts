import type { HitBox } from '@customer-database/contract/search';
import type { WordBox } from '@customer-database/extractor/protocol';
import { hitsIn } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';

const fullSize = 10_000;

/** The boxes of the words that match a term. */
export function hitBoxesOf(boxes: WordBox[], terms: Term[]): HitBox[] {
  const text = boxes.map(([word]) => word).join(' ');
  const hits = [...hitsIn(text, terms)];
  let start = 0;
  return boxes.flatMap(([word, left, top, width, height]) => {
    const [from, to] = [start, start + word.length];
    start = to + 1;
    if (!hits.some((hit) => hit.start < to && hit.end > from)) return [];
    const [x, y, w, h] = [left, top, width, height].map((value) => value / fullSize);
    return { left: x ?? 0, top: y ?? 0, width: w ?? 0, height: h ?? 0 };
  });
}
