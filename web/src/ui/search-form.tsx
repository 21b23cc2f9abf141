import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  clearIncompleteDates,
  dateErrors,
  fieldProps,
  focusFirstError,
  useFieldErrors,
} from '../lib/forms.ts';
import { Panel } from './panel.tsx';
import { UserText } from './user-text.tsx';

export type SearchField<Field extends string> = {
  name: Field;
  label: string;
  type?: 'text' | 'tel' | 'date';
};

type SearchFormProps<Field extends string> = {
  /** Names the form for screen readers. */
  label: string;
  fields: readonly SearchField<Field>[];
  /** The submitted search; fills the form after Back, reload or a shared link. */
  values: Record<Field, string>;
  validate: (values: Record<Field, string>) => Record<string, string>;
  /** The server's message for each rejected field. */
  errors?: Record<string, string> | undefined;
  onSearch: (values: Record<Field, string>) => void;
  onReset: () => void;
};

const isFilled = (values: Record<string, string>) => Object.values(values).some((text) => text.trim() !== '');

/** On phones it collapses to one line after a search, so that the results are visible. */
export function SearchForm<Field extends string>({
  label,
  fields,
  values,
  validate,
  errors,
  onSearch,
  onReset,
}: SearchFormProps<Field>) {
  const dates = fields.filter(({ type }) => type === 'date');
  const form: UseFormReturnType<Record<string, string>> = useForm<Record<string, string>>({
    mode: 'controlled',
    initialValues: values,
    validate: (typed) => ({ ...validate(typed as Record<Field, string>), ...dateErrors(form, dates) }),
  });
  const [hasSearched, setHasSearched] = useState(() => isFilled(values));
  const isPhone = useMediaQuery('(max-width: 43.75em)', false, { getInitialValueInEffect: false });
  const isCollapsed = isPhone && hasSearched && !errors;
  const element = useRef<HTMLFormElement>(null);
  const expandButton = useRef<HTMLButtonElement>(null);

  const showSearch = useEffectEvent((terms: Record<Field, string>) => {
    fillIn(terms);
    setHasSearched(isFilled(terms));
  });
  // Compared by value: `values` is a new object on every render.
  const searchedTerms = JSON.stringify(values);
  useEffect(() => showSearch(JSON.parse(searchedTerms)), [searchedTerms]);

  useEffect(() => {
    if (isCollapsed && element.current?.contains(document.activeElement)) expandButton.current?.focus();
  }, [isCollapsed]);

  useFieldErrors(form, errors);

  function fillIn(terms: Record<string, string>): void {
    form.setValues(terms);
    clearIncompleteDates(form, dates);
  }

  function reset(): void {
    fillIn(Object.fromEntries(fields.map(({ name }) => [name, ''])));
    onReset();
  }

  function search(typed: Record<string, string>): void {
    setHasSearched(isFilled(typed));
    onSearch(typed as Record<Field, string>);
  }

  function expand(): void {
    flushSync(() => setHasSearched(false));
    element.current?.querySelector('input')?.focus();
  }

  return (
    <Panel>
      <search aria-label={label}>
        {isCollapsed && (
          <Group justify="space-between" gap="sm" wrap="nowrap" m={-8}>
            <UserText fz="sm" lines={1}>
              {describe(fields, values)}
            </UserText>
            <Button
              ref={expandButton}
              variant="default"
              size="compact-sm"
              style={{ flexShrink: 0 }}
              onClick={expand}
            >
              Change search
            </Button>
          </Group>
        )}
        <form
          ref={element}
          hidden={isCollapsed}
          noValidate
          onSubmit={form.onSubmit(search, focusFirstError(form))}
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

const describe = <Field extends string>(
  fields: readonly SearchField<Field>[],
  values: Record<Field, string>,
) =>
  fields
    .filter(({ name }) => values[name])
    .map(({ name, label }) => `${label}: ${values[name]}`)
    .join(', ');
