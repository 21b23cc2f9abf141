import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { errorText } from '../../../api/client.ts';
import { emptyPage } from './docx-page.ts';
import { Frame, type FrameProps } from './frame.tsx';
import { Loading, Message } from './message.tsx';
import { ToolButton } from './toolbar.tsx';
import { useDocumentBytes } from './use-document-bytes.ts';
import { useDocx } from './use-docx.ts';
import classes from './viewer.module.css';

const step = 1.2;

/** Shows the whole document: the pages of a search are not those of the printed document. */
export function DocxViewer(frame: FrameProps) {
  const { id, filename } = frame.document;
  const { data: file, error, refetch } = useDocumentBytes(id, frame.link);
  const element = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const [zoom, setZoom] = useState(1);
  const outcome = useDocx(isLoaded ? file : undefined, element, frame.question, zoom);
  const zoomOut = () => setZoom(zoom / step);
  const zoomIn = () => setZoom(zoom * step);
  return (
    <Frame
      {...frame}
      keys={{ '-': zoomOut, '+': zoomIn }}
      tools={
        <span className={classes.group}>
          <ToolButton label="Zoom out" shortcut="-" icon={<IconMinus size={20} />} onClick={zoomOut} />
          <ToolButton label="Zoom in" shortcut="+" icon={<IconPlus size={20} />} onClick={zoomIn} />
        </span>
      }
    >
      <iframe
        ref={element}
        className={classes.word}
        title={filename}
        sandbox="allow-same-origin"
        srcDoc={emptyPage}
        onLoad={() => setIsLoaded(true)}
      />
      {!outcome && !error && <Loading />}
      {error && (
        <Message file={frame} onRetry={refetch}>
          {errorText(error, 'The document could not be loaded.')}
        </Message>
      )}
      {outcome === 'failed' && <Message file={frame}>This document is damaged and cannot be shown.</Message>}
    </Frame>
  );
}
