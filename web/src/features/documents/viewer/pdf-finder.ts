import { hitsIn } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';
import { type EventBus, PDFFindController } from 'pdfjs-dist/web/pdf_viewer.mjs';
import { PdfLinks } from './pdf-links.ts';

/** Moves the view only to this page, if there is one. */
class FinderLinks extends PdfLinks {
  onlyPage: number | undefined;

  mayMoveTo(page: number): boolean {
    return this.onlyPage === undefined || this.onlyPage === page;
  }

  override get page(): number {
    return super.page;
  }

  override set page(page: number) {
    if (this.mayMoveTo(page)) super.page = page;
  }
}

const options = {
  caseSensitive: false,
  entireWord: false,
  highlightAll: true,
  matchDiacritics: false,
};

/** Finds what the user types, or marks the words that the server found. */
export class PdfFinder extends PDFFindController {
  readonly links: FinderLinks;
  private terms: Term[] = [];

  constructor(eventBus: EventBus) {
    const links = new FinderLinks(eventBus);
    super({ eventBus, linkService: links });
    this.links = links;
  }

  /** Stays on the page, if there is one: on a scan, the next match in the text would be on another page. */
  mark(terms: Term[], page: number | undefined): void {
    this.terms = terms;
    this.links.onlyPage = page;
    if (terms.length > 0) this.dispatchMarks('mark');
    else this._eventBus.dispatch('findbarclose', { source: this });
  }

  stepToMark(step: 'next' | 'previous'): void {
    this.dispatchMarks('again', step === 'previous');
  }

  /** An array marks; a string, which the user types, finds. */
  private dispatchMarks(type: 'mark' | 'again', findPrevious = false): void {
    const query = this.terms.map(({ text }) => text);
    this._eventBus.dispatch('find', { source: this, type, query, findPrevious, ...options });
  }

  find(query: string, step: 'first' | 'next' | 'previous'): void {
    this.links.onlyPage = undefined;
    const type = step === 'first' ? '' : 'again';
    const findPrevious = step === 'previous';
    this._eventBus.dispatch('find', { source: this, type, query, findPrevious, ...options });
  }

  override match(query: string | string[], content: string, pageIndex: number) {
    if (typeof query === 'string') return super.match(query, content, pageIndex);
    return [...hitsIn(content, this.terms)].map(({ start, end }) => ({ index: start, length: end - start }));
  }

  override scrollMatchIntoView(match: Parameters<PDFFindController['scrollMatchIntoView']>[0]): void {
    if (this.links.mayMoveTo((match.pageIndex ?? -1) + 1)) super.scrollMatchIntoView(match);
  }
}
