import { type ManagedUser, updateUserInput } from '@customer-database/contract/users';
import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useReauthenticationPrompt, withReauthentication } from '../../api/reauthentication.ts';
import { updateUser } from '../../api/users.ts';
import { fieldProps } from '../../lib/forms.ts';
import { roleNames } from '../../lib/roles.ts';
import { Form, FormButtons } from '../../ui/form.tsx';

const consequences = {
  staff: 'They can search, view and download, and no longer change anything. Takes effect at once.',
  admin: 'They can change and delete everything, and manage users. Takes effect at once.',
};

type EditUserProps = { user: ManagedUser; onSaved: (user: ManagedUser) => void; onClose: () => void };

export function EditUser({ user, onSaved, onClose }: EditUserProps) {
  const isReauthenticating = useReauthenticationPrompt() !== undefined;
  const form = useForm({
    initialValues: { name: user.name, role: user.role },
    validate: schemaResolver(updateUserInput, { sync: true }),
  });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async ({ name, role }) => {
      const changes = {
        ...(name.trim() !== user.name && { name }),
        ...(role !== user.role && { role }),
      };
      onSaved(await withReauthentication(() => updateUser(user.id, changes)));
    },
    'Failed to update user',
  );
  const { role } = form.getValues();
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Edit ${user.email}`}
      closeOnEscape={!isReauthenticating}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      <Form onSubmit={onSubmit} failure={failure}>
        <TextInput {...fieldProps(form, 'name')} label="Name" autoComplete="off" dir="auto" data-autofocus />
        <NativeSelect
          {...fieldProps(form, 'role')}
          label="Role"
          description={role === user.role ? undefined : consequences[role]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={Object.entries(roleNames).map(([value, label]) => ({ value, label }))}
        />
        <FormButtons onCancel={onClose} busy={busy} busyLabel="Saving...">
          Save Changes
        </FormButtons>
      </Form>
    </Modal>
  );
}
