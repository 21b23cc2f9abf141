import type { LinkedDocument as Shown } from '@customer-database/contract/documents';
import { Box, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { IconLinkOff } from '@tabler/icons-react';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError, errorText } from '../../api/client.ts';
import { linkedDocumentQuery } from '../../api/linked-documents.ts';
import { paths } from '../../lib/paths.ts';
import { pageIn } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import classes from './documents.module.css';
import { DownloadButton } from './download-button.tsx';
import { LazyViewer, viewerQuery } from './lazy-viewer.tsx';

/** The signed link that this tab was opened with. The fragment is ours. */
const openedLink = () => window.location.href.split('#', 1)[0] ?? '';

/** Shows only the document of a signed link. There may be no session. */
export function LinkedDocument() {
  const id = Number(useParams().id);
  const link = openedLink();
  const { data: document, error, refetch } = useQuery(linkedDocumentQuery(id, link));
  // In parallel with the document.
  usePrefetchQuery(viewerQuery);
  return (
    <main>
      {document && <Window document={document} link={link} />}
      {error && <Failure id={id} error={error} onRetry={refetch} />}
      {!document && !error && <Spinner label="Loading document" />}
      <Notifications position="bottom-right" />
    </main>
  );
}

function Window({ document, link }: { document: Shown; link: string }) {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const found = new URLSearchParams(hash.slice(1));
  const question = found.get('q')?.trim() ?? '';

  function goTo(page: number): void {
    found.set('page', String(page));
    void navigate({ search, hash: String(found) }, { replace: true });
  }

  return (
    <>
      <title>{document.filename}</title>
      <LazyViewer
        document={document}
        link={link}
        fill
        page={pageIn(found)}
        question={question}
        onPage={goTo}
        start={
          <Title
            order={1}
            size="h5"
            dir="auto"
            className={classes.windowTitle ?? ''}
            title={document.filename}
          >
            {document.filename}
          </Title>
        }
        end={
          <DownloadButton document={document} link={link} size="xs">
            Download
          </DownloadButton>
        }
      />
    </>
  );
}

type FailureProps = { id: number; error: Error; onRetry: () => void };

function Failure({ id, error, onRetry }: FailureProps) {
  const isDead = error instanceof ApiError && [400, 403].includes(error.status);
  const text = errorText(error, 'The document could not be loaded.');
  return (
    <Box p="lg" maw={720} mx="auto">
      <Screen title={isDead ? 'This link does not work any more' : 'Document not shown'}>
        {isDead ? (
          <Empty
            icon={<IconLinkOff />}
            title={text}
            action={<LinkButton to={paths.document(id)}>Open the document</LinkButton>}
          />
        ) : (
          <ErrorBanner text={text} onRetry={onRetry} />
        )}
      </Screen>
    </Box>
  );
}
