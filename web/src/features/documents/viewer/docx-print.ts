import { pageStyles } from './docx/frame-page.ts';
import type { Docx } from './docx-engine.ts';
import { type PrintJob, printFrame, putOnSheet } from './print.ts';

const styles = `
  body { margin: 0; }
  section.docx { print-color-adjust: exact; }
  section.docx + section.docx { break-before: page; }
  ${pageStyles}
`;

/** Waits until all pages are drawn, and prints copies of them without zoom and marks. */
export function printDocx(docx: Docx, { signal, onProgress }: PrintJob): Promise<void> {
  return printFrame(styles, signal, async (sheet) => {
    await docx.whenDrawn(signal, onProgress);
    const { styles: own, pages } = docx.content;
    sheet.head.append(...own.map((style) => sheet.importNode(style, true)));
    for (const page of pages) {
      const copy = sheet.importNode(page, true);
      sheet.body.append(copy);
      const [width, height] = [page.style.width, page.style.minHeight].map((length) =>
        Number.parseFloat(length),
      );
      if (width && height) putOnSheet(copy, width, height);
    }
  });
}
