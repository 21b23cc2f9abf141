import { confirmInput } from '@customer-database/contract/auth';
import { Button, Group, Modal, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { confirmIdentity, setupStateQuery } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { canUseOidc, signInAgainWithOidc } from '../../api/oidc-sign-in.ts';
import { type ReauthenticationPrompt, useReauthenticationPrompt } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps } from '../../lib/forms.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { wrappingButton } from '../../ui/wrapping-button.ts';
import { PasskeyConfirmation } from './passkey-confirmation.tsx';
import { UsernameForPasswordManager } from './username.tsx';

/** The dialog of the whole application; mounted outside of every form, because it contains one. */
export function Reauthentication() {
  const prompt = useReauthenticationPrompt();
  const cancel = useEffectEvent(() => prompt?.onCancel());
  // The session may end while the dialog is open.
  useEffect(() => () => cancel(), []);
  return (
    <Modal
      opened={prompt !== undefined}
      // Deferred, because the same Escape would also close a dialog below.
      onClose={() => setTimeout(() => prompt?.onCancel())}
      title="Confirm it is you"
      zIndex={300}
    >
      {prompt && <ReauthenticationForm {...prompt} />}
    </Modal>
  );
}

function ReauthenticationForm({ onConfirmed, onCancel, needsFactor }: ReauthenticationPrompt) {
  const user = useUser();
  const location = useLocation();
  const { data: setup } = useQuery(setupStateQuery);
  const company = canUseOidc ? setup?.company_sign_in : undefined;
  const canUsePassword = !needsFactor && setup?.password_sign_in !== false;
  const [prefersCode, setPrefersCode] = useState(false);
  const factor = prefersCode || !canUsePassword ? 'code' : 'password';
  const canConfirmHere = canUsePassword || user.mfa_enabled;
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: (values) => schemaResolver(confirmInput, { sync: true })({ [factor]: values[factor] }),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => {
      await confirmIdentity({ [factor]: values[factor] });
      onConfirmed();
    },
    'Failed to confirm',
  );
  const signInAgain = () => signInAgainWithOidc({ from: location });
  return (
    <Form onSubmit={onSubmit} failure={failure}>
      <Text size="sm">
        {needsFactor
          ? 'You signed in with your password alone. Before your second factors are changed, please confirm with one that you have. If you have lost them, ask an administrator to reset your MFA.'
          : // The company may have signed the user in a moment ago, without asking who it is.
            `${company ? '' : 'You signed in a while ago. '}Before this change is made, please show that it is really you.`}
      </Text>
      {needsFactor && <PasskeyConfirmation onConfirmed={onConfirmed} />}
      {canConfirmHere && factor === 'password' && (
        <>
          <UsernameForPasswordManager email={user.email} />
          <PasswordField
            {...fieldProps(form, 'password')}
            label="Password"
            autoComplete="current-password"
            data-autofocus
          />
        </>
      )}
      {canConfirmHere && factor === 'code' && <CodeField {...fieldProps(form, 'code')} />}
      {company && canConfirmHere && (
        <Alternative onChoose={signInAgain}>Sign in with {company} again instead</Alternative>
      )}
      {canUsePassword && user.mfa_enabled && (
        <Alternative onChoose={() => setPrefersCode(!prefersCode)}>
          {factor === 'password' ? 'Use an MFA code instead' : 'Use your password instead'}
        </Alternative>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        {canConfirmHere && <SubmitButton busy={busy}>Confirm</SubmitButton>}
        {company && !canConfirmHere && (
          <Button styles={wrappingButton} onClick={signInAgain}>
            Sign in with {company} again
          </Button>
        )}
      </Group>
    </Form>
  );
}

function Alternative({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <Group>
      <Button variant="subtle" size="compact-sm" styles={wrappingButton} onClick={onChoose}>
        {children}
      </Button>
    </Group>
  );
}
