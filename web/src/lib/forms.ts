import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
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

/** Shows what was refused at its fields, once per refusal; not before they are enabled and able to take the focus. */
export function useRefusedFields<Values>(form: UseFormReturnType<Values>, refused?: Record<string, string>) {
  const show = useEffectEvent((errors: Record<string, string>) => {
    form.setErrors(errors);
    focusFirstError(form)(errors);
  });
  useEffect(() => {
    if (refused) show(refused);
  }, [refused]);
}

type DateField = { name: string; label: string };

const isHalfTyped = (input: unknown): input is HTMLInputElement =>
  input instanceof HTMLInputElement && input.validity.badInput;

/** For `validate`: the browser hands out a half-typed date as an empty one, which would pass for none. */
export function halfTypedDates<Values>(
  form: Pick<UseFormReturnType<Values>, 'getInputNode'>,
  fields: readonly DateField[],
): Record<string, string> {
  const halfTyped = fields.filter(({ name }) => isHalfTyped(form.getInputNode(name as never)));
  return Object.fromEntries(
    halfTyped.map(({ name, label }) => [name, `${label} must be a date like 2026-01-31`]),
  );
}

/** To the form they are empty already, so that emptying it leaves them as they are. */
export function clearHalfTypedDates<Values>(
  form: Pick<UseFormReturnType<Values>, 'getInputNode'>,
  fields: readonly DateField[],
): void {
  for (const { name } of fields) {
    const input: unknown = form.getInputNode(name as never);
    if (isHalfTyped(input)) input.value = '';
  }
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
