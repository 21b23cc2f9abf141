import { Textarea, type TextareaProps } from '@mantine/core';

/** The description of a document, which grows with its text. */
export function DescriptionField(props: TextareaProps) {
  return (
    <Textarea
      {...props}
      label="Description (optional)"
      autoComplete="off"
      dir="auto"
      autosize
      minRows={3}
      maxRows={10}
    />
  );
}
