import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFileAlert } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Spinner } from '../../../ui/spinner.tsx';
import { DownloadButton } from '../download-button.tsx';
import type { FrameProps } from './frame.tsx';
import classes from './viewer.module.css';

type MessageProps = {
  children: ReactNode;
  /** Offered as a download, if it cannot be shown. */
  file?: Pick<FrameProps, 'document' | 'link'>;
  onRetry?: () => unknown;
};

/** Shown in place of the document. */
export function Message({ children, file, onRetry }: MessageProps) {
  return (
    <Stack className={classes.cover ?? ''} align="center" justify="center" role="status">
      <IconFileAlert size={32} stroke={1.5} aria-hidden />
      <Text ta="center">{children}</Text>
      <Group justify="center">
        {onRetry && (
          <Button variant="default" onClick={() => onRetry()}>
            Try again
          </Button>
        )}
        {file && (
          <DownloadButton document={file.document} link={file.link}>
            Download the file
          </DownloadButton>
        )}
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
