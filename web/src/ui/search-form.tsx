import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  clearHalfTypedDates,
  fieldProps,
  focusFirstError,
  halfTypedDates,
  useRefusedFields,
} from '../lib/forms.ts';
import { Panel } from './panel.tsx';
import { UserText } from './user-text.tsx';

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

const isFilled = (values: Record<string, string>) => Object.values(values).some((text) => text.trim() !== '');

/** On phones it folds into one line once something was searched for, so that the results are in view. */
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
    validate: (typed) => ({ ...validate(typed as Record<Field, string>), ...halfTypedDates(form, dates) }),
  });
  const [isSearched, setIsSearched] = useState(() => isFilled(values));
  const isPhone = useMediaQuery('(max-width: 43.75em)', false, { getInitialValueInEffect: false });
  const isFolded = isPhone && isSearched && !errors;
  const element = useRef<HTMLFormElement>(null);
  const unfoldButton = useRef<HTMLButtonElement>(null);

  const showSearch = useEffectEvent((words: Record<Field, string>) => {
    fillIn(words);
    setIsSearched(isFilled(words));
  });
  // The same words are the same search, whatever object holds them.
  const searched = JSON.stringify(values);
  useEffect(() => showSearch(JSON.parse(searched)), [searched]);

  useEffect(() => {
    if (isFolded && element.current?.contains(document.activeElement)) unfoldButton.current?.focus();
  }, [isFolded]);

  useRefusedFields(form, errors);

  function fillIn(words: Record<string, string>): void {
    form.setValues(words);
    clearHalfTypedDates(form, dates);
  }

  function reset(): void {
    fillIn(Object.fromEntries(fields.map(({ name }) => [name, ''])));
    onReset();
  }

  function search(typed: Record<string, string>): void {
    setIsSearched(isFilled(typed));
    onSearch(typed as Record<Field, string>);
  }

  function unfold(): void {
    flushSync(() => setIsSearched(false));
    element.current?.querySelector('input')?.focus();
  }

  return (
    <Panel>
      <search aria-label={label}>
        {isFolded && (
          <Group justify="space-between" gap="sm" wrap="nowrap" m={-8}>
            <UserText fz="sm" lines={1}>
              {describe(fields, values)}
            </UserText>
            <Button
              ref={unfoldButton}
              variant="default"
              size="compact-sm"
              style={{ flexShrink: 0 }}
              onClick={unfold}
            >
              Change search
            </Button>
          </Group>
        )}
        <form
          ref={element}
          hidden={isFolded}
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

/** What was searched for, in one line. */
const describe = <Field extends string>(
  fields: readonly SearchField<Field>[],
  values: Record<Field, string>,
) =>
  fields
    .filter(({ name }) => values[name])
    .map(({ name, label }) => `${label}: ${values[name]}`)
    .join(', ');
