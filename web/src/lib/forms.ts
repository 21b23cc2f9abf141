import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { z } from 'zod';
import { dropBlank } from './url-params.ts';

/** The errors of filters in the URL, which may be typed by hand; undefined if there are none. */
export function useUrlErrors(
  schema: z.ZodType,
  filters: object | undefined,
): Record<string, string> | undefined {
  const errors = JSON.stringify(schemaResolver(schema, { sync: true })(filters ?? {}));
  return useMemo(() => (errors === '{}' ? undefined : JSON.parse(errors)), [errors]);
}

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

/** Shows errors at their fields, in an effect: by then the fields are enabled and can take the focus. */
export function useFieldErrors<Values>(form: UseFormReturnType<Values>, errors?: Record<string, string>) {
  const show = useEffectEvent((shown: Record<string, string>) => {
    form.setErrors(shown);
    focusFirstError(form)(shown);
  });
  useEffect(() => {
    if (errors) show(errors);
  }, [errors]);
}

type DateField = { name: string; label: string };

const isIncompleteDate = (input: unknown): input is HTMLInputElement =>
  input instanceof HTMLInputElement && input.validity.badInput;

/** For `validate`: browsers report an incomplete date as empty, which would pass as no date. */
export function dateErrors<Values>(
  form: Pick<UseFormReturnType<Values>, 'getInputNode'>,
  fields: readonly DateField[],
): Record<string, string> {
  const incomplete = fields.filter(({ name }) => isIncompleteDate(form.getInputNode(name as never)));
  return Object.fromEntries(
    incomplete.map(({ name, label }) => [name, `${label} must be a date like 2026-01-31`]),
  );
}

type SearchFieldsOptions<Values> = {
  /** The submitted search, which the URL holds. */
  values: Values;
  schema: z.ZodType;
  /** The message for each rejected field. */
  errors: Record<string, string> | undefined;
  dates: readonly DateField[];
};

const trimmed = <Values extends Record<string, string>>(values: Values) =>
  Object.fromEntries(Object.entries(values).map(([field, text]) => [field, text.trim()])) as Values;

const isEqual = <Values extends Record<string, string>>(values: Values, others: Values | undefined) =>
  others !== undefined && Object.entries(values).every(([field, text]) => others[field] === text);

/** A form for filters. The submitted search fills it after Back, reload or a shared link. */
export function useSearchFields<Values extends Record<string, string>>(options: SearchFieldsOptions<Values>) {
  const { values, schema, errors, dates } = options;
  const form: UseFormReturnType<Values> = useForm<Values>({
    initialValues: values,
    validate: (typed) => ({
      ...schemaResolver(schema, { sync: true })(dropBlank(typed)),
      ...dateErrors(form, dates),
    }),
  });

  function fillIn(searched: Values): void {
    form.setValues(searched);
    // The form already holds incomplete dates as empty, so setting its values does not clear the inputs.
    for (const { name } of dates) {
      const input: unknown = form.getInputNode(name as never);
      if (isIncompleteDate(input)) input.value = '';
    }
  }

  // The search that this form sent last: the user may type more before the URL shows it.
  const submitted = useRef<Values>(undefined);

  function submit(typed: Values, send: (searched: Values) => void): void {
    const searched = trimmed(typed);
    submitted.current = searched;
    fillIn(searched);
    send(searched);
  }

  const showSearch = useEffectEvent((searched: Values) => {
    if (!isEqual(searched, submitted.current)) fillIn(searched);
    submitted.current = undefined;
  });
  // Compared by value: `values` is a new object on every render.
  const searchedValues = JSON.stringify(values);
  useEffect(() => showSearch(JSON.parse(searchedValues)), [searchedValues]);
  useFieldErrors(form, errors);
  return { form, submit };
}

/** A mutation that never runs twice at the same time, however fast the user clicks. */
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
