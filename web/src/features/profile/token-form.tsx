import { scopesOf, type TokenScope } from '@customer-database/contract/permissions';
import { apiTokenInput } from '@customer-database/contract/tokens';
import { Button, Code, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useReauthenticationPrompt } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { createToken } from '../../api/tokens.ts';
import { fieldProps } from '../../lib/forms.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { scopeTexts } from './token-scopes.ts';

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '365 days' },
];

type Values = { name: string; scope: TokenScope; expires_in_days: string };

const inputOf = ({ expires_in_days, ...values }: Values) => ({
  ...values,
  expires_in_days: Number(expires_in_days),
});

type TokenFormProps = { onMade: () => void; onClose: () => void };

export function TokenForm({ onMade, onClose }: TokenFormProps) {
  const [token, setToken] = useState<string>();
  const isReauthenticating = useReauthenticationPrompt() !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={token ? 'Your new token' : 'Make a token'}
      // A token that is closed by mistake is lost.
      closeOnEscape={!isReauthenticating && !token}
      closeOnClickOutside={!token}
    >
      {token ? (
        <MadeToken token={token} onClose={onClose} />
      ) : (
        <TokenFields
          onCancel={onClose}
          onMade={(made) => {
            setToken(made);
            onMade();
          }}
        />
      )}
    </Modal>
  );
}

function TokenFields({ onMade, onCancel }: { onMade: (token: string) => void; onCancel: () => void }) {
  const { role } = useUser();
  const form = useForm<Values>({
    initialValues: { name: '', scope: 'read', expires_in_days: '90' },
    validate: (values) => schemaResolver(apiTokenInput, { sync: true })(inputOf(values)),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async (values) => onMade(await createToken(inputOf(values))),
    'Failed to make the token',
  );
  return (
    <Form onSubmit={onSubmit} failure={failure}>
      <TextInput
        {...fieldProps(form, 'name')}
        label="Name"
        description="What it is for, such as 'Nightly export'. The activity log shows it."
        autoComplete="off"
        dir="auto"
        data-autofocus
      />
      <NativeSelect
        {...fieldProps(form, 'scope')}
        label="What it may do"
        data={scopesOf(role).map((scope) => ({ value: scope, label: scopeTexts[scope].long }))}
      />
      <NativeSelect {...fieldProps(form, 'expires_in_days')} label="Expires after" data={lifetimes} />
      <FormButtons onCancel={onCancel} busy={busy}>
        Make token
      </FormButtons>
    </Form>
  );
}

function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm">Copy it now: it is not shown again. Anyone who has it can act in your name.</Text>
      <Code block aria-label="Token" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
        {token}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={token} />
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
