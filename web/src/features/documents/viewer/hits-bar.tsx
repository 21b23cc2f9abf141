import { formatNumber } from '../../../lib/format.ts';
import { StepButtons } from './toolbar.tsx';
import classes from './viewer.module.css';

type Go = (() => void) | undefined;
type BarProps = { text: string; unit: string; onPrevious: Go; onNext: Go };

function Bar({ text, unit, onPrevious, onNext }: BarProps) {
  return (
    <div className={classes.bar}>
      <span className={classes.figures}>{text}</span>
      <StepButtons
        direction="vertical"
        previous={{ label: `Previous ${unit}`, onClick: onPrevious }}
        next={{ label: `Next ${unit}`, onClick: onNext }}
      />
    </div>
  );
}

type HitsBarProps = {
  /** The pages with hits, in order; empty while they are loading. */
  pages: number[];
  current: number;
  onPage: (page: number) => void;
};

function countText(count: number): string {
  if (count === 0) return 'Pages with hits';
  return count === 1 ? '1 page with hits' : `${formatNumber(count)} pages with hits`;
}

/** Shown before the hits are known, so that nothing moves when they arrive. */
export function HitsBar({ pages, current, onPage }: HitsBarProps) {
  const previous = pages.findLast((page) => page < current);
  const next = pages.find((page) => page > current);
  const goTo = (page: number | undefined) => (page === undefined ? undefined : () => onPage(page));
  return (
    <Bar
      text={countText(pages.length)}
      unit="page with hits"
      onPrevious={goTo(previous)}
      onNext={goTo(next)}
    />
  );
}

type SingleHitsBarProps = {
  current: number;
  total: number;
  /** All of the document has been searched. */
  isComplete: boolean;
  onStep: (step: 'previous' | 'next') => void;
};

/** For a document that is searched here, place by place. */
export function SingleHitsBar({ current, total, isComplete, onStep }: SingleHitsBarProps) {
  const step = (to: 'previous' | 'next') => (total > 1 ? () => onStep(to) : undefined);
  const none = isComplete ? 'No hits' : 'Hits';
  return (
    <Bar
      text={total === 0 ? none : `Hit ${formatNumber(current)} of ${formatNumber(total)}`}
      unit="hit"
      onPrevious={step('previous')}
      onNext={step('next')}
    />
  );
}
