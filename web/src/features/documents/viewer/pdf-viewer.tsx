import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { errorText, isNotFound } from '../../../api/client.ts';
import { documentHitsQuery } from '../../../api/search.ts';
import { FindBar } from './find-bar.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { HitsBar, SingleHitsBar } from './hits-bar.tsx';
import { Loading, Message } from './message.tsx';
import classes from './pdf.module.css';
import type { Pdf } from './pdf-engine.ts';
import { printPdf } from './pdf-print.ts';
import { PdfThumbnails } from './pdf-thumbnails.tsx';
import { PdfTools, pdfKeys } from './pdf-tools.tsx';
import { PrintBar, usePrint } from './print-bar.tsx';
import { termsToMark } from './terms-to-mark.ts';
import { useDocumentBytes } from './use-document-bytes.ts';
import { usePdf } from './use-pdf.ts';

/** PDF.js names its errors. */
function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'Protected with a password';
  if (name === 'InvalidPDFException') return 'This PDF is damaged and cannot be shown.';
  return 'This PDF cannot be shown.';
}

const nothing = () => () => undefined;

type PdfViewerProps = FrameProps & {
  /** The first page to show. Of a preview, the pages are not those of the search: its hits are counted here. */
  page?: number;
  /** Shows the preview of a Word document, and calls this if it cannot be shown. */
  onNoPreview?: () => void;
};

export function PdfViewer({ page, onNoPreview, ...frame }: PdfViewerProps) {
  const bytes = useDocumentBytes(frame.document.id, frame.link, onNoPreview ? 'preview' : 'document');
  const { container, pdf, error } = usePdf(bytes.data);
  const state = useSyncExternalStore(pdf?.store.subscribe ?? nothing, () => pdf?.store.get());
  const { hitPages, mark } = useHits(pdf, frame, page);
  const [isFinding, setIsFinding] = useState(false);
  const hasNoPreview = onNoPreview !== undefined && (error !== undefined || isNotFound(bytes.error));
  const giveUp = useEffectEvent(() => onNoPreview?.());
  useEffect(() => {
    if (hasNoPreview) giveUp();
  }, [hasNoPreview]);
  const print = usePrint(pdf && ((job) => printPdf(pdf.document, job)));

  function closeFind(): void {
    setIsFinding(false);
    mark();
    container.current?.focus({ preventScroll: true });
  }

  const openFind = () => setIsFinding(true);
  return (
    <Frame
      {...frame}
      keys={pdf ? pdfKeys(pdf) : {}}
      tools={<PdfTools pdf={pdf} state={state} onFind={openFind} onPrint={print.start} />}
      rows={
        <>
          {hitPages && (
            <HitsBar
              pages={hitPages}
              current={state?.page ?? page ?? 1}
              onPage={(hit) => pdf?.goToHit(hit)}
            />
          )}
          {frame.question && page === undefined && !isFinding && (
            <SingleHitsBar
              current={state?.found.current ?? 0}
              total={state?.found.total ?? 0}
              isComplete={state?.found.isPending === false}
              onStep={(step) => pdf?.stepToMark(step)}
            />
          )}
          {isFinding && pdf && state && (
            <FindBar found={state.found} onFind={(text, step) => pdf.find(text, step)} onClose={closeFind} />
          )}
          <PrintBar {...print} />
        </>
      }
      {...(pdf && { onFind: openFind, onPrint: print.start })}
    >
      <div className={classes.pdf}>
        <div className={classes.strip}>{pdf && state && <PdfThumbnails pdf={pdf} state={state} />}</div>
        <div className={classes.pages}>
          {/* biome-ignore lint/a11y/useSemanticElements: PDF.js accepts nothing but a div */}
          <div
            ref={container}
            className={classes.scroll}
            data-loading={!pdf || undefined}
            role="region"
            aria-label="Pages"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
            tabIndex={0}
          />
        </div>
      </div>
      {!pdf && (hasNoPreview || (!error && !bytes.error)) && <Loading />}
      {bytes.error && !hasNoPreview && (
        <Message file={frame} onRetry={bytes.refetch}>
          {errorText(bytes.error, 'The document could not be loaded.')}
        </Message>
      )}
      {error !== undefined && !hasNoPreview && <Message file={frame}>{reasonOf(error)}</Message>}
    </Frame>
  );
}

/** Goes to the page that a search found, and marks what it searched for. */
function useHits(pdf: Pdf | undefined, { document, link, question }: FrameProps, page: number | undefined) {
  const { data, isLoading } = useQuery(documentHitsQuery(document.id, question, link));
  const insideOfWords = data?.inside_words;
  const mark = () => pdf?.mark(termsToMark(question, insideOfWords), page);
  const markQuestion = useEffectEvent(mark);
  useEffect(() => {
    if (page !== undefined && page > 1) pdf?.goTo(page);
    if (question) markQuestion();
  }, [pdf, question, page]);
  useEffect(() => {
    if (insideOfWords) markQuestion();
  }, [insideOfWords]);
  const showHits = useEffectEvent(() => {
    if (page === undefined) return;
    pdf?.showHits(data?.pages ?? []);
    if (data && pdf?.store.get().page === page) pdf.goToHit(page);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an effect event sees the newest values
  useEffect(() => showHits(), [pdf, data]);
  const hitPages = isLoading ? [] : data?.pages.map((hit) => hit.page);
  return { hitPages: page === undefined ? undefined : hitPages, mark };
}
