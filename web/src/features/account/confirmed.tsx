import { confirmInput } from '@customer-database/contract/auth';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { confirm } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps, validateWith } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { UsernameForPasswordManager } from './username.tsx';

type Question = { onConfirmed: () => void; onCancel: () => void };

/**
 * For calls that the server takes only from somebody who proved lately who they are: asks for it where the server
 * does, and sends the call again. Whoever cancels gets the server's refusal, and keeps what they typed. The dialog
 * has a form of its own, so it must not stand within another one.
 */
export function useConfirmed(): {
  confirmed: <T>(send: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [question, setQuestion] = useState<Question>();

  function ask(refusal: unknown): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      setQuestion({ onConfirmed: resolve, onCancel: () => reject(refusal) });
    }).finally(() => setQuestion(undefined));
  }

  async function confirmed<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED')) throw error;
      await ask(error);
      return send();
    }
  }

  return {
    confirmed,
    dialog: (
      <Modal
        opened={question !== undefined}
        onClose={() => question?.onCancel()}
        title="Confirm it is you"
        centered
        withCloseButton={false}
      >
        {question && <Proof {...question} />}
      </Modal>
    ),
  };
}

function Proof({ onConfirmed, onCancel }: Question) {
  const user = useUser();
  const [factor, setFactor] = useState<'password' | 'code'>('password');
  const form = useForm({
    mode: 'controlled',
    initialValues: { password: '', code: '' },
    validate: (values) => validateWith(confirmInput)({ [factor]: values[factor] }),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => {
      await confirm({ [factor]: values[factor] });
      onConfirmed();
    },
    'Failed to confirm',
  );
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {failure && !busy && <ErrorBanner text={failure} />}
        <Text size="sm">
          You signed in a while ago. Before this change is made, please show that it is really you.
        </Text>
        {factor === 'password' ? (
          <>
            <UsernameForPasswordManager email={user.email} />
            <PasswordField
              {...fieldProps(form, 'password')}
              label="Password"
              autoComplete="current-password"
              data-autofocus
            />
          </>
        ) : (
          <CodeField
            {...fieldProps(form, 'code')}
            label="MFA code"
            description="From your authenticator app, or one of your recovery codes."
          />
        )}
        {user.mfa_enabled && (
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setFactor(factor === 'password' ? 'code' : 'password')}
            >
              {factor === 'password' ? 'Use an MFA code instead' : 'Use your password instead'}
            </Button>
          </Group>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton busy={busy}>Confirm</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
