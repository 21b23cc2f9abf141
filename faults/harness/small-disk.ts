import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { undoAtExit } from './cleanup.ts';
import { MissingError } from './findings.ts';

export type SmallDisk = {
  freeBytes(): Promise<number>;
  /** Takes all room but so much. */
  fill(leaveBytes: number): Promise<void>;
  empty(): Promise<void>;
  unmount(): void;
};

const blockBytes = 4096;

function ignoreFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}

/** A disk of its own at that place, which is in memory and goes with the run. */
export function mountSmallDisk(place: string, megabytes: number): SmallDisk {
  mkdirSync(place, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', place], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    const [reason] = String((error as { stderr?: Buffer }).stderr ?? error).split('\n');
    throw new MissingError(
      `A small disk cannot be mounted here (${reason}). Run it as root on Linux; a container needs CAP_SYS_ADMIN.`,
    );
  }
  const unmountNow = () => execFileSync('umount', ['--lazy', place], { stdio: 'ignore' });
  const forget = undoAtExit(unmountNow);
  const filler = join(place, '.filler');

  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(place);
    return bavail * bsize;
  };
  return {
    freeBytes,
    async fill(leaveBytes) {
      await rm(filler, { force: true });
      const handle = await open(filler, 'w', 0o600);
      try {
        const wanted = Math.floor(((await freeBytes()) - leaveBytes) / blockBytes);
        // Somebody else may have taken the last of it meanwhile, which is what was wanted.
        await handle.writeFile(Buffer.alloc(Math.max(0, wanted) * blockBytes)).catch(ignoreFull);
      } finally {
        await handle.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    unmount() {
      forget();
      unmountNow();
    },
  };
}
