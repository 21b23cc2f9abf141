import type { SearchGroup, SearchResponse } from '@customer-database/contract/search';
import { parseQuestion } from '@customer-database/words/question';
import { Skeleton, Stack, Text } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import type { SearchFilters } from '../../api/search.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { CustomerHit, DocumentHit, PageHit } from './hits.tsx';
import { countText, ResultGroup } from './result-group.tsx';
import classes from './search.module.css';

type ResultsProps = {
  filters: SearchFilters;
  /** Undefined until the first answer. */
  found: SearchResponse | undefined;
  /** The results are about to be replaced. */
  stale: boolean;
  page: number;
  onPage: (page: number) => void;
};

/** Counts the requested groups: during a change, the answer may have others. */
function countOf({ customers, documents, pages }: SearchResponse, only: string | undefined) {
  const groups: Record<SearchGroup, SearchResponse['customers' | 'documents' | 'pages']> = {
    customers,
    documents,
    text: pages,
  };
  const shown = Object.entries(groups).filter(([name]) => !only || name === only);
  return {
    count: shown.reduce((sum, [, { count }]) => sum + count, 0),
    count_is_capped: shown.some(([, group]) => group.count_is_capped),
  };
}

export function Results({ filters, found, stale, page, onPage }: ResultsProps) {
  const { q = '', in: only } = filters;
  const total = found && countOf(found, only);
  const isEmpty = total?.count === 0 && !stale;
  const question = found?.corrected ?? q;
  const terms = parseQuestion(question);
  const group = { filters, page, onPage };
  return (
    <>
      <div role="status" hidden={isEmpty}>
        {found?.corrected && !stale ? (
          <Correction asked={q} corrected={found.corrected} />
        ) : (
          <Text size="sm" c="dimmed">
            {total && !stale && !isEmpty
              ? `${countText(total)} ${total.count === 1 ? 'result' : 'results'}`
              : 'Searching…'}
          </Text>
        )}
      </div>
      {isEmpty && <NothingFound filters={filters} page={page} partial={total.count_is_capped} />}
      {!found && <Loading />}
      {found && (
        <Stack gap="xl" className={classes.results ?? ''} aria-busy={stale} data-stale={stale || undefined}>
          <ResultGroup {...group} name="customers" title="Customers" found={found.customers}>
            {(customer) => <CustomerHit key={customer.id} customer={customer} terms={terms} />}
          </ResultGroup>
          <ResultGroup {...group} name="documents" title="Documents" found={found.documents}>
            {(document) => <DocumentHit key={document.id} document={document} terms={terms} />}
          </ResultGroup>
          <ResultGroup {...group} name="text" title="Inside documents" found={found.pages}>
            {(hit) => <PageHit key={hit.document.id} found={hit} question={question} terms={terms} />}
          </ResultGroup>
        </Stack>
      )}
    </>
  );
}

function Correction({ asked, corrected }: { asked: string; corrected: string }) {
  return (
    <>
      <Text>
        Showing results for <strong dir="auto">{corrected}</strong>
      </Text>
      <Text size="sm" c="dimmed">
        Nothing was found for <span dir="auto">{asked}</span>
      </Text>
    </>
  );
}

type NothingFoundProps = { filters: SearchFilters; page: number; partial: boolean };

function NothingFound({ filters, page, partial }: NothingFoundProps) {
  const { q: _, ...others } = filters;
  const isFiltered = Object.keys(others).length > 0;
  // An old link may point to a page that no longer exists.
  const toFirstPage = <LinkButton to={`?${new URLSearchParams(filters)}`}>Go to the first page</LinkButton>;
  if (partial) {
    return (
      <Empty
        icon={<IconFileUnknown />}
        title="Nothing found in the newest documents"
        text="Too many documents have these words to look at all of them. Add a rarer word."
      />
    );
  }
  return (
    <Empty
      icon={<IconFileUnknown />}
      title="Nothing found"
      text={`Every word must be found. Try fewer or shorter words${isFiltered ? ', or remove a filter' : ''}.`}
      action={page > 1 && filters.in ? toFirstPage : undefined}
    />
  );
}

const skeletonRows = [1, 2, 3, 4, 5];

function Loading() {
  return (
    <ul className={classes.list} aria-busy>
      {skeletonRows.map((row) => (
        <li key={row}>
          <Skeleton height={14} width="40%" my={5} />
          <Skeleton height={12} width="70%" my={6} />
        </li>
      ))}
    </ul>
  );
}
