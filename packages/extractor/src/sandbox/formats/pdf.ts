import { openPdf, type Pdf, pdfium, withMemory } from '../pdfium.ts';
import type { Format, PageReading } from '../port.ts';
import { drawPage, drawThumbnail, type Picture } from './pdf-picture.ts';
import { readPageText } from './pdf-text.ts';

const headerSearchBytes = 1024;
// With fewer letters a page may be a picture whatever it shows.
const minLetters = 20;
// With fewer letters a page that a picture covers is a scan: programs of scanners and fax machines add a line of text.
const minLettersOnPicture = 100;
const minCoverage = 0.5;
const maxObjectsSearched = 1_000;
const imageType = 3;
const bytesPerFloat = 4;
// An A3 sheet at this resolution.
const scanResolution = { dotsPerInch: 200, maxPixels: 2_339 * 3_307 };

const lettersIn = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

function areaOf(object: number): number {
  return withMemory(4 * bytesPerFloat, (address) => {
    const corners = [0, 1, 2, 3].map((place) => address + place * bytesPerFloat) as [
      number,
      number,
      number,
      number,
    ];
    if (!pdfium()._FPDFPageObj_GetBounds(object, ...corners)) return 0;
    const view = new DataView(pdfium().HEAPU8.buffer, address);
    const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
    return (right - left) * (top - bottom);
  });
}

/** Whether one of its pictures covers most of the page. */
function isCoveredByPicture(page: number): boolean {
  const area = pdfium()._FPDF_GetPageWidth(page) * pdfium()._FPDF_GetPageHeight(page);
  const count = Math.min(pdfium()._FPDFPage_CountObjects(page), maxObjectsSearched);
  for (let index = 0; index < count; index += 1) {
    const object = pdfium()._FPDFPage_GetObject(page, index);
    if (pdfium()._FPDFPageObj_GetType(object) === imageType && areaOf(object) >= minCoverage * area)
      return true;
  }
  return false;
}

const hasObjects = (page: number) => pdfium()._FPDFPage_CountObjects(page) > 0;

function readPage(pdf: Pdf, index: number): PageReading {
  const content = readPageText(pdf, index);
  if (!content) return { text: '' };
  const letters = lettersIn(content.own);
  const isPicture =
    content.isUnmapped ||
    (letters < minLetters && (content.hasPicture || pdf.withPage(index, hasObjects) === true)) ||
    (letters < minLettersOnPicture && pdf.withPage(index, isCoveredByPicture) === true);
  return { text: content.text, isPicture };
}

function* readPages(pdf: Pdf, first: number): Generator<PageReading> {
  try {
    for (let index = first; index < pdf.pageCount; index += 1) yield readPage(pdf, index);
  } finally {
    pdf.close();
  }
}

function withPdf<T>(bytes: Uint8Array, use: (pdf: Pdf) => T): T {
  const pdf = openPdf(bytes);
  try {
    return use(pdf);
  } finally {
    pdf.close();
  }
}

/** A page for OCR, and the text that needs no OCR. */
export function readScan(bytes: Uint8Array, page: number): { picture: Picture; text: string } {
  return withPdf(bytes, (pdf) => {
    // Reading the text changes the page.
    const picture = drawPage(pdf, page - 1, scanResolution);
    return { picture, text: readPage(pdf, page - 1).text };
  });
}

export const pdf: Format = {
  matches: (bytes) => bytes.toString('latin1', 0, headerSearchBytes).includes('%PDF-'),
  async read(bytes) {
    const opened = openPdf(bytes);
    return { pageCount: opened.pageCount, pagesAfter: (skipped) => readPages(opened, skipped) };
  },
  drawFirstPage: async (bytes, width) => withPdf(bytes, (opened) => drawThumbnail(opened, width)),
};
