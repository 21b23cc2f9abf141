const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

export function formatFileSize(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return 'Unknown size';
  // Rounding may reach the next unit: 1023.999 KB reads as 1 MB.
  let unit = 0;
  let value = bytes;
  while (Math.round(value * 100) / 100 >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(Math.round(value * 100) / 100)} ${units[unit]}`;
}

// Created once: creating a formatter costs far more than using it, and a table may show a thousand dates.
const number = new Intl.NumberFormat();
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const fullTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

export const formatNumber = (value: number) => number.format(value);
export const formatDate = (time: string) => date.format(new Date(time));
export const formatDateTime = (time: string) => dateTime.format(new Date(time));
export const formatFullTime = (time: string) => fullTime.format(new Date(time));

/** Another server may send a day as a time. Empty if it is neither. */
export const dayOf = (text: string) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '';

/** For calendar days, which are the same in every time zone. */
export function formatDay(text: string): string {
  const time = new Date(`${dayOf(text)}T00:00:00Z`);
  return Number.isNaN(time.getTime()) ? text : day.format(time);
}
