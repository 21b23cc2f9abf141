import classes from './viewer.module.css';

/** What printing a document does with the time it takes. */
export type PrintJob = {
  signal: AbortSignal;
  onProgress: (page: number, pages: number) => void;
};

/** Loads nothing but the pictures it was given. The sandbox forbids scripts. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const emptySheet = (styles: string) => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>${styles}</style>
<body></body>`;

/** A frame that is only printed. `allow-modals` is for the browser's print dialog. */
async function openPrintFrame(styles: string): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.className = classes.print ?? '';
  frame.title = 'Print';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  frame.srcdoc = emptySheet(styles);
  const { promise, resolve } = Promise.withResolvers<void>();
  frame.addEventListener('load', () => resolve(), { once: true });
  document.body.append(frame);
  await promise;
  return frame;
}

/** Opens the print dialog for what `fill` puts into the frame. Resolves when the browser has it. */
export async function printFrame(
  styles: string,
  signal: AbortSignal,
  fill: (sheet: Document) => Promise<void> | void,
): Promise<void> {
  // Not every browser says when it has printed.
  for (const old of document.querySelectorAll(`.${classes.print}`)) old.remove();
  const frame = await openPrintFrame(styles);
  try {
    const { contentDocument: sheet, contentWindow: view } = frame;
    if (!sheet || !view) throw new Error('The frame is gone.');
    await fill(sheet);
    await Promise.all([...sheet.images].map((image) => image.decode().catch(() => undefined)));
    signal.throwIfAborted();
    view.addEventListener('afterprint', () => frame.remove(), { once: true });
    view.print();
  } catch (error) {
    frame.remove();
    throw error;
  }
}

/** Less than the paper, in points: a rounded length must not begin another sheet. */
const spare = 0.5;

/** Gives an element a sheet of paper with its size, in points. */
export function putOnSheet(element: HTMLElement, width: number, height: number): void {
  const name = `size-${Math.round(width)}-${Math.round(height)}`;
  element.style.setProperty('page', name);
  element.style.width = `${width}pt`;
  element.style.minHeight = `${height - spare}pt`;
  const { head } = element.ownerDocument;
  if (head.querySelector(`[data-size="${name}"]`)) return;
  const rule = element.ownerDocument.createElement('style');
  rule.dataset.size = name;
  rule.textContent = `@page ${name} { size: ${width}pt ${height}pt; margin: 0; }`;
  head.append(rule);
}
