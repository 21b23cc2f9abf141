import { type RegisterInput, registerInput } from '@customer-database/contract/auth';
import { Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { register } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useFocusOnMount } from '../../lib/focus.ts';
import { fieldProps } from '../../lib/forms.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { CardTitle } from './card-title.tsx';

type FirstAdminProps = { setupCode: string; isLeaving: boolean; onClosed: (text: string) => void };

export function FirstAdmin({ setupCode, isLeaving, onClosed }: FirstAdminProps) {
  const firstField = useFocusOnMount();
  const form = useForm<RegisterInput>({
    initialValues: { name: '', email: '', password: '', setup_code: setupCode },
    validate: schemaResolver(registerInput, { sync: true }),
  });

  // A link opened later may bring another code.
  const fillIn = useEffectEvent((code: string) => form.setFieldValue('setup_code', code));
  useEffect(() => {
    if (setupCode !== '') fillIn(setupCode);
  }, [setupCode]);

  async function create(input: RegisterInput): Promise<void> {
    try {
      await register(input);
    } catch (error) {
      // Another person created the first administrator meanwhile.
      if (error instanceof ApiError && error.code === 'REGISTRATION_CLOSED') onClosed(error.message);
      throw error;
    }
  }

  const { onSubmit, busy, failure } = useFormSubmit(form, create, 'The account could not be created.');
  return (
    <Stack gap="lg">
      <CardTitle>Create the first administrator</CardTitle>
      <Text c="dimmed" size="sm">
        There are no users yet. The account you create now can invite the others.
      </Text>
      <Form onSubmit={onSubmit} failure={failure}>
        <TextInput
          {...fieldProps(form, 'name')}
          ref={firstField}
          label="Name"
          autoComplete="name"
          dir="auto"
        />
        <TextInput {...fieldProps(form, 'email')} label="Email" type="email" autoComplete="username" />
        <PasswordField {...fieldProps(form, 'password')} label="Password" autoComplete="new-password" />
        <TextInput
          {...fieldProps(form, 'setup_code')}
          label="Setup code"
          description="It is printed in the terminal where the server was started."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SubmitButton busy={busy || isLeaving} fullWidth mt="xs">
          Create administrator
        </SubmitButton>
      </Form>
    </Stack>
  );
}
