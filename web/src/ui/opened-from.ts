import { useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';

export type Crumb = { to: string; label: string };

/** All screens of one record share `from`: the screen that was open before the first of them. */
type Shown = { crumb: Crumb; record: string | undefined; from: Crumb | undefined };

/** Keyed by history entry, so that Back and Forward find them again. */
const shownScreens = new Map<string, Shown>();
let last: Shown | undefined;

/** Called when the user changes. */
export function forgetScreens(): void {
  shownScreens.clear();
  last = undefined;
}

function openedFrom(record: string): Crumb | undefined {
  return last?.record === record ? last.from : last?.crumb;
}

/** The screen that this one was opened from. `record` is what it shows, such as 'document'. */
export function useOpenedFrom(record: string | undefined, label: string): Crumb | undefined {
  const { key, pathname, search } = useLocation();
  const isArrival = useNavigationType() !== 'POP';
  const [from] = useState(
    () => shownScreens.get(key)?.from ?? (record && isArrival ? openedFrom(record) : undefined),
  );
  useEffect(() => {
    last = { crumb: { to: pathname + search, label }, record, from };
    shownScreens.set(key, last);
  }, [key, pathname, search, label, record, from]);
  return from;
}
