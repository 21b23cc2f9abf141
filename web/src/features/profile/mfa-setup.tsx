import { type MfaSetupResponse, mfaSetupVerifyInput } from '@customer-database/contract/auth';
import { Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { refreshUser, verifyMfaSetup } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useFocusOnMount } from '../../lib/focus.ts';
import { fieldProps } from '../../lib/forms.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';

type MfaSetupProps = {
  setup: MfaSetupResponse;
  onEnabled: (recoveryCodes: string[]) => void;
  onCancel: () => void;
};

/** 32 letters in a row are hard to type. */
const groupByFour = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ');

export function MfaSetup({ setup, onEnabled, onCancel }: MfaSetupProps) {
  const input = useFocusOnMount();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(mfaSetupVerifyInput, { sync: true }),
  });

  async function enable({ code }: { code: string }): Promise<void> {
    try {
      const { recovery_codes } = await withReauthentication(() => verifyMfaSetup(code));
      onEnabled(recovery_codes);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'MFA_ALREADY_ENABLED')) throw error;
    }
    // The codes are already shown; if this fails, only the displayed user is out of date.
    await refreshUser().catch(() => undefined);
  }

  const { onSubmit, busy, failure } = useFormSubmit(form, enable, 'Invalid MFA code');
  return (
    <Form onSubmit={onSubmit} failure={failure}>
      <List type="ordered" size="sm" spacing="md" styles={{ itemWrapper: { display: 'inline' } }}>
        <List.Item>
          Scan this picture with an authenticator app.
          <Group mt="sm" gap="lg" align="flex-start">
            <img src={setup.qr_code} width={180} height={180} alt="QR code for your authenticator app" />
            <Stack gap="xs" flex="1 1 14rem">
              <Text size="sm" c="dimmed">
                Cannot scan it? Type this key into the app instead:
              </Text>
              <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
                {groupByFour(setup.secret)}
              </Code>
              <Group>
                <CopyButton value={setup.secret} label="Copy key" />
              </Group>
            </Stack>
          </Group>
        </List.Item>
        <List.Item>Enter the six digits that the app shows now.</List.Item>
      </List>
      <TextInput
        {...fieldProps(form, 'code')}
        ref={input}
        label="MFA code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maw="16rem"
      />
      <FormButtons onCancel={onCancel} busy={busy}>
        Turn on MFA
      </FormButtons>
    </Form>
  );
}
