import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const GIGABYTE = 1024 ** 3;
const NEEDED_BYTES = 4 * GIGABYTE;

/** @returns {number} */
function freeMemory() {
  const { bavail, bsize } = statfsSync(MEMORY);
  const kilobytes = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Math.min(bavail * bsize, Number(kilobytes) * 1024 - GIGABYTE);
}

/**
 * Puts the temporary files of tests into memory where there is enough of it: every commit waits for the disk otherwise,
 * and most tests are not about that. They go when this process ends.
 */
export function useMemoryForTests() {
  if (process.env.TMPDIR || !existsSync(MEMORY) || freeMemory() < NEEDED_BYTES) return;
  const folder = mkdtempSync(join(MEMORY, 'customer-database-tests-'));
  // When the tests run as root, PostgreSQL runs as somebody else and has to get in.
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.env.TMPDIR = folder;
}

/** For what is about durability. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export async function onDisk(work) {
  const { TMPDIR } = process.env;
  if (!TMPDIR?.startsWith(MEMORY)) return work();
  delete process.env.TMPDIR;
  try {
    return await work();
  } finally {
    process.env.TMPDIR = TMPDIR;
  }
}
