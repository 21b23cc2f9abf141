import type { Term } from '@customer-database/words/question';
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { memo, type RefObject, useEffect, useEffectEvent } from 'react';
import { MarkedText, partsOf } from '../../../ui/marked-text.tsx';
import { scrollInside } from './text-find.ts';
import classes from './viewer.module.css';

const margin = 24;

type TextPagesProps = {
  container: RefObject<HTMLElement | null>;
  pages: { page: number; text: string }[];
  /** The page to scroll to. */
  page: number;
  terms: Term[];
  zoom: number;
  /** The page in view. */
  onView: (page: number) => void;
  /** Undefined if there are no more pages. */
  onEarlier?: () => unknown;
  onLater?: () => unknown;
};

/** The page that the middle of the container shows. */
function pageInView(container: HTMLElement): number | undefined {
  const { top, height } = container.getBoundingClientRect();
  const all = [...container.querySelectorAll<HTMLElement>('[data-page]')];
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.getBoundingClientRect().top ?? 0) <= top + height / 2) low = middle;
    else high = middle - 1;
  }
  const page = Number(all[low]?.dataset.page);
  return page || undefined;
}

export function TextPages(props: TextPagesProps) {
  const { container, pages, page, terms, zoom, onView, onEarlier, onLater } = props;
  const { ref: end, entry } = useIntersection<HTMLDivElement>();
  const isLoaded = pages.some((each) => each.page === page);

  useEffect(() => {
    const target = isLoaded && container.current?.querySelector(`[data-page="${page}"]`);
    if (!container.current || !target) return;
    const mark = terms.length > 0 && target.querySelector('mark');
    if (mark || page > 1) scrollInside(container.current, mark || target, margin);
  }, [page, terms, isLoaded, container]);

  const showMore = useEffectEvent(() => onLater?.());
  const isAtEnd = entry?.isIntersecting === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after more pages the end may still be in view
  useEffect(() => {
    if (isAtEnd) showMore();
  }, [isAtEnd, pages.length]);

  return (
    <section
      ref={container}
      className={classes.text}
      aria-label="Text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
      tabIndex={0}
      style={{ fontSize: `${zoom}rem` }}
      onScroll={({ currentTarget }) => onView(pageInView(currentTarget) ?? page)}
    >
      {onEarlier && (
        <Center mb="md">
          <Button variant="default" onClick={onEarlier}>
            Show earlier pages
          </Button>
        </Center>
      )}
      {pages.map((each) => (
        <TextPage key={each.page} {...each} terms={terms} />
      ))}
      <div ref={end} />
    </section>
  );
}

const TextPage = memo(({ page, text, terms }: { page: number; text: string; terms: Term[] }) => (
  <div className={classes.textPage} data-page={page} dir="auto">
    <MarkedText parts={partsOf(text, terms)} />
  </div>
));
