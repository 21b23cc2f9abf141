import type { Pixels } from '../../protocol.ts';
import { bytesAt, type Pdf, pdfium, withMemory } from '../pdfium.ts';

const pointsPerInch = 72;
// A longer side would be a strip in which nothing is legible, and Tesseract takes no longer one.
const maxSide = 30_000;

const formats = { grey: 1, rgba: 4 };
const flags = { annotations: 0x01, grey: 0x08, redFirst: 0x10 };
const white = 0xff_ff_ff_ff;
const unrotated = 0;

type Drawn = { width: number; height: number; pixels: Uint8Array };
type Scale = (widthInPoints: number, heightInPoints: number) => number;

/** A page may be so long and narrow that less than a pixel of its width is left. */
const pixelsOf = (length: number) => Math.min(Math.max(Math.floor(length), 1), maxSide);

/** With annotations and the values of the form. */
function draw(pdf: Pdf, index: number, format: keyof typeof formats, scaleOf: Scale): Drawn {
  const drawn = pdf.withPage(index, (page) => {
    const pageWidth = pdfium()._FPDF_GetPageWidth(page);
    const pageHeight = pdfium()._FPDF_GetPageHeight(page);
    const scale = scaleOf(Math.max(pageWidth, 1), Math.max(pageHeight, 1));
    const width = pixelsOf(pageWidth * scale);
    const height = pixelsOf(pageHeight * scale);
    const stride = width * formats[format];
    return withMemory(stride * height, (address) => {
      const bitmap = pdfium()._FPDFBitmap_CreateEx(width, height, formats[format], address, stride);
      const colors = format === 'grey' ? flags.grey : flags.redFirst;
      pdfium()._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      const place = [0, 0, width, height, unrotated];
      pdfium()._FPDF_RenderPageBitmap(bitmap, page, ...place, colors | flags.annotations);
      if (pdf.form) pdfium()._FPDF_FFLDraw(pdf.form, bitmap, page, ...place, colors);
      pdfium()._FPDFBitmap_Destroy(bitmap);
      return { width, height, pixels: bytesAt(address, stride * height) };
    });
  });
  if (!drawn) throw new Error('the page cannot be loaded');
  return drawn;
}

export type Picture = { width: number; height: number /** One byte for each pixel. */; grey: Uint8Array };

export type Resolution = { dotsPerInch: number; maxPixels: number };

/** Larger pages than the resolution allows are scaled down. */
export function drawPage(pdf: Pdf, index: number, { dotsPerInch, maxPixels }: Resolution): Picture {
  const { width, height, pixels } = draw(pdf, index, 'grey', (pageWidth, pageHeight) => {
    const inches = (pageWidth * pageHeight) / pointsPerInch ** 2;
    return Math.min(dotsPerInch, Math.sqrt(maxPixels / inches)) / pointsPerInch;
  });
  return { width, height, grey: pixels };
}

export function drawThumbnail(pdf: Pdf, maxWidth: number): Pixels {
  const { width, height, pixels } = draw(pdf, 0, 'rgba', (pageWidth, pageHeight) =>
    Math.min(maxWidth / pageWidth, (2 * maxWidth) / pageHeight),
  );
  return { width, height, rgba: pixels };
}
