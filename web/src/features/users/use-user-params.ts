import { userListQuery } from '@customer-database/contract/users';
import { useSearchParams } from 'react-router';
import type { UserFilters } from '../../api/users.ts';
import type { Sort } from '../../ui/record-table.tsx';

/** Search and order live in the URL; values that it cannot have count as not given. */
export function useUserParams() {
  const [params, setParams] = useSearchParams();
  const { sort, order } = userListQuery.shape;
  const filters: Omit<UserFilters, 'page'> = {
    q: params.get('q') ?? '',
    sort: sort.catch('name').parse(params.get('sort')),
    order: order.catch('asc').parse(params.get('order')),
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
    setSearch: (q: string) => change({ q: q.trim() }, true),
    setSort: ({ by, order }: Sort) => change({ sort: by, order }),
  };
}
