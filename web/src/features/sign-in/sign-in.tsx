import { type LoginInput, loginInput } from '@customer-database/contract/auth';
import { Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { MfaRequired, signIn } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useFocusOnMount } from '../../lib/focus.ts';
import { fieldProps } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { CardTitle } from './card-title.tsx';
import { CompanyButton } from './company-button.tsx';
import { MfaCode } from './mfa-code.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type SignInProps = {
  isLeaving: boolean;
  notice: string | undefined;
  hasPasskeys: boolean;
  /** The address that passkeys need. */
  passkeyHint: string | undefined;
  /** The name of the company's sign-in, if there is one. */
  company: string | undefined;
  /** False if password sign-in is off. */
  hasPassword: boolean;
};

/** Two steps in one card; the second only with MFA. */
export function SignIn({ isLeaving, notice, hasPasskeys, passkeyHint, company, hasPassword }: SignInProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const [shownNotice, setNotice] = useState(notice);
  const form = useForm<LoginInput>({
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginInput, { sync: true }),
  });

  function startAgain(reason?: string): void {
    setNotice(reason);
    setNeedsCode(false);
  }

  return (
    <Stack gap="lg">
      <CardTitle>Sign in to your account</CardTitle>
      {needsCode ? (
        <MfaCode isLeaving={isLeaving} onBack={startAgain} />
      ) : (
        <>
          {hasPassword ? (
            <Credentials
              form={form}
              isLeaving={isLeaving}
              notice={shownNotice}
              onMfaRequired={() => setNeedsCode(true)}
            />
          ) : (
            shownNotice && <ErrorBanner text={shownNotice} />
          )}
          {company && <CompanyButton name={company} variant={hasPassword ? 'default' : 'filled'} />}
          {hasPasskeys && <PasskeyButton isLeaving={isLeaving} onFailure={setNotice} />}
          {passkeyHint && (
            <Text size="sm" c="dimmed">
              {passkeyHint}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

type CredentialsProps = Pick<SignInProps, 'isLeaving' | 'notice'> & {
  form: UseFormReturnType<LoginInput>;
  onMfaRequired: () => void;
};

function Credentials({ form, isLeaving, notice, onMfaRequired }: CredentialsProps) {
  const firstField = useFocusOnMount();
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    (values) =>
      signIn(values).catch((error: unknown) => {
        if (!(error instanceof MfaRequired)) throw error;
        onMfaRequired();
      }),
    'Login failed. Please try again.',
  );
  return (
    <Form onSubmit={onSubmit} failure={busy ? undefined : (failure ?? notice)}>
      <TextInput
        {...fieldProps(form, 'email')}
        ref={firstField}
        label="Email"
        type="email"
        autoComplete="username"
      />
      <PasswordField {...fieldProps(form, 'password')} label="Password" autoComplete="current-password" />
      <SubmitButton busy={busy || isLeaving} fullWidth mt="xs">
        Sign in
      </SubmitButton>
    </Form>
  );
}
