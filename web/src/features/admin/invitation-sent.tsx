import type { inviteResponse } from '@customer-database/contract/users';
import { Code, Group, Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import { SuccessBanner } from '../../ui/banners.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

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
          <>
            <Text inherit style={{ overflowWrap: 'anywhere' }}>
              No mail server is set up, so please hand this temporary password over to {to} yourself. It is
              shown only now and works for 7 days; inviting the same address again makes a new one.
            </Text>
            <Group gap="sm">
              <Code fz="md">{temporaryPassword}</Code>
              <CopyButton value={temporaryPassword} label="Copy password" />
            </Group>
          </>
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
