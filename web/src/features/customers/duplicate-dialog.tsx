import type { Customer } from '@customer-database/contract/customers';
import { Anchor } from '@mantine/core';
import { useRef } from 'react';
import { formatDay } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

type DuplicateDialogProps = {
  duplicate: { customer: Customer; text: string } | undefined;
  onSaveAnyway: () => void;
  onCancel: () => void;
};

export function DuplicateDialog({ duplicate, onSaveAnyway, onCancel }: DuplicateDialogProps) {
  // Keeps the text while the dialog fades out.
  const shown = useRef(duplicate);
  shown.current = duplicate ?? shown.current;
  return (
    <ConfirmDialog
      opened={duplicate !== undefined}
      title="Possible duplicate"
      text={shown.current && <Existing {...shown.current} />}
      confirmLabel="Save anyway"
      onConfirm={onSaveAnyway}
      onCancel={onCancel}
    />
  );
}

/** The link opens a new tab, because the form has unsaved changes. */
function Existing({ customer, text }: { customer: Customer; text: string }) {
  const facts = [customer.dob && formatDay(customer.dob), customer.email].filter(Boolean).join(', ');
  return (
    <>
      {text}:{' '}
      <Anchor href={paths.customer(customer.id)} target="_blank" inherit underline="always">
        <bdi>{customer.name}</bdi>
      </Anchor>
      {facts && ` (${facts})`}. Nothing was saved yet.
    </>
  );
}
