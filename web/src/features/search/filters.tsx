import { type SearchGroup, searchTypes } from '@customer-database/contract/search';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ChangeEvent, useId } from 'react';
import type { SearchField } from '../../api/search.ts';
import { fieldProps } from '../../lib/forms.ts';
import classes from './search.module.css';

const groups: { value: SearchGroup | ''; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'customers', label: 'Customers' },
  { value: 'documents', label: 'Documents' },
  { value: 'text', label: 'Text of documents' },
];
const types = [
  { value: '', label: 'Any' },
  ...searchTypes.map((type) => ({ value: type, label: type.toUpperCase() })),
];
export const dateFields = [
  { name: 'from', label: 'From' },
  { name: 'to', label: 'To' },
] as const;

type Values = Record<SearchField, string>;

type FiltersProps = {
  form: UseFormReturnType<Values>;
  /** The submitted search. */
  values: Values;
  /** Searches for what the form says. */
  apply: () => void;
};

/** A change of a filter searches immediately. On phones the filters are collapsed. */
export function Filters({ form, values, apply }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const isPhone = useMediaQuery('(max-width: 43.75em)', false, { getInitialValueInEffect: false });
  const isCollapsed = isPhone && !isOpen && Object.keys(form.errors).length === 0;
  const count = [values.in, values.type, values.from, values.to].filter(Boolean).length;
  const id = useId();
  // Customers have neither a type nor a date.
  const disabled = form.values.in === 'customers';

  const select = (name: 'in' | 'type') => ({
    ...fieldProps(form, name),
    onChange: (event: ChangeEvent<HTMLSelectElement>) => {
      form.setFieldValue(name, event.currentTarget.value);
      apply();
    },
  });

  const date = (name: 'from' | 'to') => ({
    ...fieldProps(form, name),
    disabled,
    onChange: ({ currentTarget: { value, validity } }: ChangeEvent<HTMLInputElement>) => {
      form.setFieldValue(name, value);
      // While a year is typed, its first digits are a year too.
      const isTyping = validity.badInput || (value !== '' && value < '1000');
      if (!isTyping) apply();
    },
    onBlur: ({ currentTarget: { value, validity } }: ChangeEvent<HTMLInputElement>) => {
      if (validity.badInput || value !== values[name]) apply();
    },
  });

  return (
    <div>
      {isPhone && (
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={!isCollapsed}
          aria-controls={id}
          mb={isCollapsed ? 0 : 'sm'}
          rightSection={isCollapsed ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
          onClick={toggle}
        >
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </Button>
      )}
      <div id={id} className={classes.filters} hidden={isCollapsed}>
        <NativeSelect {...select('in')} label="In" data={groups} />
        <NativeSelect {...select('type')} label="Type" data={types} disabled={disabled} />
        {dateFields.map(({ name, label }) => (
          <TextInput key={name} {...date(name)} label={label} type="date" autoComplete="off" />
        ))}
      </div>
    </div>
  );
}
