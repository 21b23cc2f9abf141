import { type NavigateOptions, useSearchParams } from 'react-router';

/** The page number lives in the address, so that Back, reload and a shared link work. */
export function usePageInAddress() {
  const [params, setParams] = useSearchParams();
  const asked = params.get('page') ?? '1';
  const page = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 1;

  function setPage(next: number, options?: NavigateOptions): void {
    const wanted = new URLSearchParams(params);
    if (next === 1) wanted.delete('page');
    else wanted.set('page', String(next));
    setParams(wanted, options);
  }

  return [page, setPage] as const;
}

/** How many records a page shows, how many come in one answer, and how many can be read in all. */
export type SearchSizes = { page: number; part: number; all: number };

/** Where the part of the matches begins that holds the page of the address. */
export function useOffsetInAddress({ page: pageSize, part, all }: SearchSizes): number {
  const [page] = usePageInAddress();
  const before = Math.min((page - 1) * pageSize, all - pageSize);
  return Math.floor(before / part) * part;
}

/** Blank and whitespace-only fields are not filters. */
export function dropBlank<Field extends string>(
  values: Record<Field, string>,
): Partial<Record<Field, string>> {
  const filled = Object.entries<string>(values)
    .map(([field, text]) => [field, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return Object.fromEntries(filled) as Partial<Record<Field, string>>;
}

/** The submitted filters of a search screen, kept in the address. Undefined until something was searched for. */
export function useFiltersInAddress<Field extends string>(fields: readonly Field[]) {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(fields.map((field) => [field, params.get(field) ?? ''])) as Record<
    Field,
    string
  >;
  const filters = dropBlank(values);

  /** False when it was the same search already: only its answer may be asked for again, from the first page on. */
  function setFilters(next: Record<Field, string>): boolean {
    const wanted = new URLSearchParams(dropBlank(next) as Record<string, string>);
    const isChanged = wanted.toString() !== new URLSearchParams(filters as Record<string, string>).toString();
    if (isChanged || params.has('page')) setParams(wanted);
    return isChanged;
  }

  return {
    values,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    setFilters,
  };
}
