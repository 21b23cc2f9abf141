import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import type { Pixels } from '../../protocol.ts';
import { type Format, type PageReading, ProtectedError } from '../port.ts';

const headerSearchBytes = 1024;
// Below this, a page is a picture: a scanner may print a line of text over it.
const minLetters = 20;
const dotsPerInch = 200;
const pointsPerInch = 72;
// An A3 sheet at this resolution. Larger pages are scaled down.
const maxPixels = 2_339 * 3_307;

let library: Promise<PDFiumLibrary> | undefined;

export function loadPdfium(): Promise<PDFiumLibrary> {
  library ??= PDFiumLibrary.init();
  return library;
}

async function openPdf(bytes: Buffer): Promise<PDFiumDocument> {
  const pdfium = await loadPdfium();
  try {
    return await pdfium.loadDocument(bytes);
  } catch (error) {
    const isProtected = error instanceof Error && /password|security/i.test(error.message);
    throw isProtected ? new ProtectedError() : error;
  }
}

// The library does not say whether a page could be loaded, and closes a page only after it has drawn it.
type Internals = { pageIdx: number; module: { _FPDF_ClosePage(page: number): void } };
const internalsOf = (page: PDFiumPage) => page as unknown as Internals;
const isLoaded = (page: PDFiumPage) => internalsOf(page).pageIdx !== 0;

function closePage(page: PDFiumPage): void {
  const { module, pageIdx } = internalsOf(page);
  module._FPDF_ClosePage(pageIdx);
}

const lettersIn = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

function readPage(document: PDFiumDocument, index: number): PageReading {
  const page = document.getPage(index);
  // A damaged page does not affect the others.
  if (!isLoaded(page)) return { text: '' };
  try {
    const text = page.getText();
    return { text, isPicture: lettersIn(text) < minLetters && page.getObjectCount() > 0 };
  } finally {
    closePage(page);
  }
}

function* readPages(document: PDFiumDocument, first: number, pageCount: number): Generator<PageReading> {
  try {
    for (let index = first; index < pageCount; index += 1) yield readPage(document, index);
  } finally {
    document.destroy();
  }
}

export type Picture = { width: number; height: number /** One byte for each pixel. */; grey: Uint8Array };

/** A page may be so long and narrow that less than a pixel of its width is left. */
const pixelsOf = (length: number) => Math.max(Math.floor(length), 1);

type Scale = (widthInPoints: number, heightInPoints: number) => number;

async function draw(bytes: Buffer, index: number, colorSpace: 'Gray' | 'BGRA', scaleOf: Scale) {
  const document = await openPdf(bytes);
  try {
    const page = document.getPage(index);
    if (!isLoaded(page)) throw new Error('the page cannot be loaded');
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = scaleOf(Math.max(originalWidth, 1), Math.max(originalHeight, 1));
    const width = pixelsOf(originalWidth * scale);
    const height = pixelsOf(originalHeight * scale);
    return await page.render({ scale: 1, width, height, colorSpace, render: 'bitmap' });
  } finally {
    document.destroy();
  }
}

/** Draws a page at the resolution of a scan. */
export async function drawPage(bytes: Buffer, page: number): Promise<Picture> {
  const { width, height, data } = await draw(bytes, page - 1, 'Gray', (pageWidth, pageHeight) => {
    const inches = (pageWidth * pageHeight) / pointsPerInch ** 2;
    return Math.min(dotsPerInch, Math.sqrt(maxPixels / inches)) / pointsPerInch;
  });
  return { width, height, grey: data };
}

async function drawFirstPage(bytes: Buffer, maxWidth: number): Promise<Pixels> {
  const { width, height, data } = await draw(bytes, 0, 'BGRA', (pageWidth, pageHeight) =>
    Math.min(maxWidth / pageWidth, (2 * maxWidth) / pageHeight),
  );
  // In spite of the name, the library returns red first.
  return { width, height, rgba: data };
}

export const pdf: Format = {
  matches: (bytes) => bytes.toString('latin1', 0, headerSearchBytes).includes('%PDF-'),
  async read(bytes) {
    const document = await openPdf(bytes);
    const pageCount = document.getPageCount();
    return { pageCount, pagesAfter: (skipped) => readPages(document, skipped, pageCount) };
  },
  drawFirstPage,
};
