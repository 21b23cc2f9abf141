import type { Link } from './chain.ts';
import type { NotedSeal } from './note.ts';

/** A seal in the form in which operators keep it: its id, a colon, its hash. */
export const sealText = ({ id, hash }: Link) => `${id}:${hash.toString('hex')}`;

/** Undefined for a text in another form. */
export function readSealText(text: string): NotedSeal | undefined {
  const [, seal, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seal && hash ? { seal: Number(seal), hash } : undefined;
}
