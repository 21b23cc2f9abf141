import { isAllowed } from '@customer-database/contract/permissions';
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardQuery } from '../../api/dashboard.ts';
import { displayName, useUser } from '../../api/session.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Screen } from '../../ui/screen.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { StatCards } from './stat-cards.tsx';
import { SystemInformation } from './system-information.tsx';
import { UnusualReading } from './unusual-reading.tsx';

export function Dashboard() {
  const user = useUser();
  const { data, isError, refetch } = useQuery(dashboardQuery);
  const failed = isError && data === undefined;
  return (
    <Screen
      title="Dashboard"
      description={
        <>
          Welcome to the document database, <bdi>{displayName(user)}</bdi>.
        </>
      }
    >
      {isError && <ErrorBanner text="Error loading the figures. Please try again." onRetry={refetch} />}
      {data?.unusual_reading && <UnusualReading readings={data.unusual_reading} />}
      <StatCards figures={data} failed={failed} />
      <QuickActions canUpload={isAllowed(user.role, 'documents.manage')} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <RecentActivity activity={data === null ? null : data?.recent_activity} failed={failed} />
        <SystemInformation figures={data} failed={failed} />
      </SimpleGrid>
    </Screen>
  );
}
