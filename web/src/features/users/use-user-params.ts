import { userListQuery } from '@customer-database/contract/users';
import { useFilterParams } from '../../lib/url-params.ts';
import type { Sort } from '../../ui/record-table.tsx';

/** Search and order live in the URL. An unknown order counts as not given. */
export function useUserParams() {
  const { values, setFilters } = useFilterParams(['q', 'sort', 'order']);
  const { sort, order } = userListQuery.shape;
  return {
    filters: {
      q: values.q,
      sort: sort.catch('name').parse(values.sort),
      order: order.catch('asc').parse(values.order),
    },
    setSearch: (q: string) => setFilters({ ...values, q }, { replace: true }),
    setSort: (next: Sort) => setFilters({ ...values, sort: next.by, order: next.order }),
  };
}
