import { textOfHtml } from './html.ts';
import { RtfReader } from './rtf-reader.ts';
import { decodeText } from './txt.ts';

const openingBytes = 1024;

/** Word inserts files of other formats when it opens a document. Their first bytes say which. */
export function textOfChunk(bytes: Buffer): string {
  const opening = bytes.toString('latin1', 0, openingBytes);
  if (opening.startsWith('{\\rtf')) return new RtfReader().read(bytes);
  if (/^mime-version:/im.test(opening))
    return textOfHtml(decodeText(pageOfArchive(bytes.toString('latin1'))));
  const text = decodeText(bytes);
  return /<(?:!doctype|html|head|body|div|p|table)\b/i.test(text.slice(0, openingBytes))
    ? textOfHtml(text)
    : text;
}

/** The page of a web archive (MHT): the first HTML among the parts of a mail. */
function pageOfArchive(mail: string): Buffer {
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(mail)?.[1];
  const parts = boundary ? mail.split(`--${boundary}`) : [mail];
  const isPage = (part: string) => /^content-type:\s*text\/html/im.test(part.slice(0, openingBytes));
  const page = parts.find(isPage)?.trimStart() ?? '';
  const end = /\r?\n\r?\n/.exec(page)?.index ?? 0;
  const [head, body] = [page.slice(0, end), page.slice(end)];
  if (/^content-transfer-encoding:\s*base64/im.test(head)) return Buffer.from(body, 'base64');
  if (!/^content-transfer-encoding:\s*quoted-printable/im.test(head)) return Buffer.from(body, 'latin1');
  const decoded = body
    .replace(/=\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
