import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { MissingError } from './findings.ts';

export type SmallDisk = {
  freeBytes(): Promise<number>;
  /** Takes all free space but this much. */
  fill(leaveBytes: number): Promise<void>;
  empty(): Promise<void>;
  unmount(): void;
};

const blockBytes = 4096;

function ignoreFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}

/** Mounts a tmpfs there, which is unmounted at the end of the run. */
export function mountSmallDisk(mountPoint: string, megabytes: number): SmallDisk {
  mkdirSync(mountPoint, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', mountPoint], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    const [reason] = String((error as { stderr?: Buffer }).stderr ?? error).split('\n');
    throw new MissingError(
      `A small disk cannot be mounted here (${reason}). Run it as root on Linux; a container needs CAP_SYS_ADMIN.`,
    );
  }
  const unmountNow = () => execFileSync('umount', ['--lazy', mountPoint], { stdio: 'ignore' });
  const cancelCleanup = cleanUpAtExit(unmountNow);
  const filler = join(mountPoint, '.filler');

  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(mountPoint);
    return bavail * bsize;
  };
  return {
    freeBytes,
    async fill(leaveBytes) {
      await rm(filler, { force: true });
      const handle = await open(filler, 'w', 0o600);
      try {
        const wanted = Math.floor(((await freeBytes()) - leaveBytes) / blockBytes);
        // The server may fill the disk meanwhile, which is the goal.
        await handle.writeFile(Buffer.alloc(Math.max(0, wanted) * blockBytes)).catch(ignoreFull);
      } finally {
        await handle.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    unmount() {
      cancelCleanup();
      unmountNow();
    },
  };
}
