import type { Customer } from '@customer-database/contract/customers';
import { Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { z } from 'zod';
import { customerQuery, forgetCustomers } from '../../api/customers.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useUser } from '../../api/session.ts';
import { fieldProps, validateWith } from '../../lib/forms.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.tsx';
import type { CustomerField, CustomerValues } from './customer-values.ts';

type CustomerFormProps = {
  initialValues: CustomerValues;
  schema: z.ZodType;
  required: readonly CustomerField[];
  /** Tells this form from the others whose unsaved input is kept. */
  draftName: string;
  submitLabel: string;
  cancelTo: string;
  save: (values: CustomerValues) => Promise<{ customer: Customer; done: string }>;
  failureText: string;
  /** Stands below the form; gets what to call before leaving without being asked. */
  footer?: (leave: () => void) => ReactNode;
};

export function CustomerForm(props: CustomerFormProps) {
  const { initialValues, schema, required, save, failureText } = props;
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form: UseFormReturnType<CustomerValues> = useForm<CustomerValues>({
    mode: 'controlled',
    initialValues,
    validate: (values) => ({ ...validateWith(schema)(values), ...halfTypedDate(form.getInputNode('dob')) }),
  });
  const unsaved = useUnsavedChanges({
    form,
    draftKey: `user ${userId}, ${props.draftName}`,
    signInPath: paths.login,
  });

  async function saveAndShow(values: CustomerValues): Promise<void> {
    const { customer, done } = await save(values);
    unsaved.forget();
    queryClient.setQueryData(customerQuery(String(customer.id)).queryKey, customer);
    forgetCustomers(queryClient);
    showSuccess(done);
    await navigate(paths.customer(customer.id), { replace: true });
  }
  const { onSubmit, busy, failure } = useFormSubmit(form, saveAndShow, failureText);

  const field = (name: CustomerField) => ({
    ...fieldProps(form, name),
    required: required.includes(name),
    autoComplete: 'off',
  });

  return (
    <Stack gap="lg" maw={860}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="lg">
          <Panel title="Person">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <TextInput label="Name" {...field('name')} />
              <TextInput label="Date of Birth" type="date" max={today()} {...field('dob')} />
              <TextInput label="Email" type="email" {...field('email')} />
              <TextInput label="Phone number" type="tel" {...field('phone_number')} />
            </SimpleGrid>
          </Panel>
          <Panel title="Address">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <TextInput label="Street line" {...field('street_line')} />
              <TextInput label="City" {...field('city')} />
              <TextInput label="Province" {...field('province')} />
              <TextInput label="Country" {...field('country')} />
            </SimpleGrid>
          </Panel>
          {failure && <ErrorBanner text={failure} />}
          <Group justify="flex-end">
            <LinkButton to={props.cancelTo} variant="default">
              Cancel
            </LinkButton>
            <SubmitButton busy={busy}>{props.submitLabel}</SubmitButton>
          </Group>
        </Stack>
      </form>
      {props.footer?.(unsaved.forget)}
      {unsaved.dialog}
    </Stack>
  );
}

/** The browser hands out a half-typed date as an empty one, which would clear the date on saving. */
function halfTypedDate(input: unknown): Record<string, string> {
  const isHalfTyped = input instanceof HTMLInputElement && input.validity.badInput;
  return isHalfTyped ? { dob: 'Date of Birth must be a date like 2026-01-31' } : {};
}

/** In the reader's time zone, as date fields want it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
