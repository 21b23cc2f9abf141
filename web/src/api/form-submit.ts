import type { UseFormReturnType } from '@mantine/form';
import { focusFirstError, useSubmit } from '../lib/forms.ts';
import { errorText, rejectedFields } from './client.ts';

/**
 * Allows one submission at a time. Fields that the server rejects show its messages, and the first gets
 * the focus; any other error becomes `failure`, for a banner. With `showErrorsIn` 'banner' all messages
 * go there, and the rejected fields are only marked.
 */
export function useFormSubmit<Values extends object>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  fallback: string,
  showErrorsIn: 'fields' | 'banner' = 'fields',
) {
  const { submit, reset, isPending, error } = useSubmit(async (values: Values) => {
    try {
      await send(values);
    } catch (failure) {
      const fields = rejectedFields(failure, Object.keys(values));
      if (fields) {
        const marks = Object.keys(fields).map((name) => [name, true]);
        form.setErrors(showErrorsIn === 'fields' ? fields : Object.fromEntries(marks));
        focusFirstError(form)(fields);
      }
      throw failure;
    }
  });
  const isShownAtFields =
    showErrorsIn === 'fields' && rejectedFields(error, Object.keys(form.values)) !== undefined;
  return {
    onSubmit: form.onSubmit(submit, (errors) => {
      reset();
      focusFirstError(form)(errors);
    }),
    busy: isPending,
    failure: error && !isShownAtFields ? errorText(error, fallback) : undefined,
  };
}
