import { IconPencil } from '@tabler/icons-react';
import { documentQuery } from '../../api/documents.ts';
import { useRecordInUrl } from '../../api/record-in-url.ts';
import { useIsAllowed } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { FormSkeleton } from '../../ui/form-skeleton.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DocumentMissing } from './document-missing.tsx';
import { EditDocumentForm } from './edit-document-form.tsx';

export function EditLink({ id }: { id: number }) {
  if (!useIsAllowed('documents.manage')) return null;
  return (
    <LinkButton
      to={paths.editDocument(id)}
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
    >
      Edit
    </LinkButton>
  );
}

export function EditDocument() {
  const { id, record, isMissing, error, isFresh, refetch } = useRecordInUrl(documentQuery);
  if (isMissing) return <DocumentMissing />;
  const document = isFresh ? record : undefined;
  return (
    <Screen
      key={id}
      title="Edit Document"
      tabTitle={record ? `Edit ${record.filename}` : 'Edit Document'}
      record="document"
      crumbs={[
        { to: paths.allDocuments, label: 'All Documents' },
        { to: paths.document(id), label: record?.filename ?? 'Document' },
      ]}
    >
      {document && <EditDocumentForm document={document} />}
      {!document && error && <ErrorBanner text="The document could not be loaded." onRetry={refetch} />}
      {!document && !error && <FormSkeleton />}
    </Screen>
  );
}
