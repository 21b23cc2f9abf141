import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type PrintJob, printFrame } from './print.ts';

const dotsPerInch = 200;
const pointsPerInch = 72;

/** A picture of a page takes a tenth of its pixels. */
const quality = 0.92;

const styles = `
  body { margin: 0; }
  img { display: block; width: 100%; height: auto; break-after: page; }
`;

/** For a data URL: the content policy allows no others. */
async function readAsUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  return promise;
}

async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
) {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: dotsPerInch / pointsPerInch });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport, intent: 'print' });
  const cancel = () => task.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  await task.promise.finally(() => signal.removeEventListener('abort', cancel));
  page.cleanup();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('The page is too large to be printed.');
  const points = (length: number) => Math.round((length / dotsPerInch) * pointsPerInch);
  return { url: await readAsUrl(blob), width: points(viewport.width), height: points(viewport.height) };
}

/** Browsers print canvases and frames of other documents differently; pictures of pages print alike everywhere. */
export function printPdf(pdf: PDFDocumentProxy, { signal, onProgress }: PrintJob): Promise<void> {
  return printFrame(styles, signal, async (sheet) => {
    const canvas = document.createElement('canvas');
    const sizes = new Set<string>();
    for (let number = 1; number <= pdf.numPages; number += 1) {
      onProgress(number, pdf.numPages);
      const { url, width, height } = await drawPage(pdf, number, canvas, signal);
      signal.throwIfAborted();
      const image = sheet.createElement('img');
      image.src = url;
      image.style.setProperty('page', `size-${width}-${height}`);
      sizes.add(`@page size-${width}-${height} { size: ${width}pt ${height}pt; margin: 0; }`);
      sheet.body.append(image);
    }
    sheet.head.append(Object.assign(sheet.createElement('style'), { textContent: [...sizes].join('\n') }));
    canvas.width = 0;
  });
}
