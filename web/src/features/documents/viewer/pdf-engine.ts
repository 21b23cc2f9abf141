import type { DocumentHitsResponse, HitBox } from '@customer-database/contract/search';
import type { Term } from '@customer-database/words/question';
import {
  AnnotationEditorType,
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  VerbosityLevel,
  version,
} from 'pdfjs-dist';
// After pdfjs-dist, which it reads from a global variable.
import { EventBus, FindState, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import 'pdfjs-dist/web/pdf_viewer.css';
import { createStore } from '../../../lib/store.ts';
import { drawHits, turn } from './hit-layer.ts';
import { PdfFinder } from './pdf-finder.ts';
import { PdfLinks } from './pdf-links.ts';

/** Copied there by `pdfjs-files.ts`. */
const files = `${window.location.origin}/assets/pdfjs-${version}`;
GlobalWorkerOptions.workerSrc = `${files}/pdf.worker.js`;

const fits = ['page-width', 'page-fit'] as const;
export type Fit = (typeof fits)[number];

/** For React: replaced on every change. */
export type PdfState = {
  page: number;
  scale: number;
  /** How pages are fitted into the window; undefined once zoomed. */
  fit: Fit | undefined;
  rotation: number;
  found: { current: number; total: number; isPending: boolean };
};

/** Above a hit, in pixels. */
const hitMargin = 80;

type Matches = { matchesCount: { current: number; total: number }; state?: number };
type HitPages = DocumentHitsResponse['pages'];

/** A PDF on the screen, drawn by the viewer parts of PDF.js. */
export class Pdf {
  readonly document: PDFDocumentProxy;
  private readonly viewer: PDFViewer;
  private readonly finder: PdfFinder;
  private readonly task: PDFDocumentLoadingTask;
  private readonly resize: ResizeObserver;
  private hits: HitPages = [];
  private size: [width: number, height: number] = [0, 0];
  readonly store = createStore<PdfState>({
    page: 1,
    scale: 1,
    fit: undefined,
    rotation: 0,
    found: { current: 0, total: 0, isPending: false },
  });

  constructor(task: PDFDocumentLoadingTask, document: PDFDocumentProxy, container: HTMLDivElement) {
    this.task = task;
    this.document = document;
    const eventBus = new EventBus();
    const links = new PdfLinks(eventBus);
    this.finder = new PdfFinder(eventBus);
    this.viewer = new PDFViewer({
      container,
      eventBus,
      linkService: links,
      findController: this.finder,
      // Forms are drawn and cannot be filled in. Without a scripting manager no script runs.
      annotationMode: AnnotationMode.ENABLE,
      annotationEditorMode: AnnotationEditorType.DISABLE,
      enableAutoLinking: false,
      imageResourcesPath: `${files}/web/images/`,
      removePageBorders: true,
    });
    for (const service of [links, this.finder.links]) {
      service.setViewer(this.viewer);
      service.setDocument(document);
    }
    this.listen(eventBus);
    this.viewer.setDocument(document);
    this.resize = new ResizeObserver(([entry]) => entry && this.refit(entry.contentRect));
    this.resize.observe(container);
  }

  private listen(eventBus: EventBus): void {
    eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) =>
      this.update({ page: pageNumber }),
    );
    eventBus.on('scalechanging', ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
      this.update({ scale, fit: fits.find((fit) => fit === presetValue) }),
    );
    eventBus.on('rotationchanging', ({ pagesRotation }: { pagesRotation: number }) =>
      this.update({ rotation: pagesRotation }),
    );
    const onFound = ({ matchesCount, state }: Matches) =>
      this.update({ found: { ...matchesCount, isPending: state === FindState.PENDING } });
    eventBus.on('updatefindmatchescount', onFound);
    eventBus.on('updatefindcontrolstate', onFound);
    eventBus.on('pagerendered', ({ pageNumber }: { pageNumber: number }) => this.drawHitsOn(pageNumber));
  }

  /** Resolves when the viewer can show any page. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.viewer.eventBus.on('pagesinit', () => {
      this.fit('page-width');
      started.resolve();
    });
    await started.promise;
  }

  private update(change: Partial<PdfState>): void {
    this.store.set({ ...this.store.get(), ...change });
  }

  goTo(page: number): void {
    this.viewer.currentPageNumber = Math.min(Math.max(page, 1), this.document.numPages);
  }

  zoom(steps: 1 | -1): void {
    this.viewer.updateScale({ steps });
  }

  fit(fit: Fit): void {
    this.viewer.currentScaleValue = fit;
  }

  /** Only if the size has changed, because it moves the view. */
  private refit({ width, height }: DOMRectReadOnly): void {
    const [widthBefore, heightBefore] = this.size;
    this.size = [width, height];
    const { fit } = this.store.get();
    const isOther = width !== widthBefore || (fit === 'page-fit' && height !== heightBefore);
    if (isOther && widthBefore && fit) this.fit(fit);
  }

  rotate(): void {
    this.viewer.pagesRotation += 90;
  }

  find(text: string, step: 'first' | 'next' | 'previous'): void {
    this.finder.find(text, step);
  }

  /** Without a page, also goes to the first of them. */
  mark(terms: Term[], page: number | undefined): void {
    this.finder.mark(terms, page);
  }

  stepToMark(step: 'next' | 'previous'): void {
    this.finder.stepToMark(step);
  }

  /** Marks the words on pages that have no text. */
  showHits(pages: HitPages): void {
    const changed = new Set([...this.hits, ...pages].map(({ page }) => page));
    this.hits = pages;
    for (const page of changed) this.drawHitsOn(page);
  }

  private boxesOn(page: number): HitBox[] {
    return this.hits.find((hit) => hit.page === page)?.boxes ?? [];
  }

  private drawHitsOn(page: number): void {
    const { div } = this.viewer.getPageView(page - 1) ?? {};
    if (div) drawHits(div, this.boxesOn(page), this.store.get().rotation);
  }

  /** The page, and on a scan the first hit. */
  goToHit(page: number): void {
    this.goTo(page);
    const [box] = this.boxesOn(page);
    const { div } = this.viewer.getPageView(page - 1) ?? {};
    if (!box || !div) return;
    const { top } = turn(box, this.store.get().rotation);
    this.viewer.container.scrollTop += Math.max(0, top * div.clientHeight - hitMargin);
  }

  close(): void {
    this.resize.disconnect();
    void this.task.destroy();
  }
}

/** Rejects if the file is damaged or asks for a password. */
export async function openPdf(file: Blob, container: HTMLDivElement): Promise<Pdf> {
  const task = getDocument({
    // PDF.js takes ownership of the buffer.
    data: await file.arrayBuffer(),
    cMapUrl: `${files}/cmaps/`,
    standardFontDataUrl: `${files}/standard_fonts/`,
    wasmUrl: `${files}/wasm/`,
    // The content security policy forbids WASM. Without it there are no ICC profiles.
    useWasm: false,
    useWorkerFetch: true,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    // For a damaged page, the viewer would only log the error and wait for ever.
    await document.getPage(1);
    const pdf = new Pdf(task, document, container);
    await pdf.start();
    return pdf;
  } catch (error) {
    void task.destroy();
    throw error;
  }
}
