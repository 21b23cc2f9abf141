import type { Passkey } from '@customer-database/contract/passkeys';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, isNotFound } from '../../api/client.ts';
import { passkeyListQuery, removePasskey } from '../../api/passkeys.ts';
import { useSubmit } from '../../lib/forms.ts';
import { passkeyObstacle } from '../../lib/passkey-obstacle.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AccessItem, AccessList, ItemButton, LastUsed } from './access-list.tsx';
import { PasskeyName } from './passkey-name.tsx';

/** Hidden where the server has no such endpoint. */
export function Passkeys({ onAdded }: { onAdded: () => void }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(passkeyListQuery);
  const [naming, setNaming] = useState<Passkey | 'new'>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeyListQuery.queryKey });
  const removal = useSubmit(async ({ id }: Passkey) => {
    try {
      await removePasskey(id);
      showSuccess('Passkey removed successfully');
    } finally {
      await refresh();
    }
  });
  const { ask: askToRemove, dialog } = useConfirmation(removal.submit, ({ name }: Passkey) => ({
    title: 'Remove passkey',
    text: `"${name}" no longer signs you in. Remove it from your device too, or it will still offer it.`,
    confirmLabel: 'Remove passkey',
  }));
  if (isNotFound(error)) return null;
  const obstacle = passkeyObstacle();

  async function onSaved(): Promise<void> {
    if (naming === 'new') onAdded();
    setNaming(undefined);
    await refresh();
  }

  return (
    <Panel title="Passkeys">
      <Stack>
        {error && <ErrorBanner text={errorText(error, 'Error loading passkeys.')} onRetry={refetch} />}
        {removal.error && <ErrorBanner text={errorText(removal.error, 'Failed to remove the passkey')} />}
        <Text size="sm">
          A passkey signs you in with your finger, face or PIN, without the password and without a code. It
          cannot be guessed, and it works on this site alone.
        </Text>
        <AccessList label="Passkeys" isLoading={data === undefined && !error}>
          {data?.passkeys.map((passkey) => (
            <AccessItem
              key={passkey.id}
              title={
                <UserText inherit={false} fw={550} size="sm">
                  {passkey.name}
                </UserText>
              }
              facts={
                <>
                  added <TimeText value={passkey.created_at} />
                  <LastUsed at={passkey.last_used_at} />
                </>
              }
            >
              <ItemButton label={`Rename ${passkey.name}`} onClick={() => setNaming(passkey)}>
                Rename
              </ItemButton>
              <ItemButton label={`Remove ${passkey.name}`} onClick={() => askToRemove(passkey)}>
                Remove
              </ItemButton>
            </AccessItem>
          ))}
        </AccessList>
        {obstacle ? (
          <Text size="sm" c="dimmed">
            {obstacle}
          </Text>
        ) : (
          <Group>
            <Button onClick={() => setNaming('new')}>Add a passkey</Button>
          </Group>
        )}
      </Stack>
      {naming && <PasskeyName passkey={naming} onSaved={onSaved} onClose={() => setNaming(undefined)} />}
      {dialog}
    </Panel>
  );
}
