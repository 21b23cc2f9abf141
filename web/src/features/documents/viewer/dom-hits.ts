import { type Hit, hitsIn } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';

/** A text and where each text node starts in it. */
type Block = { text: string; pieces: { node: Text; start: number }[] };

/** More are not counted. */
export const maxMatches = 10_000;

const skipped = (node: Node) => node.parentElement?.closest('style') != null;

/** The text of an element. */
export function readBlock(element: Element): Block {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const block: Block = { text: '', pieces: [] };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (skipped(node)) continue;
    block.pieces.push({ node: node as Text, start: block.text.length });
    block.text += node.nodeValue ?? '';
  }
  return block;
}

function rangeOf({ start, end }: Hit, { pieces }: Block): Range[] {
  const first = pieces.findLast((piece) => piece.start <= start);
  const last = pieces.findLast((piece) => piece.start < end);
  const range = first?.node.ownerDocument.createRange();
  if (!first || !last || !range) return [];
  range.setStart(first.node, start - first.start);
  range.setEnd(last.node, end - last.start);
  return [range];
}

/** Without case and accents. `offsets` are where each character was. */
function fold(text: string): { folded: string; offsets?: number[] } {
  // Also the spaces that Word puts between a number and its unit.
  const plain = text.toLowerCase().replace(/\s/g, ' ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(plain)) return { folded: plain };
  let folded = '';
  const offsets: number[] = [];
  let at = 0;
  for (const sign of text) {
    const base = sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s/g, ' ');
    for (let index = 0; index < base.length; index += 1) offsets.push(at);
    folded += base;
    at += sign.length;
  }
  offsets.push(at);
  return { folded, offsets };
}

/** Where the text has what the user typed, without regard to case and accents. */
function* matchesOf(typed: string, text: string): Generator<Hit> {
  const wanted = fold(typed.trim()).folded;
  if (wanted === '') return;
  const { folded, offsets } = fold(text);
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    yield { start: offsets?.[at] ?? at, end: offsets?.[end] ?? end };
  }
}

export const rangesOfTyped = (typed: string, element: Element): Range[] => {
  const block = readBlock(element);
  return [...matchesOf(typed, block.text)].flatMap((match) => rangeOf(match, block));
};

export const rangesOfTerms = (terms: Term[], element: Element): Range[] => {
  const block = readBlock(element);
  return [...hitsIn(block.text, terms)].flatMap((hit) => rangeOf(hit, block));
};

export type Step = 'first' | 'next' | 'previous';

/** Places that are marked in a window or a frame, and that the user goes through one by one. */
export class Places {
  private ranges: Range[] = [];
  private index = -1;
  private readonly all: Highlight;
  private readonly current: Highlight;

  constructor(view: Window & typeof globalThis, name: 'hit' | 'match') {
    this.all = new view.Highlight();
    this.current = new view.Highlight();
    // Over the others.
    this.current.priority = 1;
    view.CSS.highlights.set(name, this.all);
    view.CSS.highlights.set(`${name}-current`, this.current);
  }

  get count() {
    return { current: this.index + 1, total: this.ranges.length };
  }

  add(ranges: Range[]): void {
    for (const range of ranges) {
      if (this.ranges.length === maxMatches) return;
      this.ranges.push(range);
      this.all.add(range);
    }
  }

  clear(): void {
    this.ranges = [];
    this.index = -1;
    this.all.clear();
    this.current.clear();
  }

  /** Round and round. Undefined if there are none. */
  go(step: Step): Range | undefined {
    const { length } = this.ranges;
    if (step === 'first' || this.index < 0) this.index = step === 'previous' ? length - 1 : 0;
    else this.index = (this.index + (step === 'next' ? 1 : length - 1)) % length;
    const range = this.ranges[this.index];
    this.current.clear();
    if (range) this.current.add(range);
    else this.index = -1;
    return range;
  }
}
