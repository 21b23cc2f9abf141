import type { Customer } from '@customer-database/contract/customers';
import { type Document, documentTexts, uploadInput } from '@customer-database/contract/documents';
import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, errorText } from '../../api/client.ts';
import { invalidateDocuments, uniqueNameQuery } from '../../api/documents.ts';
import { useUserKey } from '../../api/session.ts';
import { fieldProps, focusFirstError, useFieldErrors } from '../../lib/forms.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { CustomerPicker, firstCustomersQuery, type PickedCustomer } from './customer-picker.tsx';
import { DescriptionField } from './description-field.tsx';
import { FileDrop } from './file-drop.tsx';
import { useQueueFiles } from './queue/customer-question.tsx';
import { rememberUpload } from './recent-uploads.ts';
import { FileGone } from './send-file.ts';
import { useUpload } from './use-upload.ts';

type Values = { customer: PickedCustomer | null; file: File | null; description: string };

/** The name it will be saved under, fetched once both customer and file are chosen. */
function useUniqueName({ customer, file }: Values) {
  const filename = file?.name.normalize() ?? '';
  const { data, error } = useQuery({
    ...uniqueNameQuery(customer?.id ?? 0, filename),
    enabled: customer !== null && file !== null,
  });
  return {
    filename: data?.uniqueFilename ?? filename,
    isRenamed: data !== undefined && data.uniqueFilename !== filename,
    error: error instanceof ApiError ? error.fields.filename : undefined,
  };
}

/** Maps the server's fields to those of this form; undefined if none of them matches. */
function fieldErrorsOf(error: unknown): Record<string, string> | undefined {
  if (error instanceof FileGone) return { file: error.message };
  if (!(error instanceof ApiError)) return undefined;
  const { customer_id, file_data, filename, mime_type, description } = error.fields;
  const file = file_data ?? filename ?? mime_type;
  const errors = {
    ...(customer_id ? { customer: customer_id } : {}),
    ...(file ? { file } : {}),
    ...(description ? { description } : {}),
  };
  return Object.keys(errors).length > 0 ? errors : undefined;
}

export function UploadForm({ preselected }: { preselected: Customer | null }) {
  const navigate = useNavigate();
  const goBack = useGoBack(paths.documents);
  const client = useQueryClient();
  const [failed, setFailed] = useState<unknown>();
  const { progress, upload, cancel } = useUpload();
  const isUploading = progress !== undefined;
  const form = useForm<Values>({
    initialValues: { customer: preselected, file: null, description: '' },
    validate: {
      customer: (customer) => (customer ? null : documentTexts.noCustomer),
      file: (file) => (file ? null : 'Please select a file to upload'),
      description: (text) => uploadInput.shape.description.safeParse(text).error?.issues[0]?.message,
    },
  });
  const unsaved = useUnsavedChanges({
    form,
    draftKey: `user ${useUserKey()}, upload`,
  });
  const uniqueName = useUniqueName(form.values);
  const fieldErrors = useMemo(() => fieldErrorsOf(failed), [failed]);
  useFieldErrors(form, fieldErrors);

  const { queueFiles, dialog: customerDialog } = useQueueFiles(form.values.customer);
  const hasNoCustomers = useQuery(firstCustomersQuery).data?.count === 0;

  async function send({ customer, file, description }: Values): Promise<void> {
    setFailed(undefined);
    if (!customer) return;
    try {
      if (!file) throw new FileGone(documentTexts.noFile);
      const input = { customerId: customer.id, file, filename: uniqueName.filename, description };
      const saved = await upload(input);
      if (saved === undefined) return;
      unsaved.discard();
      form.reset();
      const { filename, document } = saved;
      if (document) rememberUpload(document);
      const links = <UploadedLinks key="links" document={document} customerId={customer.id} />;
      showSuccess(`"${filename}" was uploaded.`, links);
      await navigate(paths.documents);
    } catch (error) {
      setFailed(error);
    } finally {
      // Also after a failure: a cancelled upload, or one without a response, may have been saved.
      await invalidateDocuments(client);
    }
  }

  function leave(): void {
    unsaved.discard();
    goBack();
  }

  const savedAs = uniqueName.isRenamed && `Will be saved as: ${uniqueName.filename}`;
  const onSubmit = form.onSubmit(send, (errors) => {
    setFailed(undefined);
    focusFirstError(form)(errors);
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      {/* Enter presses the first submit button: this one shows what is missing while the visible one is disabled. */}
      <button type="submit" hidden />
      <Stack gap="md">
        <CustomerPicker
          {...form.getInputProps('customer')}
          value={form.values.customer}
          disabled={isUploading}
        />
        {hasNoCustomers && (
          <Text size="sm">
            There are no customers yet.{' '}
            <Anchor component={Link} to={paths.newCustomer} inherit underline="always">
              Add Customer
            </Anchor>
          </Text>
        )}
        <FileDrop
          {...form.getInputProps('file')}
          value={form.values.file}
          customerName={form.values.customer?.name}
          onSeveral={queueFiles}
          onChange={(chosen, problem) => {
            form.setFieldValue('file', chosen);
            // `setFieldError` would ignore the text of the file before, though it has just been cleared.
            if (problem) form.setErrors((errors) => ({ ...errors, file: problem }));
          }}
          error={form.errors.file ?? uniqueName.error}
          disabled={isUploading}
          note={
            <Text role="status" size="sm" ta="center" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {savedAs}
            </Text>
          }
        />
        <DescriptionField {...fieldProps(form, 'description')} disabled={isUploading} />
        {failed !== undefined && !fieldErrors && (
          <ErrorBanner text={errorText(failed, 'Failed to upload document. Please try again.')} />
        )}
        {isUploading && <UploadProgress percent={progress} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={isUploading ? cancel : leave}>
            Cancel
          </Button>
          <Button
            type="submit"
            leftSection={<IconUpload size={16} aria-hidden />}
            disabled={isUploading || !form.values.file || hasNoCustomers}
          >
            Upload Document
          </Button>
        </Group>
      </Stack>
      {unsaved.dialog}
      {customerDialog}
    </form>
  );
}

/** Links in the message after an upload. The document is undefined if the server does not send it. */
function UploadedLinks({ document, customerId }: { document: Document | undefined; customerId: number }) {
  return (
    <Group gap="md" mt={4}>
      {document && (
        <Anchor component={Link} to={paths.document(document.id)} inherit>
          Open document
        </Anchor>
      )}
      <Anchor component={Link} to={paths.customer(customerId)} inherit>
        Go to customer
      </Anchor>
    </Group>
  );
}

function UploadProgress({ percent }: { percent: number }) {
  return (
    <Group wrap="nowrap">
      <Progress value={percent} aria-label="Upload progress" flex={1} />
      <Text size="sm" w="3rem" ta="end">
        {percent}%
      </Text>
    </Group>
  );
}
