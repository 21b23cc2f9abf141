import type { Term } from '@customer-database/words/question';
import { createStore } from '../../../lib/store.ts';
import { DocxDrawing } from './docx/draw.ts';
import { Paper } from './docx/paper.ts';
import { Places, rangesOfTerms, rangesOfTyped, type Step } from './dom-hits.ts';

type Count = { current: number; total: number };

/** For React: replaced on every change. */
export type DocxState = {
  page: number;
  pages: number;
  zoom: number;
  /** All pages are there. */
  isDrawn: boolean;
  hits: Count;
  found: Count & { isPending: boolean };
};

const zoomStep = 1.2;
const zoomLimits = { min: 0.25, max: 5 };

/** Above a hit, in pixels. */
const hitMargin = 60;

const nothing = { current: 0, total: 0 };

/** A DOCX on the screen. Its pages come one after the other. */
export class Docx {
  private readonly paper: Paper;
  private readonly frame: Document;
  private readonly view: Window & typeof globalThis;
  private readonly resize: ResizeObserver;
  private readonly hits: Places;
  private readonly found: Places;
  private finished = 0;
  private terms: Term[] = [];
  private typed = '';
  private isClosed = false;
  readonly store = createStore<DocxState>({
    page: 1,
    pages: 0,
    zoom: 1,
    isDrawn: false,
    hits: nothing,
    found: { ...nothing, isPending: false },
  });

  constructor(drawing: DocxDrawing, frame: Document) {
    this.paper = new Paper(drawing, frame);
    this.frame = frame;
    this.view = frame.defaultView as Window & typeof globalThis;
    this.hits = new Places(this.view, 'hit');
    this.found = new Places(this.view, 'match');
    frame.addEventListener('scroll', this.onScroll, { passive: true });
    frame.addEventListener('click', this.onClick);
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(frame.documentElement);
  }

  private get pages(): HTMLElement[] {
    return this.paper.pages;
  }

  private update(change: Partial<DocxState>): void {
    this.store.set({ ...this.store.get(), ...change });
  }

  /** Resolves after the first pages; the others follow. */
  async start(): Promise<void> {
    this.fit();
    await this.drawSlice();
    void this.drawRest();
  }

  private async drawRest(): Promise<void> {
    try {
      while (!this.isClosed && !this.store.get().isDrawn) {
        await new Promise((resolve) => setTimeout(resolve));
        await this.drawSlice();
      }
    } catch {
      // The pages before the damaged one stay.
      this.end();
    }
  }

  private async drawSlice(): Promise<void> {
    const isComplete = await this.paper.addPages();
    if (this.isClosed) return;
    if (isComplete) this.end();
    // The last page may still grow.
    else this.readNewPages(this.pages.length - 1);
  }

  private end(): void {
    this.readNewPages(this.pages.length);
    this.paper.countPages();
    this.update({ isDrawn: true });
    this.showCounts();
  }

  private readNewPages(end: number): void {
    for (const page of this.pages.slice(this.finished, end)) {
      this.finished += 1;
      this.paper.numberPage(page, this.finished);
      this.hits.add(this.hitsOn(page));
      this.found.add(rangesOfTyped(this.typed, page));
    }
    this.update({ pages: this.pages.length });
    this.showCounts();
  }

  private hitsOn(page: HTMLElement): Range[] {
    if (this.terms.length === 0) return [];
    return [...page.querySelectorAll('p')].flatMap((paragraph) => rangesOfTerms(this.terms, paragraph));
  }

  private showCounts(): void {
    const isPending = !this.store.get().isDrawn;
    this.update({ hits: this.hits.count, found: { ...this.found.count, isPending } });
    // The first one may be on a page that was not there before.
    if (this.hits.count.current === 0 && this.hits.count.total > 0) this.goToHit('first');
    if (this.found.count.current === 0 && this.found.count.total > 0) this.goToMatch('first');
  }

