import { Stack, Text } from '@mantine/core';
import type { UserActionAnswer } from '../../api/users.ts';
import { SuccessBanner } from '../../ui/banners.tsx';
import { CredentialDelivery } from './credential-delivery.tsx';

type PasswordSentProps = {
  email: string;
  /** Undefined if the server returns no details. */
  answer: UserActionAnswer | undefined;
  reason: 'invitation' | 'reset';
};

/** An invitation or a new password is on its way, or is to be handed over. */
export function PasswordSent({ email, answer, reason }: PasswordSentProps) {
  return (
    <SuccessBanner>
      <Stack gap="sm">
        <Text fw={600} inherit>
          {answer?.message ?? 'Invitation sent successfully'}
        </Text>
        {answer && <CredentialDelivery email={email} answer={answer} reason={reason} />}
      </Stack>
    </SuccessBanner>
  );
}
