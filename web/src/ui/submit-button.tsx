import { Button, type ButtonProps, Loader } from '@mantine/core';

type SubmitButtonProps = Omit<ButtonProps, 'loading' | 'disabled'> & {
  busy: boolean;
  busyLabel?: string;
  children: string;
};

/** Not disabled while busy, because that would lose the focus; the form prevents double submission. */
export function SubmitButton({ busy, busyLabel, children, leftSection, ...button }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      aria-disabled={busy}
      leftSection={busy ? <Loader size={16} color="currentColor" aria-hidden /> : leftSection}
      {...button}
    >
      {busy ? (busyLabel ?? children) : children}
    </Button>
  );
}
