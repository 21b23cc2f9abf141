import type { DashboardResponse } from '@customer-database/contract/dashboard';
import type { HealthResponse } from '@customer-database/contract/health';
import { limits } from '@customer-database/contract/limits';
import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiHealthQuery, storageHealthQuery } from '../../api/dashboard.ts';
import { formatNumber } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { placeholders } from './placeholders.ts';

type Figures = DashboardResponse | null | undefined;
type Maintenance = NonNullable<DashboardResponse['maintenance']>;

function Status({ health }: { health: UseQueryResult<HealthResponse> }) {
  if (health.isPending) return <Light color="gray" text="Checking..." />;
  if (health.isError) return <Light color="red" text="Error" />;
  return health.data.status === 'OK' ? (
    <Light color="green" text="Connected" />
  ) : (
    <Light color="orange" text="Disconnected" />
  );
}

function Light({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="dot" color={color} tt="none" fw={500}>
      {text}
    </Badge>
  );
}

function uptimeText(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  );
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : `${minutes} min`;
}

const lastFailed = <Light color="red" text="The last one failed" />;

function lastBackup(figures: Figures): ReactNode {
  if (figures === undefined) return <Skeleton height={16} width={110} />;
  if (figures === null) return placeholders.lastBackup;
  const last = figures.last_backup_at ? (
    <TimeText value={figures.last_backup_at} withTime />
  ) : (
    'No backup yet'
  );
  return figures.maintenance?.backup_failed_at ? <WithStatus status={lastFailed}>{last}</WithStatus> : last;
}

function lastCheck({ last_check_at, last_check_problems, check_failed_at }: Maintenance): ReactNode {
  const last = last_check_at ? <TimeText value={last_check_at} withTime /> : 'No check yet';
  const problems = last_check_problems ?? 0;
  const status = (
    <>
      {problems > 0 && (
        <Light color="red" text={problems === 1 ? '1 problem' : `${problems.toLocaleString()} problems`} />
      )}
      {check_failed_at && lastFailed}
      {last_check_at && problems === 0 && !check_failed_at && <Light color="green" text="No problems" />}
    </>
  );
  return <WithStatus status={status}>{last}</WithStatus>;
}

function waitingText(waiting: number): string {
  const isCapped = waiting >= limits.maxWaitingCount;
  return waiting === 1 ? '1 document' : `${formatNumber(waiting)}${isCapped ? '+' : ''} documents`;
}

function WithStatus({ status, children }: { status: ReactNode; children: ReactNode }) {
  return (
    <Stack component="span" gap={4} align="flex-end">
      <span>{children}</span>
      {status}
    </Stack>
  );
}

function uptime(figures: Figures): ReactNode {
  if (figures === undefined) return <Skeleton height={16} width={70} />;
  return figures === null ? placeholders.uptime : uptimeText(figures.uptime_seconds);
}

export function SystemInformation({ figures, failed }: { figures: Figures; failed: boolean }) {
  const api = useQuery(apiHealthQuery);
  const storage = useQuery(storageHealthQuery);
  return (
    <Panel title="System Information">
      <Stack component="dl" gap="md" m={0}>
        <Row label="System Status" value={<Status health={api} />} live />
        <Row label="Document Storage" value={<Status health={storage} />} live />
        <Row label="Last Backup" value={failed ? '–' : lastBackup(figures)} />
        {figures?.maintenance && <Row label="Last Check" value={lastCheck(figures.maintenance)} />}
        {figures?.maintenance && figures.maintenance.texts_waiting > 0 && (
          <Row label="Awaiting text extraction" value={waitingText(figures.maintenance.texts_waiting)} />
        )}
        <Row label="Uptime" value={failed ? '–' : uptime(figures)} />
      </Stack>
    </Panel>
  );
}

function Row({ label, value, live = false }: { label: string; value: ReactNode; live?: boolean }) {
  return (
    <Group justify="space-between" mih={26}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {live ? <span role="status">{value}</span> : value}
      </Text>
    </Group>
  );
}
