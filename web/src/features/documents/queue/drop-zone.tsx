import { IconFiles } from '@tabler/icons-react';
import { useIsAllowed } from '../../../api/session.ts';
import type { PickedCustomer } from '../customer-picker.tsx';
import { useQueueFiles } from './customer-question.tsx';
import { FilesButton } from './files-button.tsx';
import { PageDrop } from './page-drop.tsx';

/** A button to choose files; the whole page accepts dropped ones. Without a customer, it asks for one. */
export function DropZone({ customer = null }: { customer?: PickedCustomer | null }) {
  return useIsAllowed('documents.manage') && <UploadDropZone customer={customer} />;
}

function UploadDropZone({ customer }: { customer: PickedCustomer | null }) {
  const { queueFiles, dialog } = useQueueFiles(customer);
  return (
    <>
      <FilesButton inputLabel="Files" onFiles={queueFiles} leftSection={<IconFiles size={16} aria-hidden />}>
        Upload files
      </FilesButton>
      <PageDrop onFiles={queueFiles} customerName={customer?.name} />
      {dialog}
    </>
  );
}
