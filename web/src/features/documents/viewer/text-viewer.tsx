import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { errorText } from '../../../api/client.ts';
import { documentTextQuery } from '../../../api/document-text.ts';
import { documentHitsQuery } from '../../../api/search.ts';
import { TextFacts } from '../text-facts.tsx';
import { FindBar } from './find-bar.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { HitsBar } from './hits-bar.tsx';
import { Loading, Message } from './message.tsx';
import { PageField } from './page-field.tsx';
import { PrintBar, usePrint } from './print-bar.tsx';
import { termsToMark } from './terms-to-mark.ts';
import { useTextFind } from './text-find.ts';
import { TextPages } from './text-pages.tsx';
import { printText } from './text-print.ts';
import { FindAndPrint, ZoomTools } from './toolbar.tsx';

const zoomStep = 1.2;
const zoomLimits = { min: 0.5, max: 4 };

type TextViewerProps = FrameProps & {
  page: number;
  onPage: (page: number) => void;
  /** Of a document that has more than its text. */
  note?: ReactNode;
};

/** The extracted text of a document, for types that browsers cannot draw. */
export function TextViewer({ page, onPage, note, ...frame }: TextViewerProps) {
  const { link, question } = frame;
  const { id } = frame.document;
  const text = useInfiniteQuery(documentTextQuery(id, page, link));
  const { data, error, isPending, hasNextPage, hasPreviousPage } = text;
  const hits = useQuery(documentHitsQuery(id, question, link));
  const insideOfWords = hits.data?.inside_words;
  const terms = useMemo(() => termsToMark(question, insideOfWords), [question, insideOfWords]);
  const [inView, setInView] = useState(page);
  const [zoom, setZoom] = useState(1);
  const [isFinding, setIsFinding] = useState(false);
  const container = useRef<HTMLElement>(null);
  const isComplete = data !== undefined && !hasNextPage && !hasPreviousPage;
  const { found, find } = useTextFind(container, isComplete);
  const [first] = data?.pages ?? [];
  const pages = data?.pages.flatMap((batch) => batch.pages) ?? [];
  const isShown = pages.length > 0;
  const print = usePrint(isShown ? (job) => printText(loadAll, job) : undefined);

  async function loadAll(): Promise<string[]> {
    let all = text;
    while (all.hasPreviousPage && !all.isFetchPreviousPageError)
      all = (await all.fetchPreviousPage()) as typeof text;
    while (all.hasNextPage && !all.isFetchNextPageError) all = (await all.fetchNextPage()) as typeof text;
    return all.data?.pages.flatMap((batch) => batch.pages.map((each) => each.text)) ?? [];
  }

  const loadAllForFind = useEffectEvent(() => void loadAll());
  useEffect(() => {
    if (isFinding) loadAllForFind();
  }, [isFinding]);

  useEffect(() => setInView(page), [page]);

  function zoomBy(steps: 1 | -1): void {
    setZoom(Math.min(Math.max(zoom * zoomStep ** steps, zoomLimits.min), zoomLimits.max));
  }

  function closeFind(): void {
    setIsFinding(false);
    find('', 'first');
    container.current?.focus({ preventScroll: true });
  }

  function goTo(wanted: number): void {
    const target = Math.min(Math.max(wanted, 1), first?.total ?? 1);
    // The page of the URL is scrolled to when it changes.
    if (target === page)
      container.current?.querySelector(`[data-page="${target}"]`)?.scrollIntoView({ block: 'nearest' });
    else onPage(target);
  }

  const openFind = isShown ? () => setIsFinding(true) : undefined;
  return (
    <Frame
      {...frame}
      keys={{ '-': () => zoomBy(-1), '+': () => zoomBy(1) }}
      {...(openFind && { onFind: openFind, onPrint: print.start })}
      tools={
        <>
          <PageField page={isShown ? inView : undefined} pages={first?.total || undefined} onPage={goTo} />
          <ZoomTools scale={zoom} onZoom={isShown ? zoomBy : undefined} />
          <FindAndPrint onFind={openFind} onPrint={isShown ? print.start : undefined} />
        </>
      }
      rows={
        <>
          {(hits.isLoading || hits.data) && (
            <HitsBar pages={hits.data?.pages.map((hit) => hit.page) ?? []} current={page} onPage={onPage} />
          )}
          {isFinding && <FindBar found={found} onFind={find} onClose={closeFind} />}
          <PrintBar {...print} />
          {note}
        </>
      }
    >
      {isPending && <Loading />}
      {error && !first && (
        <Message file={frame} onRetry={text.refetch}>
          {errorText(error, 'The document could not be loaded.')}
        </Message>
      )}
      {first && !isShown && (
        <Message {...(first.state !== 'waiting' && { file: frame })}>
          <TextFacts {...first} />
        </Message>
      )}
      {isShown && (
        <TextPages
          container={container}
          pages={pages}
          page={page}
          terms={terms}
          zoom={zoom}
          onView={setInView}
          {...(hasPreviousPage && { onEarlier: () => text.fetchPreviousPage() })}
          {...(hasNextPage && !text.isFetchNextPageError && { onLater: () => text.fetchNextPage() })}
        />
      )}
    </Frame>
  );
}
