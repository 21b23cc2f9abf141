import { hash } from 'node:crypto';

/** Numbers in [0, 1), the same for the same seed on every machine. */
export function seededRandom(seed: string): () => number {
  let block = Buffer.alloc(0);
  let position = 0;
  let round = 0;
  return () => {
    if (position + 4 > block.length) {
      block = hash('sha256', `${seed}/${round}`, 'buffer');
      position = 0;
      round += 1;
    }
    const value = block.readUInt32LE(position) / 2 ** 32;
    position += 4;
    return value;
  };
}

export function pick<T>(items: readonly T[], random: () => number): T {
  return itemAt(items, random());
}

/** Prefers the front of the list, as a few names and places are common and most are rare. */
export function pickSkewed<T>(items: readonly T[], random: () => number): T {
  return itemAt(items, random() ** 2);
}

export function wholeNumber(from: number, to: number, random: () => number): number {
  return from + Math.floor(random() * (to - from + 1));
}

function itemAt<T>(items: readonly T[], share: number): T {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new Error('Cannot pick from an empty list');
  return item;
}
