import { limits } from '@customer-database/contract/limits';
import { searchQuery } from '@customer-database/contract/search';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { SearchField } from '../../api/search.ts';
import { fieldProps, focusFirstError, useSearchFields } from '../../lib/forms.ts';
import { Panel } from '../../ui/panel.tsx';
import { CustomerFilter } from './customer-filter.tsx';
import { dateFields, Filters } from './filters.tsx';
import classes from './search.module.css';

type Values = Record<SearchField, string>;

type QuestionFormProps = {
  boxRef: RefObject<HTMLInputElement | null>;
  /** The submitted search; fills the form after Back, reload or a shared link. */
  values: Values;
  /** The message for each rejected field. */
  errors: Record<string, string> | undefined;
  onSearch: (values: Values) => void;
};

/** The question is sent by Enter or the button, and by a change of any filter. */
export function QuestionForm({ boxRef, values, errors, onSearch }: QuestionFormProps) {
  const { form, submit } = useSearchFields<Values>({
    values,
    schema: searchQuery,
    errors,
    dates: dateFields,
  });

  function apply(): void {
    if (!form.validate().hasErrors) submit(form.getValues(), onSearch);
  }

  function searchAllCustomers(): void {
    form.setFieldValue('customer_id', '');
    apply();
    boxRef.current?.focus();
  }

  return (
    <Panel>
      <search aria-label="Search">
        <form
          noValidate
          className={classes.form}
          onSubmit={form.onSubmit((typed) => submit(typed, onSearch), focusFirstError<Values>(form))}
        >
          <div className={classes.question}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <TextInput
                {...fieldProps(form, 'q')}
                ref={boxRef}
                aria-label="Search"
                placeholder="Customers, documents and the words inside them"
                leftSection={<IconSearch size={18} aria-hidden />}
                type="search"
                size="md"
                flex={1}
                miw={0}
                dir="auto"
                autoComplete="off"
                maxLength={limits.searchTermLength}
              />
              <Button type="submit" size="md">
                Search
              </Button>
            </Group>
            <Text size="sm" c="dimmed" mt={8}>
              All words must match. Use "quotes" for a phrase, -word to exclude.
            </Text>
            {values.customer_id && (
              <CustomerFilter
                id={values.customer_id}
                error={form.errors.customer_id}
                onRemove={searchAllCustomers}
              />
            )}
          </div>
          <Filters form={form} values={values} apply={apply} />
        </form>
      </search>
    </Panel>
  );
}
