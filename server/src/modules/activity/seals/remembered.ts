import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { writeDurably } from '../../../storage/durable-files.ts';

const remembered = z.object({ seal: z.int().positive(), hash: z.string() });
export type RememberedSeal = z.infer<typeof remembered>;

export const rememberedSealFile = (dataDir: string) => join(dataDir, 'activity-seal.json');

/** The newest seal that this machine has seen, outside of the database: undefined if there was none yet. */
export async function recallSeal(dataDir: string): Promise<RememberedSeal | undefined> {
  const text = await readFile(rememberedSealFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : remembered.parse(JSON.parse(text));
}

/** Whoever can write to the database only cannot take back the newest seals unnoticed. */
export async function rememberSeal(
  { config: { dataDir }, log }: Pick<Deps, 'config' | 'log'>,
  { id, hash }: { id: number; hash: Buffer },
): Promise<void> {
  const draft = `${rememberedSealFile(dataDir)}.${randomUUID()}`;
  try {
    const known = await recallSeal(dataDir);
    if (known && known.seal >= id) return;
    await writeDurably(draft, Buffer.from(JSON.stringify({ seal: id, hash: hash.toString('hex') })));
    await rename(draft, rememberedSealFile(dataDir));
  } catch (err) {
    await rm(draft, { force: true }).catch(() => undefined);
    log.warn({ err }, 'the newest seal of the activity log was not noted in the data folder');
  }
}
