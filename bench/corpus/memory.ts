import { readFile } from 'node:fs/promises';
import { childrenOf, megabytesOf } from '../processes.ts';

export type Peaks = { server: number; extraction: number };

const sampleMs = 50;

/** The largest resident memory of the server and of the processes that read documents, in megabytes. */
export function watchMemory(serverPid: number): { peaks: Peaks; stop(): void } {
  const peaks: Peaks = { server: 0, extraction: 0 };
  const look = async () => {
    peaks.server = Math.max(peaks.server, await megabytesOf(serverPid, 'VmRSS'));
    for (const child of await childrenOf(serverPid)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
      if (!command.includes('sandbox')) continue;
      peaks.extraction = Math.max(peaks.extraction, await megabytesOf(child, 'VmRSS'));
    }
  };
  // A process may end while it is looked at.
  const timer = setInterval(() => void look().catch(() => undefined), sampleMs);
  return { peaks, stop: () => clearInterval(timer) };
}
