import { searchQuery } from '@customer-database/contract/search';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorText, rejectedFields } from '../../api/client.ts';
import { searchFields, searchResultsQuery } from '../../api/search.ts';
import { useUrlErrors } from '../../lib/forms.ts';
import { useFilterParams, usePageParam } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { QuestionForm } from './question-form.tsx';
import { hitsPerGroup, hitsPerPage } from './result-group.tsx';
import { Results } from './results.tsx';

export function Search() {
  const { values, filters = {}, setFilters } = useFilterParams(searchFields);
  const [page, setPage] = usePageParam();
  const urlErrors = useUrlErrors(searchQuery, filters);
  const isEmpty = filters.q === undefined;
  const isAsked = !isEmpty && !urlErrors;
  const query = filters.in
    ? searchResultsQuery(filters, hitsPerPage, page)
    : searchResultsQuery(filters, hitsPerGroup);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...query,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const rejected = rejectedFields(error, searchFields);
  const failure = error && !rejected && errorText(error, 'The search failed. Please try again.');

  const box = useRef<HTMLInputElement>(null);
  // Here and not in the form: the screen around it focuses its heading first.
  useEffect(() => {
    if (isEmpty) box.current?.focus();
  }, [isEmpty]);

  return (
    <Screen title="Search">
      <QuestionForm
        boxRef={box}
        values={values}
        errors={urlErrors ?? rejected}
        onSearch={(next) => setFilters(next) || (isAsked && refetch())}
      />
      {isEmpty && (
        <Empty
          icon={<IconSearch />}
          title="What are you looking for?"
          text="A name, an email address, a phone number, a filename, or any words inside a document."
        />
      )}
      {isAsked && failure && <ErrorBanner text={failure} onRetry={refetch} />}
      {isAsked && !error && (
        <Results filters={filters} found={data} stale={isPlaceholderData} page={page} onPage={setPage} />
      )}
    </Screen>
  );
}
