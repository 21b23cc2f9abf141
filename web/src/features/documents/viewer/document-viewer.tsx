import { documentTypes } from '@customer-database/contract/documents';
import { Frame, type FrameProps } from './frame.tsx';
import { Message } from './message.tsx';
import { PdfViewer } from './pdf-viewer.tsx';

type DocumentViewerProps = FrameProps & {
  /** To begin with. */
  page: number;
};

/** Shows a document of any type. */
export function DocumentViewer(props: DocumentViewerProps) {
  const { id, mime_type, protected: isProtected, text } = props.document;
  if (isProtected || text?.state === 'protected') {
    return (
      <Frame {...props}>
        <Message documentId={id}>Protected with a password</Message>
      </Frame>
    );
  }
  switch (mime_type) {
    case documentTypes['.pdf']:
      return <PdfViewer {...props} />;
    default:
      return null;
  }
}
