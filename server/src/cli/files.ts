import { randomBytes } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { CommandFailed, type Given, UsageError } from './command.ts';

export function fileOf({ command, operands: [file] }: Given): string {
  if (!file) throw new UsageError(`${command} needs a file`);
  return file;
}

/** npm starts us in the project's folder, but people name files from where they are. */
export const pathOf = (file: string) => resolve(process.env.INIT_CWD ?? '.', file);

async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new CommandFailed(`${path} is a folder`);
  if (found && !force) throw new CommandFailed(`${path} exists already. Add --force to replace it.`);
}

function readable(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  if (error.code === 'ENOENT') return new CommandFailed(`There is no folder ${dirname(path)}`);
  return new CommandFailed(`${path} cannot be written (${error.code})`);
}

/**
 * Writes beside the file and gives it its name when it is whole, so that half a file never looks complete.
 * Only its owner can read it.
 */
export async function writeNewFile<T>(
  path: string,
  force: boolean,
  write: (output: Writable) => Promise<T>,
): Promise<T> {
  await refuseExisting(path, force);
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.unfinished`);
  const asSaid = (error: unknown) => {
    throw readable(error, path);
  };
  const handle = await open(unfinished, 'wx', 0o600).catch(asSaid);
  try {
    // Flushed: it has to be on the disk before it gets its name.
    const result = await write(handle.createWriteStream({ flush: true }));
    await refuseExisting(path, force);
    await rename(unfinished, path);
    return result;
  } catch (error) {
    await rm(unfinished, { force: true });
    return asSaid(error);
  }
}
