import { History } from '../features/activity/history.tsx';
import { DocumentDetails } from '../features/documents/document-details.tsx';

export function DocumentScreen() {
  return <DocumentDetails>{(documentId) => <History of={{ document_id: documentId }} />}</DocumentDetails>;
}
