import { Code, Group, Text } from '@mantine/core';
import { paths } from '../../lib/paths.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

type HandoverProps = {
  email: string;
  temporaryPassword: string;
  reason: 'invitation' | 'reset';
};

const openings = {
  invitation: 'You have been invited to the customer database.',
  reset: 'You have a new password for the customer database.',
};

/** For a chat or a text message; a mail server would have sent the same. */
const messageOf = ({ email, temporaryPassword, reason }: HandoverProps) =>
  [
    openings[reason],
    '',
    `Sign in at: ${window.location.origin}${paths.login}`,
    `Email: ${email}`,
    `Temporary password: ${temporaryPassword}`,
    '',
    'The temporary password works for 7 days. You will be asked to choose your own.',
  ].join('\n');

/** Where no mail server is set up: a temporary password for the administrator to pass on. */
export function Handover(props: HandoverProps) {
  const { email, temporaryPassword, reason } = props;
  return (
    <>
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        No mail server is set up, so please hand this temporary password over to {email} yourself. It is shown
        only now and works for 7 days;{' '}
        {reason === 'invitation' ? 'inviting the same address again' : 'resetting it again'} makes a new one.
      </Text>
      <Group gap="sm">
        <Code fz="md">{temporaryPassword}</Code>
        <CopyButton value={temporaryPassword} label="Copy password" />
        <CopyButton value={messageOf(props)} label="Copy message" />
      </Group>
    </>
  );
}
