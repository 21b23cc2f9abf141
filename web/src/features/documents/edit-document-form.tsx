import {
  type Document,
  documentTexts,
  type UpdateDocumentInput,
  updateDocumentInput,
} from '@customer-database/contract/documents';
import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { documentQuery, invalidateDocuments, updateDocument } from '../../api/documents.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useUserKey } from '../../api/session.ts';
import { fieldProps } from '../../lib/forms.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { CustomerPicker, type PickedCustomer } from './customer-picker.tsx';
import { DescriptionField } from './description-field.tsx';
import { updateRecentUpload } from './recent-uploads.ts';

type Values = { filename: string; description: string; customer: PickedCustomer | null };

const valuesOf = (document: Document): Values => ({
  filename: document.filename,
  description: document.description ?? '',
  customer: {
    id: document.customer_id,
    name: document.customer_name,
    email: document.customer_email,
    phone_number: null,
  },
});

/** Only what was changed, so that a save does not overwrite changes of other users. */
function changedValues(before: Values, after: Values): UpdateDocumentInput {
  const [filename, description] = [after.filename.trim(), after.description.trim()];
  return {
    ...(filename !== before.filename && { filename }),
    ...(description !== before.description && { description }),
    ...(after.customer && after.customer.id !== before.customer?.id && { customer_id: after.customer.id }),
  };
}

const errorIn = (field: 'filename' | 'description') => (text: string) =>
  updateDocumentInput.shape[field].safeParse(text).error?.issues[0]?.message;

export function EditDocumentForm({ document }: { document: Document }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = paths.document(document.id);
  const goBack = useGoBack(path);
  const form = useForm<Values>({
    // The document may be fetched again while the user types.
    initialValues: valuesOf(document),
    validate: {
      filename: errorIn('filename'),
      description: errorIn('description'),
      customer: (customer) => (customer ? null : documentTexts.noCustomer),
    },
  });
  const before = form.getInitialValues();
  const unsaved = useUnsavedChanges({
    form,
    draftKey: `user ${useUserKey()}, document ${document.id}`,
  });

  async function save(values: Values): Promise<void> {
    const changes = changedValues(before, values);
    const isChanged = Object.keys(changes).length > 0;
    if (isChanged) {
      const saved = await updateDocument(document.id, changes);
      if (saved) {
        client.setQueryData(documentQuery(String(document.id)).queryKey, saved);
        updateRecentUpload(saved);
      }
      void invalidateDocuments(client);
    }
    unsaved.discard();
    showSuccess(isChanged ? 'Document updated successfully' : 'Nothing was changed');
    await navigate(path, { replace: true });
  }
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    save,
    'Failed to update document. Please try again.',
  );

  /** The same customer, chosen again, is not a change. */
  function setCustomer(customer: PickedCustomer | null): void {
    form.setFieldValue('customer', customer?.id === before.customer?.id ? before.customer : customer);
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="lg" maw={860}>
        <Panel>
          <Stack gap="md">
            <TextInput
              {...fieldProps(form, 'filename')}
              label="Filename"
              required
              autoComplete="off"
              dir="auto"
            />
            <CustomerPicker
              {...form.getInputProps('customer')}
              value={form.values.customer}
              onChange={setCustomer}
            />
            <DescriptionField {...fieldProps(form, 'description')} />
          </Stack>
        </Panel>
        {failure && <ErrorBanner text={failure} />}
        <FormButtons onCancel={goBack} busy={busy}>
          Save Changes
        </FormButtons>
      </Stack>
      {unsaved.dialog}
    </form>
  );
}
