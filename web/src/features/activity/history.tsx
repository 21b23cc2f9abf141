import type { Activity } from '@customer-database/contract/activity-response';
import { isAllowed } from '@customer-database/contract/permissions';
import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { historyQuery } from '../../api/activity.ts';
import { isNotFound } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import classes from './activity.module.css';
import { ChangeList } from './change-list.tsx';
import { Subject } from './subject.tsx';
import { actionText } from './texts.ts';
import { withoutUsedLinks } from './used-links.ts';

type HistoryProps = { of: { customer_id: number } | { document_id: number } };

/** The activity of one record, for administrators. Loads when it is opened. */
export function History({ of }: HistoryProps) {
  const mayRead = isAllowed(useUser().role, 'activity.read');
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const filters = Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)]));
  const history = useInfiniteQuery({ ...historyQuery(filters), enabled: mayRead && isOpen });
  // Another server may lack this endpoint.
  if (!mayRead || isNotFound(history.error)) return null;
  const rows = history.data?.pages.flatMap(({ activity }) => activity) ?? [];
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Panel
      title="History"
      actions={
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={id}
          rightSection={<Icon size={16} aria-hidden />}
          onClick={toggle}
        >
          {isOpen ? 'Hide history' : 'Show history'}
        </Button>
      }
    >
      <div id={id} hidden={!isOpen}>
        <Stack gap="md">
          {history.isError && (
            <ErrorBanner text="Error loading the history. Please try again." onRetry={history.refetch} />
          )}
          {history.isLoading && <Loader size="sm" aria-label="Loading history" />}
          <ol className={classes.history}>
            {withoutUsedLinks(rows).map((row) => (
              <Entry key={row.id} row={row} withSubject={'customer_id' in of} />
            ))}
          </ol>
          <Group gap="md">
            {history.hasNextPage && (
              <Button
                variant="default"
                loading={history.isFetchingNextPage}
                onClick={() => history.fetchNextPage()}
              >
                Show older
              </Button>
            )}
            <Anchor component={Link} to={paths.activityWith(filters)} size="sm">
              Open in Activity
            </Anchor>
          </Group>
        </Stack>
      </div>
    </Panel>
  );
}

function Entry({ row, withSubject }: { row: Activity; withSubject: boolean }) {
  return (
    <li>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        <strong>{actionText(row.action)}</strong> by <bdi>{row.actor_name}</bdi>
        {withSubject && row.subject_type === 'document' && <Subject row={row} />}
      </Text>
      <Text size="xs" c="dimmed">
        <TimeText value={row.at} withTime />
      </Text>
      {row.changes && <ChangeList changes={row.changes} />}
    </li>
  );
}
