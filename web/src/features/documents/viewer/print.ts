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

/** Opens the print dialog for what `fill` puts into the frame. */
export async function printFrame(
  styles: string,
  signal: AbortSignal,
  fill: (sheet: Document) => Promise<void> | void,
): Promise<void> {
  const frame = await openPrintFrame(styles);
  try {
    const sheet = frame.contentDocument;
    const view = frame.contentWindow;
    if (!sheet || !view) return;
    await fill(sheet);
    await Promise.all([...sheet.images].map((image) => image.decode().catch(() => undefined)));
    signal.throwIfAborted();
    const printed = new Promise((resolve) => view.addEventListener('afterprint', resolve, { once: true }));
    view.print();
    // Some browsers return at once and read the frame later.
    await Promise.race([printed, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
  } finally {
    frame.remove();
  }
}
