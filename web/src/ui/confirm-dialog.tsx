import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  busy?: boolean;
  /** The action can be undone. */
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
    <Modal opened={opened} onClose={onCancel} title={title}>
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

type Question = Pick<ConfirmDialogProps, 'title' | 'text' | 'confirmLabel' | 'harmless'>;

/** Acts on a target once the user has confirmed it. Render `dialog`; `ask` opens it. */
export function useConfirmation<Target>(
  act: (target: Target) => void,
  questionAbout: (target: Target) => Question,
) {
  const [target, setTarget] = useState<Target>();
  const close = () => setTarget(undefined);

  function confirm(confirmed: Target): void {
    close();
    act(confirmed);
  }

  const dialog = target && (
    <ConfirmDialog opened {...questionAbout(target)} onConfirm={() => confirm(target)} onCancel={close} />
  );
  return { ask: (asked: Target) => setTarget(asked), dialog };
}
