import { isAllowed } from '@customer-database/contract/permissions';
import { IconFiles } from '@tabler/icons-react';
import { useUser } from '../../../api/session.ts';
import type { PickedCustomer } from '../customer-picker.tsx';
import { useQueueFiles } from './customer-question.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import { FilesButton } from './files-button.tsx';
import { useFileDrop } from './use-file-drop.ts';

/** A button to choose files; the whole page accepts dropped ones. Without a customer, it asks for one. */
export function DropZone({ customer = null }: { customer?: PickedCustomer | null }) {
  return isAllowed(useUser().role, 'documents.manage') && <UploadDropZone customer={customer} />;
}

function UploadDropZone({ customer }: { customer: PickedCustomer | null }) {
  const { queueFiles, dialog } = useQueueFiles(customer);
  const isDragging = useFileDrop(queueFiles);
  return (
    <>
      <FilesButton inputLabel="Files" onFiles={queueFiles} leftSection={<IconFiles size={16} aria-hidden />}>
        Upload files
      </FilesButton>
      {isDragging && <DropOverlay customerName={customer?.name} />}
      {dialog}
    </>
  );
}
