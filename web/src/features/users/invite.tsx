import { inviteInput } from '@customer-database/contract/users';
import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { invite } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useUserKey } from '../../api/session.ts';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import type { UserActionAnswer } from '../../api/users.ts';
import { fieldProps } from '../../lib/forms.ts';
import { roleNames } from '../../lib/roles.ts';
import { Form } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { CredentialDelivery } from './credential-delivery.tsx';

const empty: { email: string; name: string; role: keyof typeof roleNames } = {
  email: '',
  name: '',
  role: 'staff',
};

export function Invite() {
  const [sent, setSent] = useState<{ email: string; answer: UserActionAnswer | undefined }>();
  const company = useSsoOnlyName();
  const form = useForm({ initialValues: empty, validate: schemaResolver(inviteInput, { sync: true }) });
  const { dialog } = useUnsavedChanges({
    form,
    draftKey: `user ${useUserKey()}, invitation`,
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => {
      setSent(undefined);
      const answer = await withReauthentication(() => invite(values));
      setSent({ email: values.email.trim(), answer });
      form.reset();
    },
    'Failed to send invitation',
    'banner',
  );

  return (
    <Screen
      title="Invite New User"
      description={
        company
          ? `They sign in with ${company}, by the address that you give here.`
          : 'They get a temporary password and choose their own when they first sign in.'
      }
    >
      <Stack gap="lg" maw="44rem">
        {sent && <CredentialDelivery {...sent} reason="invitation" />}
        <Panel>
          <Form onSubmit={onSubmit} failure={failure}>
            <TextInput {...fieldProps(form, 'email')} label="Email" type="email" autoComplete="off" />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                {...fieldProps(form, 'name')}
                label="Name (optional)"
                autoComplete="off"
                dir="auto"
              />
              <NativeSelect
                {...fieldProps(form, 'role')}
                label="Role"
                data={Object.entries(roleNames).map(([value, label]) => ({ value, label }))}
              />
            </SimpleGrid>
            <SubmitButton busy={busy} style={{ alignSelf: 'flex-end' }} mt="xs">
              Send invitation
            </SubmitButton>
          </Form>
        </Panel>
      </Stack>
      {dialog}
    </Screen>
  );
}
