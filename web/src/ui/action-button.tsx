import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useClickOnce } from '../lib/click-once.ts';

type ActionButtonProps = Omit<ButtonProps, 'leftSection'> & {
  icon: ReactNode;
  /** Handles its own errors. */
  action: () => Promise<void>;
  children: string;
};

/** Stays enabled while busy: a disabled button would lose the focus. */
export function ActionButton({ icon, action, ...button }: ActionButtonProps) {
  const { busy, onClick } = useClickOnce(action);
  return (
    <Button
      leftSection={busy ? <Loader size={16} color="currentColor" aria-hidden /> : icon}
      aria-busy={busy}
      onClick={onClick}
      {...button}
    />
  );
}
