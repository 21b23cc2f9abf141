import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../../storage/durable-files.ts';

const note = z.object({ seal: z.int().positive(), hash: z.string() });

/** A seal that was noted outside of the database: its id and its hash in hex. */
export type NotedSeal = z.infer<typeof note>;

type Seal = { id: number; hash: Buffer };

/** A seal in the form in which operators keep it: its id, a colon, its hash. */
export const sealText = ({ id, hash }: Seal) => `${id}:${hash.toString('hex')}`;

/** Undefined for a text in another form. */
export function readSealText(text: string): NotedSeal | undefined {
  const [, seal, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seal && hash ? { seal: Number(seal), hash } : undefined;
}

export const noteFile = (dataDir: string) => join(dataDir, 'activity-seal.json');

/** The newest seal that this machine has verified; undefined before the first. */
export async function readNote(dataDir: string): Promise<NotedSeal | undefined> {
  const text = await readFile(noteFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : note.parse(JSON.parse(text));
}

/** The note reveals that the newest seals are gone, to an attacker who can write only to the database. */
export async function writeNote(dataDir: string, seal: Seal): Promise<void> {
  const draft = `${noteFile(dataDir)}.${randomUUID()}`;
  const noted: NotedSeal = { seal: seal.id, hash: seal.hash.toString('hex') };
  try {
    await writeDurably(draft, Buffer.from(JSON.stringify(noted)));
    await rename(draft, noteFile(dataDir));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Without a note, the next pass trusts the newest seal in the database. */
export const removeNote = (dataDir: string) => rm(noteFile(dataDir), { force: true });
