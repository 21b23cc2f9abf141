import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorBanner } from './banners.tsx';
import { SubmitButton } from './submit-button.tsx';

type FormProps = Omit<StackProps, 'onSubmit'> & {
  onSubmit: ComponentProps<'form'>['onSubmit'];
  failure: string | undefined;
  children: ReactNode;
};

/** A form whose failure is shown above its fields. Takes what `useFormSubmit` returns. */
export function Form({ onSubmit, failure, children, ...stack }: FormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack {...stack}>
        {failure && <ErrorBanner text={failure} />}
        {children}
      </Stack>
    </form>
  );
}

type FormButtonsProps = {
  onCancel: () => void;
  busy?: boolean;
  busyLabel?: string;
  /** On the button that submits. */
  children: string;
};

/** The last row of a form. */
export function FormButtons({ onCancel, busy = false, ...submit }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={() => onCancel()}>
        Cancel
      </Button>
      <SubmitButton busy={busy} {...submit} />
    </Group>
  );
}
