import { type ComponentProps, lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { usePageParam } from '../../lib/url-params.ts';
import { Spinner } from '../../ui/spinner.tsx';
import classes from './documents.module.css';

const DocumentViewer = lazy(async () => ({
  default: (await import('./viewer/document-viewer.tsx')).DocumentViewer,
}));

type LazyViewerProps = Omit<ComponentProps<typeof DocumentViewer>, 'page' | 'question'>;

/** Loads the viewer when it is needed. The address names the page, and what a search found there. */
export function LazyViewer(props: LazyViewerProps) {
  const [page] = usePageParam();
  const question = useSearchParams()[0].get('q')?.trim() ?? '';
  return (
    <Suspense
      fallback={
        <div className={classes.viewer} data-fill={props.fill}>
          <Spinner label="Loading document" />
        </div>
      }
    >
      <DocumentViewer key={props.document.id} {...props} page={page} question={question} />
    </Suspense>
  );
}
