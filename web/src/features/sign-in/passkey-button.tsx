import { Button } from '@mantine/core';
import { errorText } from '../../api/client.ts';
import { isDismissed, signInWithPasskey } from '../../api/passkey-sign-in.ts';
import { useSubmit } from '../../lib/forms.ts';

type PasskeyButtonProps = { isLeaving: boolean; onFailure: (text: string | undefined) => void };

export function PasskeyButton({ isLeaving, onFailure }: PasskeyButtonProps) {
  const { submit, isPending } = useSubmit(async () => {
    onFailure(undefined);
    await signInWithPasskey().catch((error: unknown) => {
      if (!isDismissed(error)) onFailure(errorText(error, 'Signing in with a passkey failed.'));
    });
  });
  return (
    <Button variant="default" fullWidth loading={isPending || isLeaving} onClick={() => submit(undefined)}>
      Use a passkey
    </Button>
  );
}
