import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { errorText } from '../../../api/client.ts';
import { documentTextQuery } from '../../../api/document-text.ts';
import { documentHitsQuery } from '../../../api/search.ts';
import { TextFacts } from '../text-facts.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { HitsBar } from './hits-bar.tsx';
import { Loading, Message } from './message.tsx';
import { TextPages } from './text-pages.tsx';

type TextViewerProps = FrameProps & { page: number; onPage: (page: number) => void };

/** The extracted text of a document, for types that browsers cannot draw. */
export function TextViewer({ page, onPage, ...frame }: TextViewerProps) {
  const { id } = frame.document;
  const { link } = frame;
  const { data, error, isPending, refetch, ...more } = useInfiniteQuery(documentTextQuery(id, page, link));
  const hits = useQuery(documentHitsQuery(id, frame.question, link));
  const [first] = data?.pages ?? [];
  const pages = data?.pages.flatMap((batch) => batch.pages) ?? [];
  return (
    <Frame
      {...frame}
      rows={
        (hits.isLoading || hits.data) && (
          <HitsBar pages={hits.data?.map((hit) => hit.page) ?? []} current={page} onPage={onPage} />
        )
      }
    >
      {isPending && <Loading />}
      {error && !first && (
        <Message file={frame} onRetry={refetch}>
          {errorText(error, 'The document could not be loaded.')}
        </Message>
      )}
      {first && pages.length === 0 && (
        <Message {...(first.state !== 'waiting' && { file: frame })}>
          <TextFacts {...first} />
        </Message>
      )}
      {pages.length > 0 && (
        <TextPages
          pages={pages}
          page={page}
          question={frame.question}
          {...(more.hasPreviousPage && { onEarlier: () => more.fetchPreviousPage() })}
          {...(more.hasNextPage && !more.isFetchNextPageError && { onLater: () => more.fetchNextPage() })}
        />
      )}
    </Frame>
  );
}
