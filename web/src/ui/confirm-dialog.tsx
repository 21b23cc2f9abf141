import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
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
        <Button {...(harmless ? {} : { color: 'red.9' })} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}

type Question = Pick<ConfirmDialogProps, 'title' | 'text' | 'confirmLabel' | 'harmless'>;

const noQuestion: Question = { title: '', text: '', confirmLabel: '' };

/** Acts on a target once the user has confirmed it. Render `dialog`; `ask` opens it. */
export function useConfirmation<Target>(
  act: (target: Target) => void,
  questionAbout: (target: Target) => Question,
) {
  const [opened, { open, close }] = useDisclosure(false);
  // Kept while the dialog fades out.
  const [target, setTarget] = useState<Target>();

  function ask(asked: Target): void {
    setTarget(asked);
    open();
  }

  function confirm(): void {
    close();
    if (target !== undefined) act(target);
  }

  const question = target === undefined ? noQuestion : questionAbout(target);
  const dialog = <ConfirmDialog opened={opened} {...question} onConfirm={confirm} onCancel={close} />;
  return { ask, dialog };
}
