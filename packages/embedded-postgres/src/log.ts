import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** The logger methods used here. */
export type EmbeddedLog = {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
};

const maxLogFileBytes = 8 * 1024 * 1024;

/** Truncates in place, because PostgreSQL keeps the file open for appending. */
export async function rotateLogFile(file: string): Promise<void> {
  if ((await sizeOf(file)) < maxLogFileBytes) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

export async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Lines written since the file had the given size, at most the last 64 KB. */
export async function linesSince(file: string, size: number): Promise<string[]> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return [];
  try {
    const end = (await handle.stat()).size;
    const start = Math.max(size, end - 64 * 1024);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.max(end - start, 0)), {
      position: start,
    });
    return buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => line !== '');
  } finally {
    await handle.close();
  }
}
