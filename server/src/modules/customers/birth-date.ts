export const futureBirthText = 'Date of Birth must not be in the future';

/** Today in UTC+14, where the day begins first, so that every time zone can enter its today. */
export function latestBirthDate(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}
