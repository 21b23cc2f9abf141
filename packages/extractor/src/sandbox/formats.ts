import { doc } from './formats/doc.ts';
import { docx } from './formats/docx.ts';
import { pdf } from './formats/pdf.ts';
import { rtf } from './formats/rtf.ts';
import { txt } from './formats/txt.ts';
import { wordXml } from './formats/word-xml.ts';
import type { Format } from './port.ts';

/** The first match reads the document; plain text matches everything. */
const formats: Format[] = [docx, doc, rtf, wordXml, pdf, txt];

export function formatOf(bytes: Buffer): Format {
  const format = formats.find(({ matches }) => matches(bytes));
  if (!format) throw new Error('no format matches');
  return format;
}
