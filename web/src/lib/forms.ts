import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';

/** For `useForm({ validate })`: the contract's own texts, the first one per field. */
export function validateWith(schema: z.ZodType) {
  return (values: unknown): Record<string, string> => {
    const errors: Record<string, string> = {};
    for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
      errors[path.join('.')] ??= message;
    }
    return errors;
  };
}

/** All that ties an input to its field of the form. */
export function fieldProps<Values>(form: UseFormReturnType<Values>, name: keyof Values & string) {
  return { ...form.getInputProps(name), name };
}

/** For `form.onSubmit(send, focusFirstError(form))`. */
export function focusFirstError<Values>(form: Pick<UseFormReturnType<Values>, 'getInputNode'>) {
  return (errors: Record<string, unknown>) => {
    const nodes = Object.keys(errors)
      .map((field) => form.getInputNode(field as never) as HTMLElement | null)
      .filter((node) => node !== null);
    nodes.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    nodes[0]?.focus();
  };
}

/** A mutation that is under way at most once, however fast somebody clicks. */
export function useSubmit<Input, Result>(send: (input: Input) => Promise<Result>) {
  const running = useRef(false);
  const mutation = useMutation({
    mutationFn: send,
    onSettled: () => {
      running.current = false;
    },
  });
  function submit(input: Input): void {
    if (running.current) return;
    running.current = true;
    mutation.mutate(input);
  }
  return { ...mutation, submit };
}
