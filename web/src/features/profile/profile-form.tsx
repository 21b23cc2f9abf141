import { profileInput } from '@customer-database/contract/users';
import { Group, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useState } from 'react';
import { saveProfile } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { getSession, type SessionUser, useUser, useUserKey } from '../../api/session.ts';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import { fieldProps } from '../../lib/forms.ts';
import { paths } from '../../lib/paths.ts';
import { roleNames } from '../../lib/roles.ts';
import { SuccessBanner } from '../../ui/banners.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useTokenRevocation } from './token-revocation.tsx';

const valuesOf = ({ name, email, phone_number }: SessionUser) => ({
  name,
  email,
  phone_number: phone_number ?? '',
});

export function ProfileForm({ initialMessage }: { initialMessage: string | undefined }) {
  const user = useUser();
  const hasPasswords = useSsoOnlyName() === undefined;
  const [message, setMessage] = useState(initialMessage);
  const form = useForm({
    initialValues: valuesOf(user),
    validate: schemaResolver(profileInput, { sync: true }),
  });
  const tokens = useTokenRevocation({ enabled: form.values.email.trim() !== user.email });
  const { dialog } = useUnsavedChanges({
    form,
    draftKey: `user ${useUserKey()}, profile`,
  });

  function show(saved: SessionUser): void {
    form.setValues(valuesOf(saved));
    form.resetDirty();
  }

  const showIfUntouched = useEffectEvent((changed: SessionUser) => {
    if (!form.isDirty()) show(changed);
  });
  // The account may have changed elsewhere.
  useEffect(() => showIfUntouched(user), [user]);

  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => {
      setMessage(undefined);
      const text = await withReauthentication(() =>
        saveProfile(tokens.isChosen ? { ...values, revoke_tokens: true } : values),
      );
      await tokens.finish();
      show(getSession()?.user ?? user);
      setMessage(text || 'Profile updated successfully');
    },
    'Failed to update profile',
  );

  return (
    <>
      {message && <SuccessBanner>{message}</SuccessBanner>}
      <Panel
        title="Your details"
        actions={
          hasPasswords && (
            <LinkButton to={paths.changePassword} variant="default">
              Change password
            </LinkButton>
          )
        }
      >
        <Form onSubmit={onSubmit} failure={failure}>
          <TextInput {...fieldProps(form, 'name')} label="Name" autoComplete="name" dir="auto" />
          <TextInput {...fieldProps(form, 'email')} label="Email" type="email" autoComplete="email" />
          <TextInput
            {...fieldProps(form, 'phone_number')}
            label="Phone number"
            type="tel"
            autoComplete="tel"
          />
          {tokens.checkbox}
          <Group justify="space-between" mt="xs">
            <Text size="sm" c="dimmed">
              Role: {roleNames[user.role]}
            </Text>
            <SubmitButton busy={busy} busyLabel="Saving...">
              Save Changes
            </SubmitButton>
          </Group>
        </Form>
      </Panel>
      {dialog}
    </>
  );
}
