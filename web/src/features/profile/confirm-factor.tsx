import { confirmInput } from '@customer-database/contract/auth';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { confirmIdentity, setupStateQuery } from '../../api/auth.ts';
import { errorText } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { canReachCompany, signInAgainAtCompany } from '../../api/oidc-sign-in.ts';
import { isDismissed } from '../../api/passkey-sign-in.ts';
import { confirmWithPasskey, passkeyListQuery } from '../../api/passkeys.ts';
import type { ReauthenticationPrompt } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps, useSubmit, validateWith } from '../../lib/forms.ts';
import { passkeyObstacle } from '../../lib/passkey-obstacle.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { wrappingButton } from '../../ui/wrapping-button.ts';

/** For changes to the second factors, in a session that was opened with the password alone. */
export function ConfirmFactor({
  onConfirmed,
  onCancel,
}: Pick<ReauthenticationPrompt, 'onConfirmed' | 'onCancel'>) {
  const { mfa_enabled } = useUser();
  const location = useLocation();
  const { data: setup } = useQuery(setupStateQuery);
  const company = canReachCompany ? setup?.company_sign_in : undefined;
  const form = useForm({
    mode: 'controlled',
    initialValues: { code: '' },
    validate: validateWith(confirmInput),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => {
      await confirmIdentity(values);
      onConfirmed();
    },
    'Failed to confirm',
  );
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {failure && !busy && <ErrorBanner text={failure} />}
        <Text size="sm">
          You signed in with your password alone. Before your second factors are changed, please confirm with
          one that you have. If you have lost them, ask an administrator to reset your MFA.
        </Text>
        <PasskeyConfirmation onConfirmed={onConfirmed} />
        {mfa_enabled && (
          <CodeField
            {...fieldProps(form, 'code')}
            label="MFA code"
            description="From your authenticator app, or one of your recovery codes."
          />
        )}
        {company && (
          <Button
            variant="default"
            styles={wrappingButton}
            onClick={() => signInAgainAtCompany({ from: location })}
          >
            Sign in with {company} again
          </Button>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {mfa_enabled && <SubmitButton busy={busy}>Confirm</SubmitButton>}
        </Group>
      </Stack>
    </form>
  );
}

/** Nothing where the user has no passkey. */
export function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { data } = useQuery(passkeyListQuery);
  const { data: setup } = useQuery(setupStateQuery);
  const { submit, isPending, error } = useSubmit(async () => {
    await confirmWithPasskey();
    onConfirmed();
  });
  if (!data?.passkeys.length || setup?.password_sign_in === false) return null;
  const obstacle = passkeyObstacle();
  if (obstacle) return <Text size="sm">{obstacle}</Text>;
  return (
    <Stack gap="xs" align="flex-start">
      {error && !isDismissed(error) && (
        <ErrorBanner text={errorText(error, 'Failed to confirm with the passkey')} />
      )}
      <Button loading={isPending} onClick={() => submit(undefined)} data-autofocus>
        Use a passkey
      </Button>
    </Stack>
  );
}
