import { type RefObject, useEffect, useRef } from 'react';

/** For the first field of a step, or a prompt that has just appeared. */
export function useFocusOnMount<Target extends HTMLElement = HTMLInputElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    target.current?.focus();
  }, []);
  return target;
}

/** For a button that a form replaces: it gets the focus back when the form closes. */
export function useReturnFocus(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
