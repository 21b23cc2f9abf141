import { type NavigateOptions, useSearchParams } from 'react-router';

/** 1 if the parameters name no page. */
export function pageIn(params: URLSearchParams): number {
  const param = params.get('page') ?? '1';
  return /^[1-9]\d{0,8}$/.test(param) ? Number(param) : 1;
}

/** A parameter of the URL, so that Back, reload and shared links work. Undefined removes it. */
function useParam(name: string) {
  const [params, setParams] = useSearchParams();

  function setParam(value: number | undefined, options?: NavigateOptions): void {
    const nextParams = new URLSearchParams(params);
    if (value === undefined) nextParams.delete(name);
    else nextParams.set(name, String(value));
    setParams(nextParams, options);
  }

  return [params, setParam] as const;
}

export function usePageParam() {
  const [params, setParam] = useParam('page');
  const setPage = (page: number, options?: NavigateOptions) =>
    setParam(page === 1 ? undefined : page, options);
  return [pageIn(params), setPage] as const;
}

/** A list without page numbers shows the records that are older than the one with this id. */
export function useBeforeParam() {
  const [params, setBefore] = useParam('before');
  return [params.get('before') ?? undefined, setBefore] as const;
}

export function dropBlank(values: Record<string, string | undefined>): Record<string, string> {
  const filled = Object.entries(values).map(([field, text = '']) => [field, text.trim()] as const);
  return Object.fromEntries(filled.filter(([, text]) => text !== ''));
}

/** The submitted filters of a search screen, kept in the URL. Undefined before the first search. */
export function useFilterParams<Field extends string>(fields: readonly Field[]) {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(fields.map((field) => [field, params.get(field) ?? ''])) as Record<
    Field,
    string
  >;
  const filters = dropBlank(values) as Partial<Record<Field, string>>;

  /** Returns false if the filters are unchanged; the caller may then refetch. Goes back to the first page. */
  function setFilters(next: Partial<Record<Field, string>>, options?: NavigateOptions): boolean {
    const nextParams = new URLSearchParams(dropBlank(next));
    const isChanged = nextParams.toString() !== new URLSearchParams(dropBlank(values)).toString();
    if (isChanged || params.has('page') || params.has('before')) setParams(nextParams, options);
    return isChanged;
  }

  return {
    values,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    setFilters,
  };
}
