import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type PrintJob, printFrame, putOnSheet } from './print.ts';

const dotsPerInch = 200;
const pointsPerInch = 72;

/** Of the JPEG. */
const quality = 0.92;

const styles = `
  body { margin: 0; }
  div + div { break-before: page; }
  img { display: block; position: absolute; width: inherit; }
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
  const points = (length: number) => Math.round((length / dotsPerInch) * pointsPerInch * 10) / 10;
  return { url: await readAsUrl(blob), width: points(viewport.width), height: points(viewport.height) };
}

/** As pictures of its pages. The browser's own viewer would run the scripts of the file. */
export function printPdf(pdf: PDFDocumentProxy, { signal, onProgress }: PrintJob): Promise<void> {
  return printFrame(styles, signal, async (sheet) => {
    const canvas = document.createElement('canvas');
    for (let number = 1; number <= pdf.numPages; number += 1) {
      onProgress(number, pdf.numPages);
      const { url, width, height } = await drawPage(pdf, number, canvas, signal);
      signal.throwIfAborted();
      const [paper, image] = [sheet.createElement('div'), sheet.createElement('img')];
      image.src = url;
      paper.append(image);
      sheet.body.append(paper);
      putOnSheet(paper, width, height);
    }
    canvas.width = 0;
  });
}
