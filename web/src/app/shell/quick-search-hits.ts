import { isAllowed } from '@customer-database/contract/permissions';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { customerFiltersFor, customerSearchQuery } from '../../api/customers.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { useUser } from '../../api/session.ts';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { menuItems } from './menu.tsx';

const maxHitsPerGroup = 6;

export type Hit = { to: string; label: string; detail?: string | null };
export type HitGroup = {
  name: string;
  hits: Hit[];
  /** Links to the search screen, if there are more hits. */
  showAll?: Hit | undefined;
};

const accountScreens: Hit[] = [
  { to: paths.profile, label: 'Profile' },
  { to: paths.changePassword, label: 'Change password' },
];

function useScreens(text: string): Hit[] {
  const { role } = useUser();
  const screens = [
    ...menuItems,
    ...(isAllowed(role, 'customers.write') ? [{ to: paths.newCustomer, label: 'Add Customer' }] : []),
    ...(isAllowed(role, 'documents.write') ? [{ to: paths.uploadDocument, label: 'Upload Document' }] : []),
    ...(isAllowed(role, 'users.invite') ? [{ to: paths.invite, label: 'Invite user' }] : []),
    ...accountScreens,
  ];
  return screens.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
}

type Counted = { count: number; count_is_capped: boolean };

function showAllHit(found: Counted | undefined, screen: string, filters: object): Hit | undefined {
  if (!found || found.count <= maxHitsPerGroup) return undefined;
  const total = `${formatNumber(found.count)}${found.count_is_capped ? '+' : ''}`;
  const query = new URLSearchParams(filters as Record<string, string>);
  return { to: `${screen}?${query}`, label: `Show all ${total}` };
}

/** Matches screens immediately, and records once all responses for exactly this text have arrived. */
export function useHits(typed: string) {
  const text = typed.trim();
  const [term] = useDebouncedValue(text, 150);
  const customerFilters = customerFiltersFor(term);
  const documentFilters = { filename: term };
  const enabled = term !== '';
  const customers = useQuery({ ...customerSearchQuery(customerFilters, maxHitsPerGroup), enabled });
  const documents = useQuery({ ...documentSearchQuery(documentFilters, maxHitsPerGroup), enabled });
  const isSearching = text !== '' && (term !== text || customers.isPending || documents.isPending);
  const isAnswered = text !== '' && !isSearching;
  const foundCustomers = isAnswered ? customers.data : undefined;
  const foundDocuments = isAnswered ? documents.data : undefined;
  const groups: HitGroup[] = [
    {
      name: 'Customers',
      hits: (foundCustomers?.customers ?? []).map(({ id, name, email }) => ({
        to: paths.customer(id),
        label: name,
        detail: email,
      })),
      showAll: showAllHit(foundCustomers, paths.customers, customerFilters),
    },
    {
      name: 'Documents',
      hits: (foundDocuments?.documents ?? []).map(({ id, filename, customer_name }) => ({
        to: paths.document(id),
        label: filename,
        detail: customer_name,
      })),
      showAll: showAllHit(foundDocuments, paths.documents, documentFilters),
    },
    { name: 'Screens', hits: useScreens(text) },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isSearching,
    isFailed: isAnswered && (customers.isError || documents.isError),
  };
}
