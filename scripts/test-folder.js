import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';
const gigabyte = 1024 ** 3;
const neededBytes = 4 * gigabyte;

/** @returns {number} */
function freeMemory() {
  const { bavail, bsize } = statfsSync(memoryFolder);
  const kilobytes = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Math.min(bavail * bsize, Number(kilobytes) * 1024 - gigabyte);
}

/**
 * Keeps the temporary files of tests in memory where there is enough: otherwise every commit waits for the disk, which
 * most tests are not about. They are removed on exit.
 */
export function useMemoryForTests() {
  if (process.env.TMPDIR || !existsSync(memoryFolder) || freeMemory() < neededBytes) return;
  const folder = mkdtempSync(join(memoryFolder, 'customer-database-tests-'));
  // When the tests run as root, PostgreSQL runs as another user and needs access.
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.env.TMPDIR = folder;
}

/** For tests about durability. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export async function onDisk(work) {
  const { TMPDIR } = process.env;
  if (!TMPDIR?.startsWith(memoryFolder)) return work();
  delete process.env.TMPDIR;
  try {
    return await work();
  } finally {
    process.env.TMPDIR = TMPDIR;
  }
}
