import type { ManagedUser } from '@customer-database/contract/users';
import { Stack, Text } from '@mantine/core';
import type { UserAction, UserActionAnswer } from '../../api/users.ts';
import { SuccessBanner } from '../../ui/banners.tsx';
import { Handover } from './handover.tsx';

type PasswordSentProps = { user: ManagedUser; action: UserAction; answer: UserActionAnswer };

export function PasswordSent({ user: { email }, action, answer }: PasswordSentProps) {
  const reason = action === 'reset-password' ? 'reset' : 'invitation';
  return (
    <SuccessBanner>
      <Stack gap="sm">
        <Text fw={600} inherit>
          {answer.message}
        </Text>
        {answer.temporary_password ? (
          <Handover email={email} temporaryPassword={answer.temporary_password} reason={reason} />
        ) : (
          <Text inherit style={{ overflowWrap: 'anywhere' }}>
            {email} gets an email with a temporary password.
          </Text>
        )}
      </Stack>
    </SuccessBanner>
  );
}
