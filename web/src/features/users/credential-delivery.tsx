import { Code, Group, Stack, Text } from '@mantine/core';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import type { UserActionAnswer } from '../../api/users.ts';
import { paths } from '../../lib/paths.ts';
import { SuccessBanner } from '../../ui/banners.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

type DeliveryProps = {
  email: string;
  /** Undefined if the server returns no details. */
  answer: UserActionAnswer | undefined;
  reason: 'invitation' | 'reset';
};

const openings = {
  invitation: 'You have been invited to the customer database.',
  reset: 'You have a new password for the customer database.',
};

/** Repeats what the mail would have said, for a chat or a text message. */
const messageOf = (email: string, reason: DeliveryProps['reason'], howToSignIn: string[]) =>
  [
    openings[reason],
    '',
    `Sign in at: ${window.location.origin}${paths.login}`,
    `Email: ${email}`,
    ...howToSignIn,
  ].join('\n');

const withPassword = (password: string) => [
  `Temporary password: ${password}`,
  '',
  'The temporary password works for 7 days. You will be asked to choose your own.',
];

const withCompany = (company: string) => [`Sign in with: ${company}`, '', 'The invitation works for 7 days.'];

/** Says how an invitation or a new password reaches the user: by mail, or by the administrator. */
export function CredentialDelivery({ email, answer, reason }: DeliveryProps) {
  return (
    <SuccessBanner>
      <Stack gap="sm">
        <Text fw={600} inherit>
          {answer?.message ?? 'Invitation sent successfully'}
        </Text>
        {answer && <Instructions email={email} answer={answer} reason={reason} />}
      </Stack>
    </SuccessBanner>
  );
}

function Instructions({ email, answer, reason }: DeliveryProps & { answer: UserActionAnswer }) {
  const company = useSsoOnlyName();
  const { delivery, temporary_password: password } = answer;
  if (delivery === 'mail') {
    return (
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {email} gets an email {company ? `that says to sign in with ${company}` : 'with a temporary password'}
        .
      </Text>
    );
  }
  if (password) {
    return (
      <>
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          No mail server is set up, so please hand this temporary password over to {email} yourself. It is
          shown only now and works for 7 days;{' '}
          {reason === 'invitation' ? 'inviting the same address again' : 'resetting it again'} makes a new
          one.
        </Text>
        <Group gap="sm">
          <Code fz="md">{password}</Code>
          <CopyButton value={password} label="Copy password" />
          <CopyButton value={messageOf(email, reason, withPassword(password))} label="Copy message" />
        </Group>
      </>
    );
  }
  return (
    company && (
      <>
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          No mail server is set up, so please tell {email} yourself to sign in with {company} here. The
          invitation works for 7 days.
        </Text>
        <Group>
          <CopyButton value={messageOf(email, reason, withCompany(company))} label="Copy message" />
        </Group>
      </>
    )
  );
}
