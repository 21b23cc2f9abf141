import { type NavigateOptions, useSearchParams } from 'react-router';

/** 1 if they name none. */
export function pageIn(params: URLSearchParams): number {
  const param = params.get('page') ?? '1';
  return /^[1-9]\d{0,8}$/.test(param) ? Number(param) : 1;
}

/** The page number lives in the URL, so that Back, reload and shared links work. */
export function usePageParam() {
  const [params, setParams] = useSearchParams();
  const page = pageIn(params);

  function setPage(next: number, options?: NavigateOptions): void {
    const nextParams = new URLSearchParams(params);
    if (next === 1) nextParams.delete('page');
    else nextParams.set('page', String(next));
    setParams(nextParams, options);
  }

  return [page, setPage] as const;
}

/** Where a page of a list without page numbers begins: after the record with this id. */
export function useBeforeParam() {
  const [params, setParams] = useSearchParams();

  function setBefore(next: number | undefined): void {
    const nextParams = new URLSearchParams(params);
    if (next === undefined) nextParams.delete('before');
    else nextParams.set('before', String(next));
    setParams(nextParams);
  }

  return [params.get('before') ?? undefined, setBefore] as const;
}

/** How many records a page shows, how many come in one response, and how many can be reached in all. */
export type SearchSizes = { page: number; batch: number; max: number };

/** Offset of the batch that contains the current page. */
export function useBatchOffset({ page: pageSize, batch, max }: SearchSizes): number {
  const [page] = usePageParam();
  const before = Math.min((page - 1) * pageSize, max - pageSize);
  return Math.floor(before / batch) * batch;
}

export function dropBlank<Field extends string>(
  values: Record<Field, string>,
): Partial<Record<Field, string>> {
  const filled = Object.entries<string>(values)
    .map(([field, text]) => [field, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return Object.fromEntries(filled) as Partial<Record<Field, string>>;
}

/** The submitted filters of a search screen, kept in the URL. Undefined before the first search. */
export function useFilterParams<Field extends string>(fields: readonly Field[]) {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(fields.map((field) => [field, params.get(field) ?? ''])) as Record<
    Field,
    string
  >;
  const filters = dropBlank(values);

  /** Returns false if the filters are unchanged; the caller may then refetch. Goes back to the first page. */
  function setFilters(next: Record<Field, string>): boolean {
    const nextParams = new URLSearchParams(dropBlank(next) as Record<string, string>);
    const isChanged =
      nextParams.toString() !== new URLSearchParams(filters as Record<string, string>).toString();
    if (isChanged || params.has('page') || params.has('before')) setParams(nextParams);
    return isChanged;
  }

  return {
    values,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    setFilters,
  };
}
