import { type Customer, type CustomerField, customerLabels } from '@customer-database/contract/customers';
import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { z } from 'zod';
import { errorText } from '../../api/client.ts';
import { customerQuery, findDuplicate, invalidateCustomers, type SaveOptions } from '../../api/customers.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useUserKey } from '../../api/session.ts';
import { dateErrors, fieldProps } from '../../lib/forms.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import type { CustomerValues } from './customer-values.ts';
import { DuplicateDialog } from './duplicate-dialog.tsx';

const dateOfBirth = { name: 'dob', label: customerLabels.dob };

export type CustomerFormState = UseFormReturnType<CustomerValues>;

export function useCustomerForm(initialValues: CustomerValues, schema: z.ZodType): CustomerFormState {
  const form: CustomerFormState = useForm<CustomerValues>({
    initialValues,
    validate: (values) => ({
      ...schemaResolver(schema, { sync: true })(values),
      ...dateErrors(form, [dateOfBirth]),
    }),
  });
  return form;
}

/** `customer` is set if the server returns the saved record; `path` is the next screen. */
export type Saved = { customer: Customer | undefined; path: string; message: string };

type CustomerFormProps = {
  form: CustomerFormState;
  required: readonly CustomerField[];
  /** Identifies this form's draft among those of the user. */
  draftName: string;
  submitLabel: string;
  /** Where Cancel goes if there is no previous screen. */
  fallbackPath: string;
  /** Resolves to undefined if the user has to decide something first. */
  save: (values: CustomerValues, options: SaveOptions) => Promise<Saved | undefined>;
  failureText: string;
  /** Rendered above the buttons. */
  question?: (submit: () => void) => ReactNode;
  /** Rendered below the form. Call `discard` before leaving without a prompt. */
  footer?: (discard: () => void) => ReactNode;
};

export function CustomerForm(props: CustomerFormProps) {
  const { form, required, failureText } = props;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const goBack = useGoBack(props.fallbackPath);
  const [duplicate, setDuplicate] = useState<{ customer: Customer; text: string }>();
  const isDuplicateAccepted = useRef(false);
  const unsaved = useUnsavedChanges({
    form,
    draftKey: `user ${useUserKey()}, ${props.draftName}`,
  });

  async function saveOrAsk(values: CustomerValues): Promise<Saved | undefined> {
    const checkDuplicates = !isDuplicateAccepted.current;
    isDuplicateAccepted.current = false;
    try {
      return await props.save(values, { checkDuplicates });
    } catch (error) {
      const customer = findDuplicate(error);
      if (!customer) throw error;
      setDuplicate({ customer, text: errorText(error, 'This customer may exist already') });
      return undefined;
    }
  }

  async function saveAndShow(values: CustomerValues): Promise<void> {
    const saved = await saveOrAsk(values);
    if (!saved) return;
    unsaved.discard();
    const { customer, path, message } = saved;
    if (customer) queryClient.setQueryData(customerQuery(String(customer.id)).queryKey, customer);
    invalidateCustomers(queryClient);
    showSuccess(message);
    await navigate(path, { replace: true });
  }
  const { onSubmit, busy, failure } = useFormSubmit(form, saveAndShow, failureText);

  function saveAnyway(): void {
    isDuplicateAccepted.current = true;
    setDuplicate(undefined);
    onSubmit();
  }

  const field = (name: CustomerField) => ({
    ...fieldProps(form, name),
    label: customerLabels[name],
    required: required.includes(name),
    autoComplete: 'off',
  });

  return (
    <Stack gap="lg" maw={860}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="lg">
          <Panel title="Person">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <TextInput {...field('name')} />
              <TextInput type="date" max={today()} {...field('dob')} />
              <TextInput type="email" {...field('email')} />
              <TextInput type="tel" {...field('phone_number')} />
            </SimpleGrid>
          </Panel>
          <Panel title="Address">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <TextInput {...field('street_line')} />
              <TextInput {...field('city')} />
              <TextInput {...field('province')} />
              <TextInput {...field('country')} />
            </SimpleGrid>
          </Panel>
          {failure && <ErrorBanner text={failure} />}
          {props.question?.(onSubmit)}
          <FormButtons onCancel={goBack} busy={busy}>
            {props.submitLabel}
          </FormButtons>
        </Stack>
      </form>
      {props.footer?.(unsaved.discard)}
      <DuplicateDialog
        duplicate={duplicate}
        onSaveAnyway={saveAnyway}
        onCancel={() => setDuplicate(undefined)}
      />
      {unsaved.dialog}
    </Stack>
  );
}

/** In the user's time zone, in the format of date inputs. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
