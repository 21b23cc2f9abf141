export const futureBirthText = 'Date of Birth must not be in the future';

/** Today where the day begins first (UTC+14), so that today is accepted in every time zone. */
export function latestBirthDate(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}
