import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import { errorText } from '../../../api/client.ts';
import { emptyPage } from './docx/frame-page.ts';
import { FindBar } from './find-bar.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { SingleHitsBar } from './hits-bar.tsx';
import { Loading, Message } from './message.tsx';
import { PageField } from './page-field.tsx';
import { PrintBar, usePrint } from './print-bar.tsx';
import { FindAndPrint, ZoomTools } from './toolbar.tsx';
import { useDocumentBytes } from './use-document-bytes.ts';
import { useDocx } from './use-docx.ts';
import classes from './viewer.module.css';

const nothing = () => () => undefined;

/** Keys that are pressed in the frame reach the viewer around it. */
function passKeysOn(frame: HTMLIFrameElement): void {
  frame.contentDocument?.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    const copy = { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true };
    if (!frame.dispatchEvent(new KeyboardEvent('keydown', copy))) event.preventDefault();
  });
}

type DocxViewerProps = FrameProps & { note: ReactNode };

/** Shows the whole document: the pages of a search are not those of the printed document. */
export function DocxViewer({ note, ...frame }: DocxViewerProps) {
  const { id, filename } = frame.document;
  const { data: file, error, refetch } = useDocumentBytes(id, frame.link);
  const element = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const [isFinding, setIsFinding] = useState(false);
  const { docx, hasFailed } = useDocx(isLoaded ? file : undefined, element, frame);
  const state = useSyncExternalStore(docx?.store.subscribe ?? nothing, () => docx?.store.get());
  const print = usePrint(docx && (async (job) => (await import('./docx-print.ts')).printDocx(docx, job)));

  function closeFind(): void {
    setIsFinding(false);
    docx?.find('', 'first');
    element.current?.contentWindow?.focus();
  }

  const openFind = docx && (() => setIsFinding(true));
  return (
    <Frame
      {...frame}
      keys={docx ? { '-': () => docx.zoom(-1), '+': () => docx.zoom(1) } : {}}
      {...(openFind && { onFind: openFind, onPrint: print.start })}
      tools={
        <>
          <PageField page={state?.page} pages={state?.pages} onPage={(page) => docx?.goTo(page)} />
          <ZoomTools scale={state?.zoom} onZoom={docx && ((steps) => docx.zoom(steps))} />
          <FindAndPrint onFind={openFind} onPrint={docx && print.start} />
        </>
      }
      rows={
        <>
          {frame.question && (
            <SingleHitsBar
              current={state?.hits.current ?? 0}
              total={state?.hits.total ?? 0}
              isComplete={state?.isDrawn ?? false}
              onStep={(step) => docx?.goToHit(step)}
            />
          )}
          {isFinding && docx && state && (
            <FindBar found={state.found} onFind={(text, step) => docx.find(text, step)} onClose={closeFind} />
          )}
          <PrintBar {...print} />
          {note}
        </>
      }
    >
      <iframe
        ref={element}
        className={classes.word}
        title={filename}
        sandbox="allow-same-origin"
        srcDoc={emptyPage}
        onLoad={(event) => {
          passKeysOn(event.currentTarget);
          setIsLoaded(true);
        }}
      />
      {!docx && !hasFailed && !error && <Loading />}
      {error && (
        <Message file={frame} onRetry={refetch}>
          {errorText(error, 'The document could not be loaded.')}
        </Message>
      )}
      {hasFailed && <Message file={frame}>This document is damaged and cannot be shown.</Message>}
    </Frame>
  );
}
