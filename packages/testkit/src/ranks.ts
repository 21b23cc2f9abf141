/**
 * How far the values of one list lie before or behind those of the other, whatever their spread: the rank sum
 * test of Mann and Whitney. Between -3 and 3 is chance; lists that do not overlap are beyond 4 with 15 each.
 */
export function rankDistance(one: number[], other: number[]): number {
  let wins = 0;
  for (const a of one) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const pairs = one.length * other.length;
  return (wins - pairs / 2) / Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
}
