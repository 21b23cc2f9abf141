import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Places, rangesOfTyped, type Step } from './dom-hits.ts';
import type { Found } from './find-bar.tsx';

/** Scrolls the viewer, not the screen around it. */
export function scrollInside(container: HTMLElement, target: Element | Range, margin: number): void {
  const distance = target.getBoundingClientRect().top - container.getBoundingClientRect().top;
  container.scrollTop += distance - margin;
}

const margin = 80;
const nothing = { current: 0, total: 0 };

/** Finds what the user types in the pages of a text, once all of them are there. */
export function useTextFind(container: RefObject<HTMLElement | null>, isComplete: boolean) {
  const places = useRef<Places>(undefined);
  const [typed, setTyped] = useState('');
  const [count, setCount] = useState(nothing);

  function go(step: Step): void {
    const range = places.current?.go(step);
    if (range && container.current) scrollInside(container.current, range, margin);
    setCount(places.current?.count ?? nothing);
  }

  const search = useEffectEvent(() => {
    places.current ??= new Places(window, 'match');
    places.current.clear();
    for (const page of container.current?.querySelectorAll('[data-page]') ?? []) {
      places.current.add(rangesOfTyped(typed, page));
    }
    if (typed) go('first');
    else setCount(nothing);
  });

  useEffect(() => {
    if (isComplete || typed === '') search();
  }, [typed, isComplete]);

  useEffect(() => () => places.current?.clear(), []);

  const found: Found = { ...count, isPending: typed !== '' && !isComplete };
  const find = (text: string, step: Step) => (text === typed ? go(step) : setTyped(text));
  return { found, find };
}
