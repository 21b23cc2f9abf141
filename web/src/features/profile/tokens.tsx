import type { ApiToken } from '@customer-database/contract/tokens';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, isNotFound } from '../../api/client.ts';
import { revokeToken, tokenListQuery } from '../../api/tokens.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import classes from './sessions.module.css';
import { TokenForm } from './token-form.tsx';
import { scopeTexts } from './token-scopes.ts';

const isExpired = ({ expires_at }: ApiToken) => Date.parse(expires_at) <= Date.now();

function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  return (
    <li className={classes.session}>
      <div>
        <Group gap="xs">
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
        </Group>
        <Text size="sm" c="dimmed">
          {isExpired(token) ? 'expired ' : 'expires '}
          <TimeText value={token.expires_at} />
          {token.last_used_at ? (
            <>
              {' · last used '}
              <TimeText value={token.last_used_at} withTime />
              {token.last_address && ` from ${token.last_address}`}
            </>
          ) : (
            ' · never used'
          )}
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        flex="none"
        aria-label={`Revoke ${token.name}`}
        onClick={onRevoke}
      >
        Revoke
      </Button>
    </li>
  );
}

/** Not shown where the server has no such call. */
export function Tokens() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(tokenListQuery);
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokenListQuery.queryKey });
  const revocation = useSubmit(async ({ id }: ApiToken) => {
    try {
      showSuccess((await revokeToken(id)).message);
    } finally {
      await refresh();
    }
  });
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
        <ul className={classes.list} aria-label="API tokens">
          {data?.api_tokens.map((token) => (
            <TokenItem key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
        <Group>
          <Button onClick={() => setAdding(true)}>Make a token</Button>
        </Group>
      </Stack>
      {isAdding && <TokenForm onMade={refresh} onClose={() => setAdding(false)} />}
      {revoking && (
        <ConfirmDialog
          opened
          title="Revoke token"
          text={`Programs that use "${revoking.name}" are refused from now on. This cannot be undone.`}
          confirmLabel="Revoke token"
          onConfirm={() => {
            revocation.submit(revoking);
            setRevoking(undefined);
          }}
          onCancel={() => setRevoking(undefined)}
        />
      )}
    </Panel>
  );
}
