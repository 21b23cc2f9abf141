import { pageStyles } from './docx/frame-page.ts';
import type { Docx } from './docx-engine.ts';
import { type PrintJob, printFrame } from './print.ts';

const styles = `
  body { margin: 0; }
  body > section.docx { break-after: page; print-color-adjust: exact; }
  ${pageStyles}
`;

/** Waits until all pages are drawn, and prints copies of them without zoom and marks. */
export function printDocx(docx: Docx, { signal, onProgress }: PrintJob): Promise<void> {
  return printFrame(styles, signal, async (sheet) => {
    await docx.whenDrawn(signal, onProgress);
    const { styles: own, pages } = docx.content;
    sheet.head.append(...own.map((style) => sheet.importNode(style, true)));
    const sizes = new Set<string>();
    for (const page of pages) {
      const copy = sheet.importNode(page, true);
      const [width, height] = [page.style.width, page.style.minHeight].map((length) =>
        Number.parseFloat(length),
      );
      if (width && height) {
        const name = `size-${Math.round(width)}-${Math.round(height)}`;
        copy.style.setProperty('page', name);
        sizes.add(`@page ${name} { size: ${width}pt ${height}pt; margin: 0; }`);
      }
      sheet.body.append(copy);
    }
    sheet.head.append(Object.assign(sheet.createElement('style'), { textContent: [...sizes].join('\n') }));
  });
}
