import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JailLimits } from './jail.ts';
import { createLibreOffice } from './libreoffice.ts';
import { type Converter, ConverterUnavailable } from './port.ts';

const megabyte = 1024 * 1024;

export const conversionLimits: JailLimits = {
  // 500 pages take four seconds.
  cpuMs: 30_000,
  timeoutMs: 120_000,
  maxResidentBytes: 1024 * megabyte,
  maxPdfBytes: 32 * megabyte,
};

const application = fileURLToPath(new URL('../../../', import.meta.url));
const setting = 'DOCX_PREVIEW=libreoffice';

/** Undefined if it is not installed. */
export function findProgram(): string | undefined {
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v soffice'], { encoding: 'utf8' });
  const path = stdout.trim();
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** Never runs LibreOffice without its jail: throws if this machine does not allow it. */
async function openLibreOffice(dataDir: string): Promise<Converter> {
  if (process.platform !== 'linux') {
    throw new ConverterUnavailable(
      `${setting} works on Linux only. Remove it to start without exact previews.`,
    );
  }
  const program = findProgram();
  if (!program) {
    throw new ConverterUnavailable(
      `${setting} needs LibreOffice, which is not installed. As root on Debian or Ubuntu: ` +
        'apt-get install --no-install-recommends libreoffice-writer-nogui fonts-liberation fonts-crosextra-carlito',
    );
  }
  const libreOffice = createLibreOffice({ program, hidden: [application, dataDir] }, conversionLimits);
  await libreOffice.checkStart().catch((cause: Error) => {
    throw new ConverterUnavailable(
      `${setting}: LibreOffice cannot be isolated here (${cause.message}), and is not run without. It needs unshare, ` +
        'setpriv, prlimit and mount, and root or unprivileged user namespaces (docs/OPERATIONS.md)',
      { cause },
    );
  });
  return libreOffice;
}

type Settings = { docxPreview: 'built-in' | 'libreoffice'; dataDir: string };

/** A shutdown ends what it converts. */
export async function openConverter(
  { docxPreview, dataDir }: Settings,
  stopping: AbortSignal,
): Promise<Converter | undefined> {
  if (docxPreview !== 'libreoffice') return undefined;
  const converter = await openLibreOffice(dataDir);
  stopping.addEventListener('abort', () => void converter.close());
  return converter;
}
