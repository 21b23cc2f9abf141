import type { ShownAction } from '@customer-database/contract/activity';
import type { DashboardResponse } from '@customer-database/contract/dashboard';
import { Anchor, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import {
  type Icon,
  IconFileMinus,
  IconFilePencil,
  IconFileUpload,
  IconPointFilled,
  IconUserCheck,
  IconUserEdit,
  IconUserMinus,
  IconUserPlus,
  IconUsersPlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { placeholders } from './placeholders.ts';

type Item = DashboardResponse['recent_activity'][number];

const actions: Record<ShownAction, { text: string; Icon: Icon }> = {
  'user.registered': { text: 'became the first administrator', Icon: IconUserCheck },
  'user.invited': { text: 'invited', Icon: IconUserPlus },
  'customer.created': { text: 'added the customer', Icon: IconUserPlus },
  'customer.updated': { text: 'updated the customer', Icon: IconUserEdit },
  'customer.deleted': { text: 'deleted the customer', Icon: IconUserMinus },
  'customers.imported': { text: 'imported', Icon: IconUsersPlus },
  'document.uploaded': { text: 'uploaded', Icon: IconFileUpload },
  'document.updated': { text: 'updated', Icon: IconFilePencil },
  'document.deleted': { text: 'deleted', Icon: IconFileMinus },
};

function Subject({ item }: { item: Item }) {
  const { action, subject_type, subject_id, subject_label } = item;
  // The subject is the actor.
  if (!subject_label || action === 'user.registered') return null;
  const label = <bdi>{subject_label}</bdi>;
  const gone = action.endsWith('.deleted') || subject_id === null;
  if (gone || !(subject_type === 'customer' || subject_type === 'document')) return label;
  const to = subject_type === 'customer' ? paths.customer(subject_id) : paths.document(subject_id);
  return (
    <Anchor component={Link} to={to} inherit>
      {label}
    </Anchor>
  );
}

/** The first administrator may have been created by the settings; the account's name says more. */
const actorOf = ({ action, actor_name, subject_label }: Item) =>
  action === 'user.registered' ? subject_label : actor_name;

function Entry({ Icon, when, children }: { Icon: Icon; when: ReactNode; children: ReactNode }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" radius="xl" size={30} aria-hidden>
        <Icon size={16} stroke={1.7} />
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        <Text size="xs" c="dimmed">
          {when}
        </Text>
      </div>
    </Group>
  );
}

function entries(activity: Item[] | null): ReactNode {
  if (activity === null) {
    return placeholders.recentActivity.map(({ text, when }) => (
      <Entry key={text} Icon={IconPointFilled} when={when}>
        {text}
      </Entry>
    ));
  }
  return activity.map((item) => {
    const known = actions[item.action as ShownAction] ?? { text: item.action, Icon: IconPointFilled };
    return (
      <Entry key={item.id} Icon={known.Icon} when={<TimeText value={item.at} withTime />}>
        <bdi>{actorOf(item) ?? 'Unknown user'}</bdi> {known.text} <Subject item={item} />
      </Entry>
    );
  });
}

type RecentActivityProps = {
  /** Null if the API has none. */ activity: Item[] | null | undefined;
  failed: boolean;
};

export function RecentActivity({ activity, failed }: RecentActivityProps) {
  const isEmpty = failed || (activity && activity.length === 0);
  return (
    <Panel title="Recent Activity">
      {isEmpty && <Text c="dimmed">{failed ? 'Not available right now.' : 'Nothing has happened yet.'}</Text>}
      {activity === undefined && !failed ? (
        <Stack gap="sm" aria-busy>
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} height={40} />
          ))}
        </Stack>
      ) : (
        <Stack component="ul" gap="sm">
          {activity !== undefined && entries(activity)}
        </Stack>
      )}
    </Panel>
  );
}
