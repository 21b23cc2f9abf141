import { documentTexts } from '@customer-database/contract/documents';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
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
    // A dialog belongs to its screen also in React, and the screen may be a form.
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Upload</Button>
        </Group>
      </Stack>
    </form>
  );
}
