import { userListQuery } from '@customer-database/contract/users';
import { useSearchParams } from 'react-router';
import type { UserFilters } from '../../api/users.ts';
import { usePageParam } from '../../lib/url-params.ts';
import type { Sort } from '../../ui/record-table.tsx';

/** Search, order and page live in the address; what cannot be understood there counts as not given. */
export function useUserParams() {
  const [params, setParams] = useSearchParams();
  const [page, setPage] = usePageParam();
  const { sort, order } = userListQuery.shape;
  const filters: UserFilters = {
    q: params.get('q') ?? '',
    sort: sort.catch('name').parse(params.get('sort')),
    order: order.catch('asc').parse(params.get('order')),
    page,
  };

  function change(values: Record<string, string>, replace = false): void {
    const next = new URLSearchParams(params);
    next.delete('page');
    for (const [name, value] of Object.entries(values)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next, { replace });
  }

  return {
    filters,
    setPage,
    setSearch: (q: string) => change({ q: q.trim() }, true),
    setSort: ({ by, order }: Sort) => change({ sort: by, order }),
  };
}
