/** A fast generator of numbers in [0, 1), seeded and portable: the dataset needs millions. */
export function quickRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Zipf's law, as for names: the tenth is a tenth as frequent as the first. */
export function pickByRank<T>(items: readonly T[], random: () => number): T {
  const rank = Math.floor((items.length + 1) ** random()) - 1;
  const item = items[Math.min(rank, items.length - 1)];
  if (item === undefined) throw new Error('Cannot pick from an empty list');
  return item;
}
