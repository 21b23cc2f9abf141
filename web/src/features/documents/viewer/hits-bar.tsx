import { formatNumber } from '../../../lib/format.ts';
import { StepButtons } from './toolbar.tsx';
import classes from './viewer.module.css';

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
    <div className={classes.bar}>
      <span className={classes.figures}>{countText(pages.length)}</span>
      <StepButtons
        direction="vertical"
        previous={{ label: 'Previous page with hits', onClick: goTo(previous) }}
        next={{ label: 'Next page with hits', onClick: goTo(next) }}
      />
    </div>
  );
}
