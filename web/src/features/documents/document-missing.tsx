import { IconFileUnknown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';

export function DocumentMissing({ children }: { children?: ReactNode }) {
  return (
    <Screen title="Document not found">
      {children}
      <Empty
        icon={<IconFileUnknown />}
        title="The document you're looking for doesn't exist or you don't have permission to view it."
        action={<LinkButton to={paths.allDocuments}>Back to Documents</LinkButton>}
      />
    </Screen>
  );
}
