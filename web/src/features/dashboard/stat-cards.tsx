import type { DashboardAnswer } from '@customer-database/contract/dashboard';
import { Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconCalendarStats, IconFiles, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { customerSearchQuery } from '../../api/customers.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { formatNumber } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { placeholders } from './placeholders.ts';

type Figures = DashboardAnswer | null | undefined;
type Total = { total: string | undefined; change: string };

function changeText({ total, change_percent }: DashboardAnswer['customers']): string {
  if (change_percent === null) return total === 0 ? 'None yet' : 'All new in 30 days';
  const rounded = Math.round(change_percent * 10) / 10;
  return `${rounded >= 0 ? '+' : '−'}${formatNumber(Math.abs(rounded))}% in 30 days`;
}

/** Without a call of its own for the figures, an empty search that asks for no records still counts. */
function useCountedTotals(enabled: boolean) {
  const customers = useQuery({ ...customerSearchQuery({}, 0), enabled });
  const documents = useQuery({ ...documentSearchQuery({}, 0), enabled });
  return { customers: customers.data?.count, documents: documents.data?.count };
}

const asText = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));

export function StatCards({ figures }: { figures: Figures }) {
  const counted = useCountedTotals(figures === null);
  const live = (total: DashboardAnswer['customers'] | undefined): Total => ({
    total: asText(total?.total),
    change: total ? changeText(total) : '',
  });
  const customers: Total =
    figures === null
      ? { total: asText(counted.customers), change: placeholders.customersChange }
      : live(figures?.customers);
  const documents: Total =
    figures === null
      ? { total: asText(counted.documents), change: placeholders.documentsChange }
      : live(figures?.documents);
  const activeUsers = figures === null ? placeholders.activeUsers : asText(figures?.active_users);
  const thisMonth =
    figures === null ? placeholders.documentsThisMonth : asText(figures?.documents_this_month);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="lg">
      <StatCard label="Total Customers" value={customers.total} note={customers.change} Icon={IconUsers} />
      <StatCard label="Total Documents" value={documents.total} note={documents.change} Icon={IconFiles} />
      <StatCard label="Active Users" value={activeUsers} note="in the last 30 days" Icon={IconUserCheck} />
      <StatCard label="This Month" value={thisMonth} note="documents added" Icon={IconCalendarStats} />
    </SimpleGrid>
  );
}

type StatCardProps = { label: string; value: string | undefined; note: string; Icon: typeof IconUsers };

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
