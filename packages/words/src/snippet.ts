import { type Hit, hitsIn, markHits, type Part } from './hits.ts';
import type { Term } from './question.ts';

const before = 60;
const length = 240;

/** The passage begins and ends between words where possible. */
function passageAround(text: string, hit: number): Hit {
  const earliest = Math.max(0, hit - before);
  const start = earliest === 0 ? 0 : Math.max(text.slice(earliest, hit).search(/\s/), 0) + earliest;
  const latest = start + length;
  const end = latest >= text.length ? text.length : Math.max(text.lastIndexOf(' ', latest), hit + before);
  return { start, end };
}

const ellipsis = (text: string): Part => ({ text, hit: false });

/** The passage around the first hit. */
export function snippetOf(text: string, terms: Term[]): Part[] {
  const hits = [...hitsIn(text, terms)];
  const { start, end } = passageAround(text, hits[0]?.start ?? 0);
  return [
    ...(start > 0 ? [ellipsis('…')] : []),
    ...markHits(text, hits, start, end).map((part) => ({ ...part, text: part.text.replace(/\s+/g, ' ') })),
    ...(end < text.length ? [ellipsis(' …')] : []),
  ];
}
