import { type RefObject, useEffect, useRef } from 'react';

/** For the first field of a step, or a question that has come up: the next thing to do is there. */
export function useFocusOnArrival<Target extends HTMLElement = HTMLInputElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    target.current?.focus();
  }, []);
  return target;
}

/** For the button that opens a form in its place: it gets the focus back when the form closes. */
export function useFocusBack(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
