import type { inviteResponse } from '@customer-database/contract/users';
import { Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import { SuccessBanner } from '../../ui/banners.tsx';
import { Handover } from './handover.tsx';

export type Invitation = z.infer<typeof inviteResponse>;

type InvitationSentProps = {
  to: string;
  /** Undefined if the server returns no details. */
  invitation: Invitation | undefined;
};

export function InvitationSent({ to, invitation }: InvitationSentProps) {
  const temporaryPassword = invitation?.temporary_password;
  return (
    <SuccessBanner>
      <Stack gap="sm">
        <Text fw={600} inherit>
          Invitation sent successfully
        </Text>
        {temporaryPassword && (
          <Handover email={to} temporaryPassword={temporaryPassword} reason="invitation" />
        )}
        {invitation?.delivery === 'mail' && (
          <Text inherit style={{ overflowWrap: 'anywhere' }}>
            {to} gets an email with a temporary password.
          </Text>
        )}
      </Stack>
    </SuccessBanner>
  );
}
