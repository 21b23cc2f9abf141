import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@customer-database/testkit/backups';
import { afterFile } from '@customer-database/testkit/cleanup';
import { openReader } from '@customer-database/testkit/extraction';
import { canConvert } from '@customer-database/testkit/libreoffice';
import { samples } from '@customer-database/testkit/samples';
import { describe, expect, it } from 'vitest';
import type { JailLimits } from '../../src/converter/jail.ts';
import { createLibreOffice } from '../../src/converter/libreoffice.ts';
import { conversionLimits, findProgram, openConverter } from '../../src/converter/open.ts';
import { ConversionFailed } from '../../src/converter/port.ts';
import {
  bombDocx,
  docxOf,
  flatPackage,
  paragraph,
  reachingDocx,
  reachingRtf,
  wordXml,
} from './hostile-documents.ts';
import { listen } from './watch.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const openAndConvert = fileURLToPath(new URL('./open-and-convert.ts', import.meta.url));
const reader = openReader();

const limits: JailLimits = { ...conversionLimits };
const converter = createLibreOffice({ program: findProgram() ?? '', hidden: [root] }, limits);
afterFile(() => converter.close());

// Processes of the lowest priority wait on a busy machine.
describe.skipIf(!canConvert())('LibreOffice', { timeout: 240_000 }, () => {
  it('makes PDFs of Word documents', async () => {
    const docx = await converter.convert(docxOf(paragraph('Hydrangea').repeat(100)), '.docx');
    expect(await reader.textOf(docx)).toMatch(/^(Hydrangea\s*){100}$/);
    expect(await reader.textOf(await converter.convert(samples.doc, '.doc'))).not.toBe('');
    const xml = Buffer.from(wordXml('Dahlia'));
    expect(await reader.textOf(await converter.convert(xml, '.doc'))).toBe('Dahlia');
  });

  it('shows no document as its source', async () => {
    for (const bytes of [flatPackage, wordXml('Dahlia').slice(0, -9)]) {
      await expect(converter.convert(Buffer.from(bytes), '.doc')).rejects.toThrow(ConversionFailed);
    }
  });

  it('reaches neither files nor the network, whatever a document asks for', async () => {
    const { port, received } = await listen();
    const secret = join(await temporaryFolder(), 'secret.txt');
    await writeFile(secret, 'Rosebud');
    for (const [bytes, extension] of [
      [reachingDocx(port, ['/etc/passwd', secret]), '.docx'],
      [reachingRtf(port, ['/etc/passwd', secret]), '.doc'],
    ] as const) {
      const text = await reader.textOf(await converter.convert(bytes, extension));
      expect(text).toContain('Reaching out');
      expect(text).not.toMatch(/Rosebud|root:/);
    }
    expect(received()).toBe(0);
  });

  it('is ended when a document takes too long, and converts the next one', async () => {
    limits.cpuMs = 3_000;
    await expect(converter.convert(bombDocx(), '.docx')).rejects.toThrow('it took too long to convert');
    limits.cpuMs = conversionLimits.cpuMs;
    await converter.convert(docxOf(paragraph('Next')), '.docx');
  });
});

/** The output of a server that may do less than this process. */
async function openBehind(command: string[]): Promise<string> {
  const [program = '', ...args] = [...command, process.execPath, openAndConvert];
  return (await promisify(execFile)(program, args)).stdout;
}

describe('The start of the converter', { timeout: 240_000 }, () => {
  const { signal } = new AbortController();
  const settings = { docxPreview: 'libreoffice', dataDir: '/nowhere' } as const;
  const withPath = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
    const before = process.env.PATH;
    process.env.PATH = path;
    try {
      return await run();
    } finally {
      process.env.PATH = before;
    }
  };

  it('needs LibreOffice, and says what to install', async () => {
    await expect(withPath('/nowhere', () => openConverter(settings, signal))).rejects.toThrow(
      /needs LibreOffice, which is not installed.*libreoffice-writer-nogui/,
    );
    expect(await openConverter({ ...settings, docxPreview: 'built-in' }, signal)).toBeUndefined();
  });

  const isNotPossible = process.getuid?.() !== 0 || !canConvert();

  it.skipIf(isNotPossible)(
    'fails where LibreOffice cannot be isolated, instead of running it without',
    async () => {
      // A container has a root without this right.
      expect(await openBehind(['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin'])).toMatch(
        /^ConverterUnavailable: DOCX_PREVIEW=libreoffice: LibreOffice cannot be isolated here \(.*Operation not permitted/,
      );
    },
  );

  it.skipIf(isNotPossible)('succeeds without root, where user namespaces are allowed', async () => {
    expect(await openBehind(['unshare', '--user', '--map-user=1000', '--map-group=1000'])).toBe('%PDF-');
  });
});
