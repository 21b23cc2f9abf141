import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Resident memory, because the heap excludes WASM and buffers. */
export type Usage = { residentBytes: number; cpuMs: number };

// The unit of /proc/PID/stat, on every Linux.
const msPerTick = 10;
// The 14th and 15th fields, counted from the end of the name, which may contain blanks.
const userTicks = 11;
const systemTicks = 12;

async function linuxUsage(pid: number): Promise<Usage> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[userTicks]) + Number(fields[systemTicks]);
  return { residentBytes: kilobytes * 1024, cpuMs: ticks * msPerTick };
}

/** Parses the time of `ps`: 1:02.03 are 62,030 ms. */
const msOf = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;

async function otherUsage(pid: number): Promise<Usage> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
  return { residentBytes: Number(kilobytes) * 1024, cpuMs: msOf(time) };
}

/** Undefined once the process has ended. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  try {
    return await (process.platform === 'linux' ? linuxUsage(pid) : otherUsage(pid));
  } catch {
    return undefined;
  }
}

/** Each thread has its children. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return children.flatMap((line) => line.split(' ').filter(Boolean).map(Number));
}

/** A process and its descendants, with what each uses now. */
async function* listTree(pid: number): AsyncGenerator<Usage & { pid: number }> {
  const left = [pid];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const usage = (await usageOf(next)) ?? { residentBytes: 0, cpuMs: 0 };
    yield { pid: next, ...usage };
    left.push(...(await childrenOf(next)));
  }
}

/** The reader among the descendants of a process, most of which are small and only isolate it. */
export async function largestProcess(pid: number): Promise<number> {
  let largest = { pid, residentBytes: 0 };
  for await (const each of listTree(pid)) {
    if (each.residentBytes > largest.residentBytes) largest = each;
  }
  return largest.pid;
}

/** What a process and its descendants use together. */
export async function usageOfTree(pid: number): Promise<Usage> {
  const total = { residentBytes: 0, cpuMs: 0 };
  for await (const { residentBytes, cpuMs } of listTree(pid)) {
    total.residentBytes += residentBytes;
    total.cpuMs += cpuMs;
  }
  return total;
}
