import { IconUpload } from '@tabler/icons-react';
import { useIsAllowed } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { DropZone } from './queue/drop-zone.tsx';

/** On a list of documents, which also accepts dropped files. */
export function UploadActions() {
  if (!useIsAllowed('documents.manage')) return null;
  return (
    <>
      <DropZone />
      <LinkButton to={paths.uploadDocument} leftSection={<IconUpload size={16} aria-hidden />}>
        Upload Document
      </LinkButton>
    </>
  );
}
