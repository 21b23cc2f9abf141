import type { DashboardResponse } from '@customer-database/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { WarningBanner } from '../../ui/banners.tsx';
import { TimeText } from '../../ui/time-text.tsx';

type Reading = NonNullable<DashboardResponse['unusual_reading']>[number];

const logOf = ({ user_id }: Reading) =>
  paths.activityWith({ person: String(user_id), action: 'document.viewed,document.downloaded' });

const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Warns administrators of a user who may be copying the documents. */
export function UnusualReading({ readings }: { readings: Reading[] }) {
  return readings.map((reading) => (
    <WarningBanner key={`${reading.user_id} ${reading.at}`}>
      <bdi>{reading.name}</bdi> opened unusually many documents within an hour:{' '}
      {counted(reading.views, 'view')} and {counted(reading.downloads, 'download')},{' '}
      <TimeText value={reading.at} withTime />.{' '}
      <Anchor component={Link} to={logOf(reading)} inherit c="inherit" underline="always">
        See which documents
      </Anchor>
    </WarningBanner>
  ));
}
