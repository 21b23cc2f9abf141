import { isAllowed } from '@customer-database/contract/permissions';
import { IconUpload } from '@tabler/icons-react';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';

export function UploadLink() {
  if (!isAllowed(useUser().role, 'documents.write')) return null;
  return (
    <LinkButton to={paths.uploadDocument} leftSection={<IconUpload size={16} aria-hidden />}>
      Upload Document
    </LinkButton>
  );
}
