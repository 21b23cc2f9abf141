import { idParam } from '@customer-database/contract/fields';
import { isAllowed } from '@customer-database/contract/permissions';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/client.ts';
import { documentQuery } from '../../api/documents.ts';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { FormSkeleton } from '../../ui/form-skeleton.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EditDocumentForm } from './edit-document-form.tsx';
import { DocumentMissing } from './loaded-document.tsx';

/** On the document's own screen. */
export function EditLink({ id }: { id: number }) {
  if (!isAllowed(useUser().role, 'documents.manage')) return null;
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
  const { id = '' } = useParams();
  const isValidId = idParam.safeParse(id).success;
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...documentQuery(id),
    enabled: isValidId,
  });
  if (!isValidId || isNotFound(error)) return <DocumentMissing />;
  const document = isFetchedAfterMount ? data : undefined;
  return (
    <Screen
      key={id}
      title="Edit Document"
      tabTitle={data ? `Edit ${data.filename}` : 'Edit Document'}
      record="document"
      crumbs={[
        { to: paths.allDocuments, label: 'All Documents' },
        { to: paths.document(id), label: data?.filename ?? 'Document' },
      ]}
    >
      {document && <EditDocumentForm document={document} />}
      {!document && error && (
        <ErrorBanner text="The document could not be loaded." onRetry={() => refetch()} />
      )}
      {!document && !error && (
        <Panel maw={860}>
          <FormSkeleton heights={[60, 60, 110]} />
        </Panel>
      )}
    </Screen>
  );
}
