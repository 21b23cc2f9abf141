import type { SessionListResponse } from '@customer-database/contract/auth';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endOwnSession, sessionListQuery } from '../../api/auth.ts';
import { errorText, isNotFound } from '../../api/client.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { AccessItem, AccessList, ItemButton, LastUsed } from './access-list.tsx';
import { useTokenRevocation } from './token-revocation.tsx';

type Session = SessionListResponse['sessions'][number];

/** Hidden where the server has no such endpoint. */
export function Sessions() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(sessionListQuery);
  const tokens = useTokenRevocation({ enabled: (data?.sessions.length ?? 0) > 1 });
  const ending = useSubmit(async (session: Session | 'others') => {
    try {
      const { message } = await (session === 'others'
        ? endOtherSessions(tokens.isChosen)
        : endOwnSession(session.id));
      showSuccess(message);
      if (session === 'others') await tokens.finish();
    } finally {
      await queryClient.invalidateQueries({ queryKey: sessionListQuery.queryKey });
    }
  });
  if (isNotFound(error)) return null;
  const sessions = data?.sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)) ?? [];
  return (
    <Panel
      title="Where you are signed in"
      actions={
        sessions.length > 1 && (
          <Group>
            {tokens.checkbox}
            <Button
              variant="default"
              onClick={() => ending.submit('others')}
              aria-disabled={ending.isPending}
            >
              End all other sessions
            </Button>
          </Group>
        )
      }
    >
      <Stack>
        {error && <ErrorBanner text={errorText(error, 'Error loading sessions.')} onRetry={refetch} />}
        {ending.error && <ErrorBanner text={errorText(ending.error, 'Failed to end the session')} />}
        <AccessList isLoading={data === undefined && !error}>
          {sessions.map((session) => (
            <AccessItem
              key={session.id}
              title={
                <>
                  <Text fw={550} size="sm">
                    {session.device ?? 'Unknown device'}
                  </Text>
                  {session.is_current && (
                    <Badge variant="light" size="sm">
                      This device
                    </Badge>
                  )}
                </>
              }
              facts={
                <>
                  {session.address} · signed in <TimeText value={session.created_at} withTime />
                  <LastUsed at={session.last_seen_at} />
                </>
              }
            >
              {!session.is_current && (
                <ItemButton
                  label={`End session of ${session.device ?? 'unknown device'} at ${session.address}`}
                  onClick={() => ending.submit(session)}
                >
                  End session
                </ItemButton>
              )}
            </AccessItem>
          ))}
        </AccessList>
      </Stack>
    </Panel>
  );
}
