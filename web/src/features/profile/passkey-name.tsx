import { type Passkey, renamePasskeyInput } from '@customer-database/contract/passkeys';
import { Modal, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { isDismissed } from '../../api/passkey-sign-in.ts';
import { addPasskey, isKnownDevice, renamePasskey } from '../../api/passkeys.ts';
import { useReauthenticationPrompt } from '../../api/reauthentication.ts';
import { fieldProps } from '../../lib/forms.ts';
import { Form, FormButtons } from '../../ui/form.tsx';
import { showSuccess } from '../../ui/notices.ts';

type PasskeyNameProps = { passkey: Passkey | 'new'; onSaved: () => void; onClose: () => void };

/** Replaces the browser's messages. */
function explained(error: unknown): unknown {
  if (isDismissed(error)) return new ApiError(0, { error: 'Nothing was added. You can try again.' }, error);
  if (isKnownDevice(error)) return new ApiError(0, { error: 'This device has a passkey already.' }, error);
  return error;
}

export function PasskeyName({ passkey, onSaved, onClose }: PasskeyNameProps) {
  const isNew = passkey === 'new';
  const isReauthenticating = useReauthenticationPrompt() !== undefined;
  const form = useForm({
    initialValues: { name: isNew ? '' : passkey.name },
    validate: schemaResolver(renamePasskeyInput, { sync: true }),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async ({ name }) => {
      await (isNew ? addPasskey(name) : renamePasskey(passkey.id, name)).catch((error: unknown) => {
        throw explained(error);
      });
      showSuccess(isNew ? 'Passkey added successfully' : 'Passkey renamed successfully');
      onSaved();
    },
    isNew ? 'Failed to add the passkey' : 'Failed to rename the passkey',
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={isNew ? 'Add a passkey' : 'Rename passkey'}
      closeOnEscape={!isReauthenticating}
    >
      <Form onSubmit={onSubmit} failure={failure}>
        {isNew && (
          <Text size="sm">Give it a name that tells you later where it is, such as 'Work laptop'.</Text>
        )}
        <TextInput {...fieldProps(form, 'name')} label="Name" autoComplete="off" dir="auto" data-autofocus />
        <FormButtons onCancel={onClose} busy={busy}>
          {isNew ? 'Continue' : 'Save'}
        </FormButtons>
      </Form>
    </Modal>
  );
}
