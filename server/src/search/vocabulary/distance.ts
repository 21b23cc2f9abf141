/**
 * The number of letters to add, remove, replace or swap with the next one, to make `typed` the beginning of `word`
 * (optimal string alignment).
 */
export function typingMistakes(typed: string, word: string): number {
  let [secondLastRow, lastRow]: number[][] = [[], Array.from({ length: word.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= typed.length; row += 1) {
    const thisRow = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = typed[row - 1] === word[column - 1];
      const isSwapped =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      thisRow[column] = Math.min(
        (thisRow[column - 1] ?? 0) + 1,
        (lastRow?.[column] ?? 0) + 1,
        (lastRow?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (secondLastRow?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [secondLastRow, lastRow] = [lastRow, thisRow];
  }
  return Math.min(...(lastRow ?? []));
}
