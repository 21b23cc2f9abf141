import { type RegisterInput, registerInput } from '@customer-database/contract/auth';
import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { register } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useFocusOnArrival } from '../../lib/focus.ts';
import { validateWith } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { CardTitle } from './card-title.tsx';

type FirstAdminProps = { setupCode: string; isLeaving: boolean; onClosed: (text: string) => void };

export function FirstAdmin({ setupCode, isLeaving, onClosed }: FirstAdminProps) {
  const firstField = useFocusOnArrival();
  const form = useForm<RegisterInput>({
    mode: 'controlled',
    initialValues: { name: '', email: '', password: '', setup_code: setupCode },
    validate: validateWith(registerInput),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that was opened later brings another code
  useEffect(() => {
    if (setupCode !== '') form.setFieldValue('setup_code', setupCode);
  }, [setupCode]);

  async function create(input: RegisterInput): Promise<void> {
    try {
      await register(input);
    } catch (error) {
      // Somebody was faster: from now on there is only the sign-in.
      if (error instanceof ApiError && error.code === 'REGISTRATION_CLOSED') onClosed(error.message);
      throw error;
    }
  }

  const { onSubmit, busy, failure } = useFormSubmit(form, create, 'The account could not be created.');
  return (
    <Stack gap="lg">
      <CardTitle>Create the first administrator</CardTitle>
      <Text c="dimmed" size="sm">
        Nobody can sign in here yet. The account you create now can invite everybody else.
      </Text>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {failure && !busy && <ErrorBanner text={failure} />}
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            ref={firstField}
            label="Name"
            name="name"
            autoComplete="name"
            dir="auto"
          />
          <TextInput
            key={form.key('email')}
            {...form.getInputProps('email')}
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
          />
          <PasswordField
            key={form.key('password')}
            {...form.getInputProps('password')}
            label="Password"
            name="password"
            autoComplete="new-password"
          />
          <TextInput
            key={form.key('setup_code')}
            {...form.getInputProps('setup_code')}
            label="Setup code"
            description="It is printed in the terminal where the server was started."
            name="setup_code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SubmitButton busy={busy || isLeaving} fullWidth mt="xs">
            Create administrator
          </SubmitButton>
        </Stack>
      </form>
    </Stack>
  );
}
