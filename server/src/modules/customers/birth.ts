export const futureBirthText = 'Date of Birth must not be in the future';

/** Wherever the reader is, tomorrow has not begun before it has somewhere on earth. */
export function latestBirthDate(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}
