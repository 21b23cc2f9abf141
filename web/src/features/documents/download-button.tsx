import { IconDownload } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { downloadDocument } from './view-and-download.ts';

type DownloadButtonProps = Omit<ComponentProps<typeof ActionButton>, 'icon' | 'action'> & {
  document: Parameters<typeof downloadDocument>[0];
  /** The signed link that shows the document; without one it is fetched in the session. */
  link?: string | undefined;
};

export function DownloadButton({ document, link, ...button }: DownloadButtonProps) {
  return (
    <ActionButton
      variant="default"
      icon={<IconDownload size={16} aria-hidden />}
      action={() => downloadDocument(document, link)}
      {...button}
    />
  );
}
