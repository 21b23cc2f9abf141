import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import { fieldProps, focusFirstError } from '../lib/forms.ts';
import { Panel } from './panel.tsx';

export type SearchField<Field extends string> = {
  name: Field;
  label: string;
  type?: 'text' | 'tel' | 'date';
};

type SearchFormProps<Field extends string> = {
  /** Names the form for screen readers; the heading of the screen says it to the others. */
  label: string;
  fields: readonly SearchField<Field>[];
  /** What was last searched for; the form shows it again after Back, reload or a shared link. */
  values: Record<Field, string>;
  validate: (values: Record<Field, string>) => Record<string, string>;
  /** Fields that the server refused, each with its text. */
  errors?: Record<string, string> | undefined;
  onSearch: (values: Record<Field, string>) => void;
  onReset: () => void;
};

export function SearchForm<Field extends string>({
  label,
  fields,
  values,
  validate,
  errors,
  onSearch,
  onReset,
}: SearchFormProps<Field>) {
  const form = useForm<Record<string, string>>({
    mode: 'controlled',
    initialValues: values,
    validate: (typed) => validate(typed as Record<Field, string>),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same words are the same search
  useEffect(() => {
    form.setValues(values);
    form.clearErrors();
  }, [JSON.stringify(values)]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal
  useEffect(() => {
    if (!errors) return;
    form.setErrors(errors);
    focusFirstError(form)(errors);
  }, [errors]);

  function reset(): void {
    form.setValues(Object.fromEntries(fields.map(({ name }) => [name, ''])));
    form.clearErrors();
    onReset();
  }

  return (
    <Panel>
      <search aria-label={label}>
        <form
          noValidate
          onSubmit={form.onSubmit((typed) => onSearch(typed as Record<Field, string>), focusFirstError(form))}
        >
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md" verticalSpacing="sm">
            {fields.map(({ name, label: fieldLabel, type = 'text' }) => (
              <TextInput
                key={name}
                {...fieldProps(form, name)}
                label={fieldLabel}
                type={type}
                autoComplete="off"
              />
            ))}
          </SimpleGrid>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={reset}>
              Reset
            </Button>
            <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
              Search
            </Button>
          </Group>
        </form>
      </search>
    </Panel>
  );
}
