import { isAllowed } from '@customer-database/contract/permissions';
import { Button, FileButton } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useRef } from 'react';
import { useUser } from '../../../api/session.ts';
import type { PickedCustomer } from '../customer-picker.tsx';
import { acceptedFiles } from '../file-check.ts';
import { useQueueFiles } from './customer-question.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import { useFileDrop } from './use-file-drop.ts';

/** A button to choose files; the whole page accepts dropped ones. Without a customer, it asks for one. */
export function DropZone({ customer = null }: { customer?: PickedCustomer | null }) {
  return isAllowed(useUser().role, 'documents.manage') && <UploadDropZone customer={customer} />;
}

function UploadDropZone({ customer }: { customer: PickedCustomer | null }) {
  const { queueFiles, dialog } = useQueueFiles(customer);
  const isDragging = useFileDrop(queueFiles);
  // Otherwise the same files could not be chosen twice in a row.
  const reset = useRef<() => void>(null);
  return (
    <>
      <FileButton
        multiple
        accept={acceptedFiles}
        resetRef={reset}
        onChange={(files) => {
          queueFiles(files);
          reset.current?.();
        }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconFiles size={16} aria-hidden />}>
            Upload files
          </Button>
        )}
      </FileButton>
      {isDragging && <DropOverlay customerName={customer?.name} />}
      {dialog}
    </>
  );
}
