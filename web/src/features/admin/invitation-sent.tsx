import type { inviteAnswer } from '@customer-database/contract/users';
import { Code, Group, Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import { SuccessBanner } from '../../ui/banners.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

export type Invitation = z.infer<typeof inviteAnswer>;

export function InvitationSent({ invitation }: { invitation: Invitation }) {
  const { user, temporary_password } = invitation;
  return (
    <SuccessBanner>
      <Stack gap="sm">
        <Text fw={600} inherit>
          Invitation sent successfully
        </Text>
        {temporary_password ? (
          <>
            <Text inherit style={{ overflowWrap: 'anywhere' }}>
              No mail server is set up, so please hand this temporary password over to {user.email} yourself.
              It is shown only now and works for 7 days; inviting the same address again makes a new one.
            </Text>
            <Group gap="sm">
              <Code fz="md">{temporary_password}</Code>
              <CopyButton value={temporary_password} label="Copy password" />
            </Group>
          </>
        ) : (
          <Text inherit style={{ overflowWrap: 'anywhere' }}>
            {user.email} gets an email with a temporary password.
          </Text>
        )}
      </Stack>
    </SuccessBanner>
  );
}
