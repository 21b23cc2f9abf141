import { parseQuestion, type Term } from '@customer-database/words/question';
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { memo, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { MarkedText, partsOf } from '../../../ui/marked-text.tsx';
import classes from './viewer.module.css';

const margin = 24;

/** Scrolls the viewer, not the screen around it. */
function scrollTo(container: HTMLElement, target: Element): void {
  const distance = target.getBoundingClientRect().top - container.getBoundingClientRect().top;
  container.scrollTop += distance - margin;
}

type TextPagesProps = {
  pages: { page: number; text: string }[];
  /** The page to scroll to. */
  page: number;
  question: string;
  /** Undefined if there are no more pages. */
  onEarlier?: () => unknown;
  onLater?: () => unknown;
};

export function TextPages({ pages, page, question, onEarlier, onLater }: TextPagesProps) {
  const container = useRef<HTMLDivElement>(null);
  const terms = useMemo(() => parseQuestion(question), [question]);
  const { ref: end, entry } = useIntersection<HTMLDivElement>();
  const isLoaded = pages.some((each) => each.page === page);

  useEffect(() => {
    const target = isLoaded && container.current?.querySelector(`[data-page="${page}"]`);
    if (!container.current || !target) return;
    const mark = question && target.querySelector('mark');
    if (mark || page > 1) scrollTo(container.current, mark || target);
  }, [page, question, isLoaded]);

  const showMore = useEffectEvent(() => onLater?.());
  const isAtEnd = entry?.isIntersecting === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after more pages the end may still be in view
  useEffect(() => {
    if (isAtEnd) showMore();
  }, [isAtEnd, pages.length]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section ref={container} className={classes.text} aria-label="Text" tabIndex={0}>
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
