import type { UseFormReturnType } from '@mantine/form';
import { focusFirstError, useSubmit } from '../lib/forms.ts';
import { ApiError, errorText } from './client.ts';

/** The refused fields, when the form has a place for each of them. */
function fieldsOf(error: unknown, values: object): Record<string, string> | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const names = Object.keys(error.fields);
  return names.length > 0 && names.every((name) => name in values) ? error.fields : undefined;
}

/**
 * Sends a form once at a time. What the server refuses is shown at the fields, where the first gets
 * the focus; every other failure is the `failure` text, for a banner. With `place` 'banner' all texts
 * go there, and the refused fields are only marked.
 */
export function useFormSubmit<Values extends object>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  fallback: string,
  place: 'fields' | 'banner' = 'fields',
) {
  const { submit, reset, isPending, error } = useSubmit(async (values: Values) => {
    try {
      await send(values);
    } catch (failure) {
      const fields = fieldsOf(failure, values);
      if (fields) {
        const marks = Object.keys(fields).map((name) => [name, true]);
        form.setErrors(place === 'fields' ? fields : Object.fromEntries(marks));
        focusFirstError(form)(fields);
      }
      throw failure;
    }
  });
  const isShownAtFields = place === 'fields' && fieldsOf(error, form.values) !== undefined;
  return {
    onSubmit: form.onSubmit(submit, (errors) => {
      reset();
      focusFirstError(form)(errors);
    }),
    busy: isPending,
    failure: error && !isShownAtFields ? errorText(error, fallback) : undefined,
  };
}
