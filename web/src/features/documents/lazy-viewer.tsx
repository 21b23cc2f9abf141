import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useSearchParams } from 'react-router';
import { usePageParam } from '../../lib/url-params.ts';
import { Spinner } from '../../ui/spinner.tsx';
import classes from './documents.module.css';
import type { DocumentViewer } from './viewer/document-viewer.tsx';

/** No `lazy`: after a fallback, React waits 300 ms before it shows what was loaded. */
export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: () => import('./viewer/document-viewer.tsx'),
  staleTime: Number.POSITIVE_INFINITY,
  throwOnError: true,
});

type ViewerProps = ComponentProps<typeof DocumentViewer>;

/** The URL has the page and the question of a search. */
export function ViewerAtUrl(props: Pick<ViewerProps, 'document'>) {
  const [page, setPage] = usePageParam();
  const question = useSearchParams()[0].get('q')?.trim() ?? '';
  const onPage = (hit: number) => setPage(hit, { replace: true, preventScrollReset: true });
  return <LazyViewer {...props} page={page} question={question} onPage={onPage} />;
}

export function LazyViewer(props: ViewerProps) {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) {
    return (
      <div className={classes.viewer} data-fill={props.fill}>
        <Spinner label="Loading document" />
      </div>
    );
  }
  return <viewer.DocumentViewer key={props.document.id} {...props} />;
}
