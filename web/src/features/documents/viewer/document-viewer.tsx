import { documentTypes } from '@customer-database/contract/documents';
import { Frame, type FrameProps } from './frame.tsx';
import { Message } from './message.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { TextViewer } from './text-viewer.tsx';
import { WordViewer } from './word-viewer.tsx';

type DocumentViewerProps = FrameProps & {
  /** The first page to show. */
  page: number;
  /** Called when the user goes to another page with hits. */
  onPage: (page: number) => void;
};

/** Shows a document of any type. */
export function DocumentViewer({ page, onPage, ...frame }: DocumentViewerProps) {
  const { mime_type, protected: isProtected, text } = frame.document;
  if (isProtected || text?.state === 'protected') {
    return (
      <Frame {...frame}>
        <Message file={frame}>Protected with a password</Message>
      </Frame>
    );
  }
  switch (mime_type) {
    case documentTypes['.pdf']:
      return <PdfViewer {...frame} page={page} />;
    case documentTypes['.docx']:
    case documentTypes['.doc']:
      return <WordViewer {...frame} page={page} onPage={onPage} />;
    default:
      return <TextViewer {...frame} page={page} onPage={onPage} />;
  }
}
