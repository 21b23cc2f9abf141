import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { fieldProps, focusFirstError, useSearchFields } from '../lib/forms.ts';
import { Panel } from './panel.tsx';
import { UserText } from './user-text.tsx';

type Option = { value: string; label: string };

export type SearchField<Field extends string> = {
  name: Field;
  label: string;
  type?: 'text' | 'tel' | 'date';
  /** Makes the field a list of choices. */
  options?: (Option | { group: string; items: Option[] })[];
};

type SearchFormProps<Field extends string> = {
  /** Names the form for screen readers. */
  label: string;
  fields: readonly SearchField<Field>[];
  /** The submitted search; fills the form after Back, reload or a shared link. */
  values: Record<Field, string>;
  schema: z.ZodType;
  /** The message for each rejected field. */
  errors?: Record<string, string> | undefined;
  onSearch: (values: Record<Field, string>) => void;
  onReset: () => void;
  /** A ref to the first field. */
  firstField?: RefObject<HTMLInputElement | null>;
  /** Shown in place of the filters by a list that shows everything without a search. */
  emptyText?: string;
};

const isFilled = (values: Record<string, string>) => Object.values(values).some((text) => text.trim() !== '');

/** On phones it collapses to one line after a search, so that the results are visible. */
export function SearchForm<Field extends string>({
  label,
  fields,
  values,
  schema,
  errors,
  onSearch,
  onReset,
  firstField,
  emptyText,
}: SearchFormProps<Field>) {
  const dates = fields.filter(({ type }) => type === 'date');
  const { form, submit } = useSearchFields<Record<string, string>>({ values, schema, errors, dates });
  const hasResults = (terms: Record<string, string>) => emptyText !== undefined || isFilled(terms);
  const [hasSearched, setHasSearched] = useState(() => hasResults(values));
  const isPhone = useMediaQuery('(max-width: 43.75em)', false, { getInitialValueInEffect: false });
  const isCollapsed = isPhone && hasSearched && !errors;
  const element = useRef<HTMLFormElement>(null);
  const expandButton = useRef<HTMLButtonElement>(null);

  const showSearch = useEffectEvent(() => setHasSearched(hasResults(values)));
  // Compared by value: `values` is a new object on every render.
  const searchedValues = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search is the event
  useEffect(() => showSearch(), [searchedValues]);

  useEffect(() => {
    if (isCollapsed && element.current?.contains(document.activeElement)) expandButton.current?.focus();
  }, [isCollapsed]);

  function reset(): void {
    submit(Object.fromEntries(fields.map(({ name }) => [name, ''])), onReset);
  }

  function search(searched: Record<string, string>): void {
    setHasSearched(hasResults(searched));
    onSearch(searched as Record<Field, string>);
  }

  function expand(): void {
    flushSync(() => setHasSearched(false));
    element.current?.querySelector<HTMLElement>('input, select')?.focus();
  }

  return (
    <Panel>
      <search aria-label={label}>
        {isCollapsed && (
          <Group justify="space-between" gap="sm" wrap="nowrap" m={-8}>
            <UserText fz="sm" lines={1}>
              {describe(fields, values) || emptyText}
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
          onSubmit={form.onSubmit((typed) => submit(typed, search), focusFirstError(form))}
        >
          <SimpleGrid
            // Three in a row, or four if that would leave one alone.
            cols={{ base: 1, xs: 2, lg: fields.length % 3 === 1 ? 4 : 3 }}
            spacing="md"
            verticalSpacing="sm"
          >
            {fields.map(({ name, label: fieldLabel, type = 'text', options }, index) => {
              const props = { ...fieldProps(form, name), label: fieldLabel, autoComplete: 'off' };
              if (options) return <NativeSelect key={name} {...props} data={options} />;
              return (
                <TextInput key={name} {...props} type={type} {...(index === 0 && { ref: firstField })} />
              );
            })}
            {/* In the last column: beside the fields if there is room, otherwise below them. */}
            <Group justify="flex-end" align="flex-end" wrap="nowrap" style={{ gridColumn: '-2 / -1' }}>
              <Button variant="default" onClick={reset}>
                Reset
              </Button>
              <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
                Search
              </Button>
            </Group>
          </SimpleGrid>
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
    .map(({ name, label, options }) => `${label}: ${chosenLabel(options, values[name])}`)
    .join(', ');

const chosenLabel = (options: SearchField<string>['options'] = [], value: string) =>
  options
    .flatMap((option) => ('items' in option ? option.items : option))
    .find((option) => option.value === value)?.label ?? value;
