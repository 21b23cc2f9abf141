import { readFile } from 'node:fs/promises';
import { largestProcess } from '@customer-database/extractor/usage';
import { childrenOf, megabytesOf } from '@customer-database/testkit/processes';

export type Peaks = { server: number; extraction: number };

const sampleMs = 50;

/** The largest resident memory of the server and of the processes that read documents, in megabytes. */
export function watchMemory(serverPid: number): { peaks: Peaks; stop(): void } {
  const peaks: Peaks = { server: 0, extraction: 0 };
  const note = async (whose: keyof Peaks, pid: number) => {
    const megabytes = await megabytesOf(pid, 'VmRSS');
    // A process that has ended has none.
    if (megabytes > peaks[whose]) peaks[whose] = megabytes;
  };
  const look = async () => {
    await note('server', serverPid);
    for (const child of await childrenOf(serverPid)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
      if (command.includes('sandbox')) await note('extraction', await largestProcess(child));
    }
  };
  // A process may end while it is looked at.
  const timer = setInterval(() => void look().catch(() => undefined), sampleMs);
  return { peaks, stop: () => clearInterval(timer) };
}
