import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileAlert } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useClickOnce } from '../../../lib/click-once.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { downloadDocument } from '../view-and-download.ts';
import type { FrameProps } from './frame.tsx';
import classes from './viewer.module.css';

type MessageProps = {
  children: ReactNode;
  /** Offered as a download, if it cannot be shown. */
  file?: DownloadProps;
  onRetry?: () => unknown;
};

/** In place of the document. */
export function Message({ children, file, onRetry }: MessageProps) {
  return (
    <Stack className={classes.cover ?? ''} align="center" justify="center" role="status">
      <IconFileAlert size={32} stroke={1.5} aria-hidden />
      <Text ta="center">{children}</Text>
      <Group justify="center">
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {file && <DownloadInstead {...file} />}
      </Group>
    </Stack>
  );
}

export function Loading() {
  return (
    <div className={classes.cover}>
      <Spinner label="Loading document" />
    </div>
  );
}

type DownloadProps = Pick<FrameProps, 'document' | 'link'>;

function DownloadInstead({ document, link }: DownloadProps) {
  const { busy, onClick } = useClickOnce(() => downloadDocument(document, link));
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      aria-busy={busy}
      onClick={onClick}
    >
      Download the file
    </Button>
  );
}
