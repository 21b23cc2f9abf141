import { formatDate, formatDateTime, formatFullTime } from '../lib/format.ts';

/** Another server may send none. */
type TimeTextProps = { value: string | null | undefined; withTime?: boolean };

/** A localized time, with the full form on hover. */
export function TimeText({ value, withTime = false }: TimeTextProps) {
  if (!value || Number.isNaN(Date.parse(value))) return '–';
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {withTime ? formatDateTime(value) : formatDate(value)}
    </time>
  );
}
