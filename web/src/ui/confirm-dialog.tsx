import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  busy?: boolean;
  /** For what can be undone. */
  harmless?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before an action with consequences. Cancel has the focus. */
export function ConfirmDialog({
  opened,
  title,
  text,
  confirmLabel,
  cancelLabel = 'Cancel',
  busy = false,
  harmless = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {cancelLabel}
        </Button>
        <Button {...(harmless ? {} : { color: 'red.9' })} onClick={onConfirm} loading={busy}>
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
