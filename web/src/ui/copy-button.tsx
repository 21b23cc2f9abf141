import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Not rendered where the clipboard is unavailable (no TLS); the text can still be selected. */
export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 3_000 });
  if (!('clipboard' in navigator)) return null;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(value)}>
      <span aria-live="polite">{error ? 'Copying failed' : copied ? 'Copied' : label}</span>
    </Button>
  );
}
