import { Button, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useClickOnce } from '../../lib/click-once.ts';
import { paths } from '../../lib/paths.ts';
import classes from './documents.module.css';
import { LazyViewer } from './lazy-viewer.tsx';
import { LoadedDocument } from './loaded-document.tsx';
import { downloadDocument } from './view-and-download.ts';

/** Nothing but the document, in a tab of its own. */
export function DocumentWindow() {
  return (
    <main>
      <LoadedDocument>
        {(document) => (
          <>
            <title>{document.filename}</title>
            <LazyViewer
              document={document}
              fill
              pathOf={paths.viewDocument}
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
              end={<Download id={document.id} />}
            />
          </>
        )}
      </LoadedDocument>
      <Notifications position="bottom-right" />
    </main>
  );
}

function Download({ id }: { id: number }) {
  const { busy, onClick } = useClickOnce(() => downloadDocument(id));
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      aria-busy={busy}
      onClick={onClick}
    >
      Download
    </Button>
  );
}
