import { useNavigate } from 'react-router';

/** Number of history entries back to the nearest screen that still exists; 0 if there is none. */
function stepsBack(deletedPath: string | undefined): number {
  // The router numbers the screens of this visit from 0; earlier entries belong to other sites.
  const screensBefore: number = window.history.state?.idx ?? 0;
  if (deletedPath === undefined) return Math.min(screensBefore, 1);
  // Not supported by every browser yet.
  const entries = window.navigation?.entries() ?? [];
  const here = window.navigation?.currentEntry?.index ?? 0;
  for (let steps = 1; steps <= screensBefore; steps += 1) {
    const url = entries[here - steps]?.url;
    if (url && !`${new URL(url).pathname}/`.startsWith(`${deletedPath}/`)) return steps;
  }
  return 0;
}

/**
 * Goes back to the previous screen, with its page, filters and scroll position, or to `fallback` if there is
 * none. After a deletion pass `deletedPath`, such as `paths.customer(id)`: screens at and below that path are
 * skipped.
 */
export function useGoBack(fallback: string) {
  const navigate = useNavigate();
  return async (deletedPath?: string): Promise<void> => {
    const steps = stepsBack(deletedPath);
    await (steps > 0 ? navigate(-steps) : navigate(fallback, { replace: true }));
  };
}
