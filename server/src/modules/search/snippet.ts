import type { Snippet } from '@customer-database/contract/search';
import { type Hit, hitsIn, markHits } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';

const before = 60;
const length = 240;

/** Begins and ends between words, where there are any. */
function passageAround(text: string, hit: number): Hit {
  const earliest = Math.max(0, hit - before);
  const start = earliest === 0 ? 0 : Math.max(text.slice(earliest, hit).search(/\s/), 0) + earliest;
  const latest = start + length;
  const end = latest >= text.length ? text.length : Math.max(text.lastIndexOf(' ', latest), hit + before);
  return { start, end };
}

/** The passage around the first hit. */
export function snippetOf(text: string, terms: Term[]): Snippet {
  const hits = [...hitsIn(text, terms)];
  const { start, end } = passageAround(text, hits[0]?.start ?? 0);
  return markHits(text, hits, start, end).map((part) => ({ ...part, text: part.text.replace(/\s+/g, ' ') }));
}
