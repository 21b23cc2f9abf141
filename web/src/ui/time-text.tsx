import { formatDate, formatDateTime, formatFullTime } from '../lib/format.ts';

/** A localized time, with the full form on hover. */
export function TimeText({ value, withTime = false }: { value: string; withTime?: boolean }) {
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {withTime ? formatDateTime(value) : formatDate(value)}
    </time>
  );
}
