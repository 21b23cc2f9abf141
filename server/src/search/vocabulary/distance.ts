/**
 * How many letters were left out, added, mistaken or swapped with the next one in `typed`, for it to be the beginning
 * of `word` (optimal string alignment).
 */
export function typingMistakes(typed: string, word: string): number {
  let [last2, last]: number[][] = [[], Array.from({ length: word.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= typed.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = typed[row - 1] === word[column - 1];
      const isSwapped =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      next[column] = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last?.[column] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (last2?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [last2, last] = [last, next];
  }
  return Math.min(...(last ?? []));
}
