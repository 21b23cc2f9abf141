import { activityQuery } from '@customer-database/contract/activity';
import { Group } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ActivityField, activityFields, activityPageQuery } from '../../api/activity.ts';
import { errorText, rejectedFields } from '../../api/client.ts';
import { useBeforeParam, useFilterParams } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageButton } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { ActivityTable } from './activity-table.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { FilterPills } from './filter-pills.tsx';
import { actionOptions } from './texts.ts';

const formFields = ['action', 'outcome', 'from', 'to'] as const;
const outcomeOptions = [
  { value: '', label: 'Any' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused or failed' },
];

/** A link may ask for actions that are not one of the options. */
function fieldsFor(action: string) {
  const isOffered = actionOptions.some((option) =>
    'items' in option ? option.items.some(({ value }) => value === action) : option.value === action,
  );
  const options = isOffered ? actionOptions : [...actionOptions, { value: action, label: 'As in the link' }];
  return [
    { name: 'action', label: 'Kind', options },
    { name: 'outcome', label: 'Outcome', options: outcomeOptions },
    { name: 'from', label: 'From', type: 'date' },
    { name: 'to', label: 'To', type: 'date' },
  ] as const;
}

export function Activity() {
  const { values, filters = {}, setFilters } = useFilterParams(activityFields);
  const [before, setBefore] = useBeforeParam();
  const { data, error, isPlaceholderData, refetch } = useQuery(activityPageQuery(filters, before));
  const fieldErrors = rejectedFields(error, formFields);
  const rows = data?.activity;
  const isEmpty = rows?.length === 0 && !isPlaceholderData && !error;
  const { action, outcome, from, to } = values;

  function removeFilter(field: ActivityField): void {
    setFilters({ ...values, [field]: '' });
    // The button that had the focus is gone.
    document.querySelector('h1')?.focus();
  }

  return (
    <Screen
      title="Activity"
      description="Who did what, when and from where."
      actions={<ExportButtons filters={filters} />}
    >
      <SearchForm
        label="Activity"
        fields={fieldsFor(action)}
        values={{ action, outcome, from, to }}
        schema={activityQuery}
        errors={fieldErrors}
        onSearch={(next) => setFilters({ ...values, ...next }) || refetch()}
        onReset={() => setFilters({})}
        emptyText="All activity"
      />
      <FilterPills filters={filters} rows={rows} onRemove={removeFilter} />
      {error && !fieldErrors && (
        <ErrorBanner
          text={errorText(error, 'Error loading the activity. Please try again.')}
          onRetry={refetch}
        />
      )}
      {isEmpty && (
        <Empty icon={<IconHistory />} title="Nothing found" text="No activity matches these filters." />
      )}
      {!isEmpty && !error && <ActivityTable filters={filters} rows={rows} stale={isPlaceholderData} />}
      {(before !== undefined || (rows && !isEmpty)) && (
        <Group component="nav" aria-label="Pages" justify="flex-end" gap="sm">
          <PageButton disabled={before === undefined} onClick={() => setBefore(undefined)}>
            Newest
          </PageButton>
          <PageButton
            disabled={!data?.next_before || isPlaceholderData}
            onClick={() => setBefore(data?.next_before ?? undefined)}
          >
            Show older
          </PageButton>
        </Group>
      )}
    </Screen>
  );
}
