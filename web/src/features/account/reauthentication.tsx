import { confirmInput } from '@customer-database/contract/auth';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { confirmIdentity } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps, validateWith } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { UsernameForPasswordManager } from './username.tsx';

type Prompt = { onConfirmed: () => void; onCancel: () => void };

/**
 * For calls that need a recent confirmation of the user's identity: prompts for it when the server requires it, then
 * retries the call. Cancelling rethrows the server's error, so that the caller's form keeps its input. The dialog
 * contains a form, so it must not be rendered inside another one.
 */
export function useReauthentication(): {
  withReauthentication: <T>(send: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [prompt, setPrompt] = useState<Prompt>();

  function ask(error: unknown): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      setPrompt({ onConfirmed: resolve, onCancel: () => reject(error) });
    }).finally(() => setPrompt(undefined));
  }

  async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED')) throw error;
      await ask(error);
      return send();
    }
  }

  return {
    withReauthentication,
    dialog: (
      <Modal
        opened={prompt !== undefined}
        onClose={() => prompt?.onCancel()}
        title="Confirm it is you"
        centered
        withCloseButton={false}
      >
        {prompt && <ReauthenticationForm {...prompt} />}
      </Modal>
    ),
  };
}

function ReauthenticationForm({ onConfirmed, onCancel }: Prompt) {
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
      await confirmIdentity({ [factor]: values[factor] });
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
