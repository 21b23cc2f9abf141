import { useNavigate } from 'react-router';

/** How far back the nearest screen lies that is still there; 0 where there is none. */
function stepsBack(gone: string | undefined): number {
  // The router numbers the screens of this visit from 0; before them lies the rest of the web.
  const visited: number = window.history.state?.idx ?? 0;
  if (gone === undefined) return Math.min(visited, 1);
  // Not in every browser yet.
  const entries = window.navigation?.entries() ?? [];
  const here = window.navigation?.currentEntry?.index ?? 0;
  for (let steps = 1; steps <= visited; steps += 1) {
    const url = entries[here - steps]?.url;
    if (url && !`${new URL(url).pathname}/`.startsWith(`${gone}/`)) return steps;
  }
  return 0;
}

/**
 * Leads back to where one came from, with its page, its filters and its place, or to `fallback` where one
 * came from nowhere. After a deletion say what is `gone`, such as `paths.customer(id)`: screens at that
 * address and below it are left out.
 */
export function useGoBack(fallback: string) {
  const navigate = useNavigate();
  return async (gone?: string): Promise<void> => {
    const steps = stepsBack(gone);
    await (steps > 0 ? navigate(-steps) : navigate(fallback, { replace: true }));
  };
}
