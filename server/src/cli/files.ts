import { randomBytes } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { CommandFailed, type ParsedArgs, UsageError } from './command.ts';

export function fileOf({ command, operands: [file] }: ParsedArgs): string {
  if (!file) throw new UsageError(`${command} needs a file`);
  return file;
}

/** Users name files relative to their working folder; npm changes to that of the project. */
export const pathOf = (file: string) => resolve(process.env.INIT_CWD ?? '.', file);

async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new CommandFailed(`${path} is a folder`);
  if (found && !force) throw new CommandFailed(`${path} exists already. Add --force to replace it.`);
}

function readableError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  if (error.code === 'ENOENT') return new CommandFailed(`There is no folder ${dirname(path)}`);
  return new CommandFailed(`${path} cannot be written (${error.code})`);
}

/**
 * Writes a temporary file and renames it when it is complete, so that no incomplete file has the name. Only its owner
 * can read it.
 */
export async function writeNewFile<T>(
  path: string,
  force: boolean,
  write: (output: Writable) => Promise<T>,
): Promise<T> {
  await refuseExisting(path, force);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.unfinished`);
  const rethrow = (error: unknown) => {
    throw readableError(error, path);
  };
  const handle = await open(temporary, 'wx', 0o600).catch(rethrow);
  try {
    // A rename must not reach the disk before the content.
    const result = await write(handle.createWriteStream({ flush: true }));
    await refuseExisting(path, force);
    await rename(temporary, path);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    return rethrow(error);
  }
}
