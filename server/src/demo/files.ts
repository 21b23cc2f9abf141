import { docFile } from './doc.ts';
import { docxFile } from './docx.ts';
import type { DemoFileKind } from './papers.ts';
import { pdfFile } from './pdf.ts';

/** A small valid file of the kind that shows the title and the paragraphs; the same bytes for the same text. */
export function demoFile(kind: DemoFileKind, title: string, paragraphs: string[]): Buffer {
  switch (kind) {
    case 'pdf':
      return pdfFile(title, paragraphs);
    case 'docx':
      return docxFile(title, paragraphs);
    case 'doc':
      return docFile(title, paragraphs);
    case 'txt':
      return Buffer.from(`${[title, ...paragraphs].join('\n\n')}\n`);
  }
}
