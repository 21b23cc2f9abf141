import { type Hit, hitsIn } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';

/** The text of an element, and where each text node starts in it. */
function textOf(element: Element) {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: { node: Text; start: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    pieces.push({ node: node as Text, start: text.length });
    text += node.nodeValue ?? '';
  }
  return { text, pieces };
}

type Pieces = ReturnType<typeof textOf>['pieces'];

function rangeOf({ start, end }: Hit, pieces: Pieces, frame: Document): Range {
  const range = frame.createRange();
  const first = pieces.findLast((piece) => piece.start <= start);
  const last = pieces.findLast((piece) => piece.start < end);
  if (first) range.setStart(first.node, start - first.start);
  if (last) range.setEnd(last.node, end - last.start);
  return range;
}

/** Marks the hits, which may span several elements, and returns the first. */
export function markHitsIn(frame: Document, terms: Term[]): Range | undefined {
  const ranges = [...frame.querySelectorAll('p')].flatMap((paragraph) => {
    const { text, pieces } = textOf(paragraph);
    return [...hitsIn(text, terms)].map((hit) => rangeOf(hit, pieces, frame));
  });
  const own = frame.defaultView as (Window & typeof globalThis) | null;
  own?.CSS.highlights.set('hit', new own.Highlight(...ranges));
  return ranges[0];
}
