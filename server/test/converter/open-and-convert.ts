import { openConverter } from '../../src/converter/open.ts';

/* Opens the converter as a server does, converts one line and prints the beginning of the PDF, or why not. */

const settings = { docxPreview: 'libreoffice', dataDir: '/nowhere' } as const;
try {
  const converter = await openConverter(settings, new AbortController().signal);
  const pdf = await converter?.convert(Buffer.from('{\\rtf1 One line}'), '.doc');
  process.stdout.write(String(pdf?.subarray(0, 5)));
} catch (error) {
  process.stdout.write(String(error));
}
