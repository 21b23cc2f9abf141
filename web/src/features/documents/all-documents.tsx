import { IconFiles } from '@tabler/icons-react';
import { documentPageQuery } from '../../api/documents.ts';
import { RecordPages } from '../../ui/record-pages.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DocumentTable } from './document-table.tsx';
import { UploadActions } from './upload-actions.tsx';

export function AllDocuments() {
  return (
    <Screen title="All Documents" actions={<UploadActions />}>
      <RecordPages
        nouns="documents"
        emptyIcon={<IconFiles />}
        query={documentPageQuery}
        rowsOf={({ documents }) => documents}
        table={(documents, stale) => <DocumentTable documents={documents} stale={stale} />}
      />
    </Screen>
  );
}
