import { NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout } from '@tabler/icons-react';
import { signOut } from '../../api/auth.ts';
import { clearUploads, isUploading } from '../../features/documents/queue/queue.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import classes from './menu.module.css';

/** Asks first if files are being uploaded. */
export function SignOut() {
  const [isAsking, { open, close }] = useDisclosure(false);

  function leave(): void {
    clearUploads();
    void signOut();
  }

  return (
    <>
      <NavLink
        component="button"
        label="Sign out"
        leftSection={<IconLogout size={18} stroke={1.7} aria-hidden />}
        className={classes.link ?? ''}
        onClick={() => (isUploading() ? open() : leave())}
      />
      <ConfirmDialog
        opened={isAsking}
        title="Sign out and stop uploading?"
        text="Files that are not uploaded yet will not be uploaded."
        confirmLabel="Sign out"
        cancelLabel="Stay here"
        onCancel={close}
        onConfirm={leave}
      />
    </>
  );
}
