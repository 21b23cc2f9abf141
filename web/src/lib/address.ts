import { useSearchParams } from 'react-router';

/** The page number lives in the address, so that Back, reload and a shared link work. */
export function usePageInAddress(): [page: number, setPage: (page: number) => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get('page') ?? '1';
  const page = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 1;
  return [page, (next) => setParams(next === 1 ? {} : { page: String(next) })];
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

  /** False when it was the same search already: the address stays, only its answer may be asked for again. */
  function setFilters(next: Record<Field, string>): boolean {
    const wanted = new URLSearchParams(dropBlank(next) as Record<string, string>);
    const isChanged = wanted.toString() !== new URLSearchParams(filters as Record<string, string>).toString();
    if (isChanged) setParams(wanted);
    return isChanged;
  }

  return {
    values,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    setFilters,
  };
}
