import { documentTypes } from '@customer-database/contract/documents';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { documentPreviewQuery } from '../../../api/document-preview.ts';
import { DocxViewer } from './docx-viewer.tsx';
import type { FrameProps } from './frame.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { SimplifiedNote } from './simplified-note.tsx';
import { TextViewer } from './text-viewer.tsx';

type WordViewerProps = FrameProps & { page: number; onPage: (page: number) => void };

/**
 * Shows the exact layout if the server has it, and otherwise the simplified view at once. That offers the exact one when
 * it comes: replacing it while it is read would lose the place.
 */
export function WordViewer({ page, onPage, ...frame }: WordViewerProps) {
  const { id, mime_type, preview } = frame.document;
  const [shown, setShown] = useState<'exact' | 'simplified' | 'failed'>(
    preview === 'ready' ? 'exact' : 'simplified',
  );
  const newest = useQuery({
    ...documentPreviewQuery(id, frame.link),
    enabled: shown === 'simplified' && preview === 'waiting',
  });
  if (shown === 'exact') return <PdfViewer {...frame} onNoPreview={() => setShown('failed')} />;
  const state = shown === 'simplified' ? (newest.data ?? preview) : 'none';
  const showExact = state === 'ready' ? () => setShown('exact') : undefined;
  const note = <SimplifiedNote isWaiting={state === 'waiting'} onShowExact={showExact} />;
  if (mime_type === documentTypes['.docx']) return <DocxViewer {...frame} note={note} />;
  return <TextViewer {...frame} page={page} onPage={onPage} note={note} />;
}
