import { type RefObject, useEffect, useRef } from 'react';

export function useFocusOnMount<Target extends HTMLElement = HTMLInputElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    target.current?.focus();
  }, []);
  return target;
}

/** Returns the focus to a button that a form replaced, once the form closes. */
export function useReturnFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
