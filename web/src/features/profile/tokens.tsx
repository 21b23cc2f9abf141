import type { ApiToken } from '@customer-database/contract/tokens';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, isNotFound } from '../../api/client.ts';
import { revokeToken, tokenListQuery } from '../../api/tokens.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AccessItem, AccessList, ItemButton, LastUsed } from './access-list.tsx';
import { TokenForm } from './token-form.tsx';
import { scopeTexts } from './token-scopes.ts';

const isExpired = ({ expires_at }: ApiToken) => Date.parse(expires_at) <= Date.now();

function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  return (
    <AccessItem
      title={
        <>
          <UserText inherit={false} fw={550} size="sm">
            {token.name}
          </UserText>
          <Badge variant="light" size="sm" flex="none">
            {scopeTexts[token.scope].short}
          </Badge>
          {isExpired(token) && (
            <Badge variant="light" size="sm" color="gray" flex="none">
              Expired
            </Badge>
          )}
        </>
      }
      facts={
        <>
          {isExpired(token) ? 'expired ' : 'expires '}
          <TimeText value={token.expires_at} />
          <LastUsed at={token.last_used_at} />
          {token.last_address && ` from ${token.last_address}`}
        </>
      }
    >
      <ItemButton label={`Revoke ${token.name}`} onClick={onRevoke}>
        Revoke
      </ItemButton>
    </AccessItem>
  );
}

/** Hidden where the server has no such endpoint. */
export function Tokens() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(tokenListQuery);
  const [isAdding, setAdding] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokenListQuery.queryKey });
  const revocation = useSubmit(async ({ id }: ApiToken) => {
    try {
      showSuccess((await revokeToken(id)).message);
    } finally {
      await refresh();
    }
  });
  const { ask: askToRevoke, dialog } = useConfirmation(revocation.submit, ({ name }: ApiToken) => ({
    title: 'Revoke token',
    text: `Programs that use "${name}" are refused from now on. This cannot be undone.`,
    confirmLabel: 'Revoke token',
  }));
  if (isNotFound(error)) return null;
  return (
    <Panel title="API tokens">
      <Stack>
        {error && <ErrorBanner text={errorText(error, 'Error loading tokens.')} onRetry={refetch} />}
        {revocation.error && <ErrorBanner text={errorText(revocation.error, 'Failed to revoke the token')} />}
        <Text size="sm">
          For programs that work in your name. A token never does more than you may do yourself, and never
          changes your account. Each of its calls is logged.
        </Text>
        <AccessList label="API tokens" isLoading={data === undefined && !error}>
          {data?.api_tokens.map((token) => (
            <TokenItem key={token.id} token={token} onRevoke={() => askToRevoke(token)} />
          ))}
        </AccessList>
        <Group>
          <Button onClick={() => setAdding(true)}>Make a token</Button>
        </Group>
      </Stack>
      {isAdding && <TokenForm onMade={refresh} onClose={() => setAdding(false)} />}
      {dialog}
    </Panel>
  );
}
