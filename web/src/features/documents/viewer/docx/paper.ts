import type { DocxDrawing } from './draw.ts';
import { pageClasses } from './fields.ts';
import { wrapperIn } from './frame-page.ts';
import { appendTo, divide } from './overflow.ts';

/** How long pages are drawn before the browser may do something else. */
const sliceMs = 40;

/** The pages of a DOCX in the frame, as far as they are drawn. */
export class Paper {
  private readonly drawing: DocxDrawing;
  private readonly frame: Document;
  private readonly wrapper: HTMLElement;
  private readonly notes = { references: 0, lists: 0 };
  readonly pages: HTMLElement[] = [];
  /** Another document may be in the frame by now. */
  isClosed = false;

  constructor(drawing: DocxDrawing, frame: Document) {
    this.drawing = drawing;
    this.frame = frame;
    this.wrapper = wrapperIn(frame);
    this.wrapper.replaceChildren();
  }

  /** Draws for a moment. Resolves to true after the last page. */
  async addPages(): Promise<boolean> {
    const until = performance.now() + sliceMs;
    while (performance.now() < until) {
      const drawn = await this.drawing.next();
      if (!drawn || this.isClosed) return true;
      this.frame.head.append(...drawn.styles);
      for (const { page, isContinued } of drawn.pages) await this.add(page, isContinued);
    }
    return false;
  }

  private async add(page: HTMLElement, isContinued: boolean): Promise<void> {
    this.numberNotes(page);
    const last = this.pages.at(-1);
    if (isContinued && last) appendTo(last, page);
    else {
      this.wrapper.append(page);
      this.pages.push(page);
    }
    let began = performance.now();
    for (let end = this.pages.at(-1); end && !this.isClosed; ) {
      const next = divide(end, this.drawing.isLaidOut);
      if (next === end) return;
      this.pages.push(next);
      end = next;
      if (performance.now() - began < sliceMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
  }

  /** docx-preview counts the notes of each page from 1. */
  private numberNotes(page: HTMLElement): void {
    for (const mark of page.querySelectorAll(`.docx_${pageClasses.note} sup`)) {
      this.notes.references += 1;
      mark.textContent = String(this.notes.references);
    }
    for (const list of page.querySelectorAll<HTMLOListElement>(':scope > ol')) {
      list.start = this.notes.lists + 1;
      this.notes.lists += list.children.length;
    }
  }

  numberPage(page: HTMLElement, number: number): void {
    for (const field of page.querySelectorAll(`.docx_${pageClasses.number}`)) {
      field.textContent = String(number);
    }
  }

  /** Once all pages are there. */
  countPages(): void {
    for (const field of this.wrapper.querySelectorAll(`.docx_${pageClasses.count}`)) {
      field.textContent = String(this.pages.length);
    }
  }

  /** Shrinks pages that are wider than the frame, then zooms. Returns whether that changed something. */
  fit(factor: number): boolean {
    const { clientWidth } = this.frame.documentElement;
    const zoom = String(factor * Math.min(1, clientWidth / this.drawing.width));
    if (this.wrapper.style.zoom === zoom) return false;
    this.wrapper.style.zoom = zoom;
    return true;
  }
}
