import { confirmInput } from '@customer-database/contract/auth';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { confirmIdentity, setupStateQuery } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { canReachCompany, signInAgainAtCompany } from '../../api/oidc-sign-in.ts';
import { type ReauthenticationPrompt, useReauthenticationPrompt } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps, validateWith } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { wrappingButton } from '../../ui/wrapping-button.ts';
import { ConfirmFactor } from './confirm-factor.tsx';
import { UsernameForPasswordManager } from './username.tsx';

/** One for the whole application; mounted outside of every form, because it contains one. */
export function Reauthentication() {
  const prompt = useReauthenticationPrompt();
  const cancel = useEffectEvent(() => prompt?.onCancel());
  // The session may end meanwhile.
  useEffect(() => () => cancel(), []);
  return (
    <Modal
      opened={prompt !== undefined}
      // Later, or a dialog below would take the same Escape for its own.
      onClose={() => setTimeout(() => prompt?.onCancel())}
      title="Confirm it is you"
      centered
      withCloseButton={false}
      zIndex={300}
    >
      {prompt?.needsFactor && <ConfirmFactor {...prompt} />}
      {prompt && !prompt.needsFactor && <ReauthenticationForm {...prompt} />}
    </Modal>
  );
}

function ReauthenticationForm({ onConfirmed, onCancel }: ReauthenticationPrompt) {
  const user = useUser();
  const location = useLocation();
  const { data: setup } = useQuery(setupStateQuery);
  const company = canReachCompany ? setup?.company_sign_in : undefined;
  const hasPassword = setup?.password_sign_in !== false;
  const [prefersCode, setPrefersCode] = useState(false);
  const factor = prefersCode || !hasPassword ? 'code' : 'password';
  const canConfirmHere = hasPassword || user.mfa_enabled;
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
  const signInAgain = () => signInAgainAtCompany({ from: location });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {failure && !busy && <ErrorBanner text={failure} />}
        <Text size="sm">
          {/* A company's own sign-in may have let them in a moment ago, without asking who they are. */}
          {!company && 'You signed in a while ago. '}Before this change is made, please show that it is really
          you.
        </Text>
        {!canConfirmHere ? null : factor === 'password' ? (
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
        {company && canConfirmHere && <Way onChoose={signInAgain}>Sign in with {company} again instead</Way>}
        {hasPassword && user.mfa_enabled && (
          <Way onChoose={() => setPrefersCode(!prefersCode)}>
            {factor === 'password' ? 'Use an MFA code instead' : 'Use your password instead'}
          </Way>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {canConfirmHere ? (
            <SubmitButton busy={busy}>Confirm</SubmitButton>
          ) : (
            <Button styles={wrappingButton} onClick={signInAgain}>
              Sign in with {company} again
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Way({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <Group>
      <Button variant="subtle" size="compact-sm" styles={wrappingButton} onClick={onChoose}>
        {children}
      </Button>
    </Group>
  );
}
