import { Pill } from '@mantine/core';

/** A filter that was chosen elsewhere and can only be removed. */
export function RemovablePill({ children, onRemove }: { children: string; onRemove: () => void }) {
  return (
    <Pill
      size="md"
      dir="auto"
      title={children}
      bg="var(--surface)"
      style={{ boxShadow: 'inset 0 0 0 1px var(--hairline)' }}
      withRemoveButton
      onRemove={onRemove}
      // Mantine hides it from the keyboard and from screen readers.
      removeButtonProps={{ 'aria-label': `Remove ${children}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  );
}
