/**
 * Whether the values of one list tend to be larger than the other's: the z-score of the Mann-Whitney rank sum
 * test. Between -3 and 3 is chance; lists of 15 that do not overlap are beyond 4.
 */
export function rankSumScore(one: number[], other: number[]): number {
  let wins = 0;
  for (const a of one) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const pairs = one.length * other.length;
  return (wins - pairs / 2) / Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
}
