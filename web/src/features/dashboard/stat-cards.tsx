import type { DashboardResponse } from '@customer-database/contract/dashboard';
import { Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconCalendarStats, IconFiles, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { customerSearchQuery } from '../../api/customers.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { formatNumber } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { placeholders } from './placeholders.ts';

type Card = { value: string | undefined; note: string };

const unavailable: Card = { value: '–', note: 'Not available right now' };

function changeText({ total, change_percent }: DashboardResponse['customers']): string {
  if (change_percent === null) return total === 0 ? 'None yet' : 'All new in 30 days';
  const rounded = Math.round(change_percent * 10) / 10;
  return `${rounded >= 0 ? '+' : '−'}${formatNumber(Math.abs(rounded))}% in 30 days`;
}

/** Without figures, an empty search with limit 0 still returns the count. */
function useFallbackCounts(enabled: boolean) {
  const customers = useQuery({ ...customerSearchQuery({}, 0), enabled });
  const documents = useQuery({ ...documentSearchQuery({}, 0), enabled });
  return (noun: 'customers' | 'documents', note: string): Card => {
    const { data, isError } = noun === 'customers' ? customers : documents;
    return isError ? unavailable : { value: data && formatNumber(data.count), note };
  };
}

const usersNote = 'in the last 30 days';
const monthNote = 'documents added';

/** `figures` are null if the API has no such endpoint, undefined while loading or after a failure. */
export function StatCards({
  figures,
  failed,
}: {
  figures: DashboardResponse | null | undefined;
  failed: boolean;
}) {
  const fallbackCount = useFallbackCounts(failed || figures === null);
  const placeholderCard = (placeholder: string, note: string): Card =>
    failed ? unavailable : { value: figures === null ? placeholder : undefined, note };
  const cards: Record<'customers' | 'documents' | 'users' | 'month', Card> = figures
    ? {
        customers: { value: formatNumber(figures.customers.total), note: changeText(figures.customers) },
        documents: { value: formatNumber(figures.documents.total), note: changeText(figures.documents) },
        users: { value: formatNumber(figures.active_users), note: usersNote },
        month: { value: formatNumber(figures.documents_this_month), note: monthNote },
      }
    : {
        customers: fallbackCount('customers', failed ? '' : placeholders.customersChange),
        documents: fallbackCount('documents', failed ? '' : placeholders.documentsChange),
        users: placeholderCard(placeholders.activeUsers, usersNote),
        month: placeholderCard(placeholders.documentsThisMonth, monthNote),
      };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="lg">
      <StatCard label="Total Customers" {...cards.customers} Icon={IconUsers} />
      <StatCard label="Total Documents" {...cards.documents} Icon={IconFiles} />
      <StatCard label="Active Users" {...cards.users} Icon={IconUserCheck} />
      <StatCard label="This Month" {...cards.month} Icon={IconCalendarStats} />
    </SimpleGrid>
  );
}

type StatCardProps = Card & { label: string; Icon: typeof IconUsers };

function StatCard({ label, value, note, Icon }: StatCardProps) {
  return (
    <Panel p="md" aria-label={label}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Icon size={20} stroke={1.6} color="var(--mantine-color-dimmed)" aria-hidden />
      </Group>
      {value === undefined ? (
        <Skeleton height={34} width={90} my={5} />
      ) : (
        <Text fz={28} fw={650} lh="44px">
          {value}
        </Text>
      )}
      <Text size="sm" c="dimmed" mih={22}>
        {value === undefined ? '' : note}
      </Text>
    </Panel>
  );
}
