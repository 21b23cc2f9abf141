import { formatDate, formatDateTime, formatFullTime } from '../lib/format.ts';

/** A time in the reader's own way of writing it, with the whole of it on hover. */
export function TimeText({ value, withTime = false }: { value: string; withTime?: boolean }) {
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {withTime ? formatDateTime(value) : formatDate(value)}
    </time>
  );
}
