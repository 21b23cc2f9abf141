import type { Document } from '@customer-database/contract/documents';
import { ActionIcon, type ActionIconProps, Loader } from '@mantine/core';
import { IconDownload, IconExternalLink, IconTrash } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { useClickOnce } from '../../lib/click-once.ts';
import classes from './documents.module.css';
import { downloadDocument, viewDocument } from './view-and-download.ts';

type IconActionProps = ActionIconProps & {
  icon: ReactNode;
  label: string;
  filename: string;
  busy?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
};

/** Stays enabled while busy: a disabled button would lose the focus. */
function IconAction({ icon, label, filename, busy = false, ...rest }: IconActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      size={32}
      aria-label={`${label} ${filename}`}
      title={label}
      aria-busy={busy}
      {...rest}
    >
      {busy ? <Loader size={16} color="currentColor" /> : icon}
    </ActionIcon>
  );
}

type DocumentActionsProps = {
  document: Document;
  /** Undefined if the user may not delete. */
  onDelete: ((document: Document, button: HTMLElement) => void) | undefined;
};

export function DocumentActions({ document, onDelete }: DocumentActionsProps) {
  const view = useClickOnce(() => viewDocument(document.id));
  const download = useClickOnce(() => downloadDocument(document));
  const { filename } = document;
  return (
    <div className={classes.actions}>
      <IconAction {...view} label="View" filename={filename} icon={<IconExternalLink size={18} />} />
      <IconAction {...download} label="Download" filename={filename} icon={<IconDownload size={18} />} />
      {onDelete && (
        <IconAction
          c="var(--mantine-color-error)"
          label="Delete"
          filename={filename}
          icon={<IconTrash size={18} />}
          onClick={(event) => onDelete(document, event.currentTarget)}
        />
      )}
    </div>
  );
}
