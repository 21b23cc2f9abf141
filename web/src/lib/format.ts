const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

export function formatFileSize(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return 'Unknown size';
  // Rounding up may reach the next unit: 1023.99 KB is 1 MB to a reader.
  let unit = 0;
  let value = bytes;
  while (Math.round(value * 100) / 100 >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(Math.round(value * 100) / 100)} ${units[unit]}`;
}

export const formatNumber = (value: number) => value.toLocaleString();

export const formatDate = (time: string) =>
  new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });

export const formatDateTime = (time: string) =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const formatFullTime = (time: string) =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A calendar day is the same day in every time zone. */
export const formatDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
