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

type LazyViewerProps = Omit<ComponentProps<typeof DocumentViewer>, 'page' | 'question'>;

/** Loads the viewer when it is needed. The address names the page, and what a search found there. */
export function LazyViewer(props: LazyViewerProps) {
  const { data: viewer } = useQuery(viewerQuery);
  const [page] = usePageParam();
  const question = useSearchParams()[0].get('q')?.trim() ?? '';
  if (!viewer) {
    return (
      <div className={classes.viewer} data-fill={props.fill}>
        <Spinner label="Loading document" />
      </div>
    );
  }
  return <viewer.DocumentViewer key={props.document.id} {...props} page={page} question={question} />;
}
