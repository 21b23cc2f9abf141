import { isAllowed } from '@customer-database/contract/permissions';
import type { SearchResponse } from '@customer-database/contract/search';
import type { Part } from '@customer-database/words/hits';
import { parseQuestion } from '@customer-database/words/question';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { rejectedFields } from '../../api/client.ts';
import { searchResultsQuery } from '../../api/search.ts';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { partsOf } from '../../ui/marked-text.tsx';
import { adminItems, menuItems } from './menu.tsx';
import { useOpenedLast } from './opened-last-hits.ts';

const maxHitsPerGroup = 5;
const searchFailed = 'The search failed. Please try again.';

export type Hit = { to: string; label: Part[]; detail?: Part[] };
export type HitGroup = { name: string; hits: Hit[] };

export const textOf = (parts: Part[]) => parts.map(({ text }) => text).join('');
const plain = (text: string): Part[] => [{ text, hit: false }];

const accountScreens = [
  { to: paths.profile, label: 'Profile' },
  { to: paths.changePassword, label: 'Change password' },
];

function useScreens(text: string): Hit[] {
  const { role } = useUser();
  const screens = [
    ...menuItems,
    ...(isAllowed(role, 'customers.manage') ? [{ to: paths.newCustomer, label: 'Add Customer' }] : []),
    ...(isAllowed(role, 'documents.manage') ? [{ to: paths.uploadDocument, label: 'Upload Document' }] : []),
    ...adminItems.filter(({ permission }) => isAllowed(role, permission)),
    ...accountScreens,
  ];
  return screens
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(({ to, label }) => ({ to, label: plain(label) }));
}

function groupsOf({ customers, documents, pages }: SearchResponse, question: string): HitGroup[] {
  const terms = parseQuestion(question);
  return [
    {
      name: 'Customers',
      hits: customers.items.map(({ id, name, email }) => ({
        to: paths.customer(id),
        label: partsOf(name, terms),
        ...(email ? { detail: partsOf(email, terms) } : {}),
      })),
    },
    {
      name: 'Documents',
      hits: documents.items.map(({ id, filename, customer_name }) => ({
        to: paths.document(id),
        label: partsOf(filename, terms),
        detail: partsOf(customer_name, terms),
      })),
    },
    {
      name: 'Inside documents',
      hits: pages.items.map(({ document: { id, filename, customer_name }, page, snippet }) => ({
        to: paths.foundPage(id, page, question),
        label: partsOf(filename, terms),
        detail: [...plain(`${customer_name} · Page ${page} · `), ...snippet],
      })),
    },
  ];
}

/** All matches, of which each group shows the first. */
function countOf({ customers, documents, pages }: SearchResponse) {
  const groups = [customers, documents, pages];
  return {
    total: groups.reduce((sum, { count }) => sum + count, 0),
    isCapped: groups.some(({ count_is_capped }) => count_is_capped),
  };
}

/** Matches screens immediately, and records once the response for exactly this text has arrived. */
export function useHits(typed: string) {
  const text = typed.trim();
  const [term] = useDebouncedValue(text, 150);
  const { data, isPending, error } = useQuery({
    ...searchResultsQuery({ q: term }, maxHitsPerGroup),
    enabled: term !== '',
  });
  const openedLast = useOpenedLast().map(({ to, label, detail }) => ({
    to,
    label: plain(label),
    ...(detail ? { detail: plain(detail) } : {}),
  }));
  const isSearching = text !== '' && (term !== text || isPending);
  const isAnswered = text !== '' && !isSearching;
  const found = isAnswered ? data : undefined;
  const groups: HitGroup[] = [
    ...(text === '' ? [{ name: 'Opened last', hits: openedLast }] : []),
    ...(found ? groupsOf(found, found.corrected ?? text) : []),
    { name: 'Screens', hits: useScreens(text) },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    /** The last option, as soon as something is typed. */
    showAll: text === '' ? [] : [{ to: paths.searchFor(text), label: plain('Show all results') }],
    count: found && countOf(found),
    corrected: found?.corrected,
    isSearching,
    failure: isAnswered && error ? (rejectedFields(error, ['q'])?.q ?? searchFailed) : undefined,
  };
}
