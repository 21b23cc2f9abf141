import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { setupStateQuery } from '../../api/auth.ts';
import { errorText } from '../../api/client.ts';
import { isDismissed } from '../../api/passkey-sign-in.ts';
import { confirmWithPasskey, passkeyListQuery } from '../../api/passkeys.ts';
import { useSubmit } from '../../lib/forms.ts';
import { passkeyObstacle } from '../../lib/passkey-obstacle.ts';
import { ErrorBanner } from '../../ui/banners.tsx';

/** Renders nothing for users without passkeys. */
export function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { data } = useQuery(passkeyListQuery);
  const { data: setup } = useQuery(setupStateQuery);
  const { submit, isPending, error } = useSubmit(async () => {
    await confirmWithPasskey();
    onConfirmed();
  });
  if (!data?.passkeys.length || setup?.password_sign_in === false) return null;
  const obstacle = passkeyObstacle();
  if (obstacle) return <Text size="sm">{obstacle}</Text>;
  return (
    <Stack gap="xs" align="flex-start">
      {error && !isDismissed(error) && (
        <ErrorBanner text={errorText(error, 'Failed to confirm with the passkey')} />
      )}
      <Button loading={isPending} onClick={() => submit(undefined)} data-autofocus>
        Use a passkey
      </Button>
    </Stack>
  );
}
