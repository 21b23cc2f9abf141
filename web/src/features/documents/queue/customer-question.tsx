import { documentTexts } from '@customer-database/contract/documents';
import { Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormButtons } from '../../../ui/form.tsx';
import { CustomerPicker, type PickedCustomer } from '../customer-picker.tsx';
import { addFiles } from './queue.ts';

/** Adds files to the queue, and asks for the customer first if none is known. Render `dialog`. */
export function useQueueFiles(customer: PickedCustomer | null) {
  const [files, setFiles] = useState<File[]>([]);

  function queueFiles(chosen: File[]): void {
    if (chosen.length === 0) return;
    if (customer) addFiles(customer, chosen);
    else setFiles(chosen);
  }

  const dialog = (
    <Modal opened={files.length > 0} onClose={() => setFiles([])} title="Upload files" withCloseButton>
      <CustomerQuestion files={files} onClose={() => setFiles([])} />
    </Modal>
  );
  return { queueFiles, dialog };
}

type CustomerQuestionProps = { files: File[]; onClose: () => void };

function CustomerQuestion({ files, onClose }: CustomerQuestionProps) {
  const [customer, setCustomer] = useState<PickedCustomer | null>(null);
  const [error, setError] = useState<string>();

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    // React passes the event on to the screen around the dialog, which may be a form.
    event.stopPropagation();
    if (customer) {
      addFiles(customer, files);
      onClose();
    } else setError(documentTexts.noCustomer);
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text size="sm">
          {files.length === 1 ? 'One file' : `${files.length} files`} will be uploaded for this customer.
        </Text>
        <CustomerPicker data-autofocus value={customer} onChange={setCustomer} error={!customer && error} />
        <FormButtons onCancel={onClose}>Upload</FormButtons>
      </Stack>
    </form>
  );
}