  /** What a search has found. */
  mark(terms: Term[]): void {
    this.terms = terms;
    this.hits.clear();
    for (const page of this.pages.slice(0, this.finished)) this.hits.add(this.hitsOn(page));
    this.showCounts();
  }

  goToHit(step: Step): void {
    this.scrollTo(this.hits.go(step));
    this.update({ hits: this.hits.count });
  }

  /** What the user types; nothing if it is empty. */
  find(text: string, step: Step): void {
    if (step === 'first' || text !== this.typed) {
      this.typed = text;
      this.found.clear();
      for (const page of this.pages.slice(0, this.finished)) this.found.add(rangesOfTyped(text, page));
      this.showCounts();
    } else this.goToMatch(step);
  }

  private goToMatch(step: Step): void {
    this.scrollTo(this.found.go(step));
    this.update({ found: { ...this.found.count, isPending: !this.store.get().isDrawn } });
  }

  private scrollTo(target: Range | Element | undefined): void {
    if (!target) return;
    const { top, left, right } = target.getBoundingClientRect();
    const { clientWidth } = this.frame.documentElement;
    const isBeside = left < 0 || right > clientWidth;
    this.view.scrollBy({ top: top - hitMargin, left: isBeside ? left - clientWidth / 2 : 0 });
  }

  goTo(page: number): void {
    this.pages[Math.min(Math.max(page, 1), this.pages.length) - 1]?.scrollIntoView();
  }

  zoom(steps: 1 | -1): void {
    const zoom = this.store.get().zoom * zoomStep ** steps;
    this.update({ zoom: Math.min(Math.max(zoom, zoomLimits.min), zoomLimits.max) });
    this.fit();
  }

  /** Keeps the place. */
  private fit(): void {
    const { scrollHeight, scrollTop } = this.frame.documentElement;
    if (!this.paper.fit(this.store.get().zoom)) return;
    this.view.scrollTo({ top: (scrollTop / scrollHeight) * this.frame.documentElement.scrollHeight });
  }

  /** The page in the middle of the view. */
  private readonly onScroll = (): void => {
    const middle = this.view.innerHeight / 2;
    let [low, high] = [0, this.pages.length - 1];
    while (low < high) {
      const between = Math.ceil((low + high) / 2);
      if ((this.pages[between]?.getBoundingClientRect().top ?? 0) <= middle) low = between;
      else high = between - 1;
    }
    if (this.store.get().page !== low + 1) this.update({ page: low + 1 });
  };

  private readonly onClick = ({ target }: Event): void => {
    const name = (target as Element).closest<HTMLElement>('[data-target]')?.dataset.target;
    if (name) this.frame.getElementById(name)?.scrollIntoView();
  };

  /** Resolves when all pages are there. */
  async whenDrawn(signal: AbortSignal, onProgress: (page: number, pages: number) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      const { isDrawn, pages } = this.store.get();
      onProgress(pages, pages);
      if (isDrawn || signal.aborted) resolve();
    };
    const unsubscribe = this.store.subscribe(look);
    signal.addEventListener('abort', look, { once: true });
    look();
    await promise.finally(unsubscribe);
    signal.throwIfAborted();
  }

  /** The pages and their styles, for another frame. */
  get content(): { styles: Element[]; pages: HTMLElement[] } {
    return { styles: [...this.frame.head.querySelectorAll('style')].slice(1), pages: this.pages };
  }

  close(): void {
    this.isClosed = true;
    this.paper.isClosed = true;
    this.resize.disconnect();
    this.frame.removeEventListener('scroll', this.onScroll);
    this.frame.removeEventListener('click', this.onClick);
  }
}

/** Rejects if the file is damaged. */
export async function openDocx(file: Blob, frame: Document): Promise<Docx> {
  const docx = new Docx(await DocxDrawing.open(file), frame);
  await docx.start();
  return docx;
}
