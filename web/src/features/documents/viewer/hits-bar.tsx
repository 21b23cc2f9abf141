import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { formatNumber } from '../../../lib/format.ts';
import { ToolButton } from './toolbar.tsx';
import classes from './viewer.module.css';

type HitsBarProps = {
  /** The pages with hits, in order; none while they are being looked up. */
  pages: number[];
  current: number;
  onPage: (page: number) => void;
};

function countText(count: number): string {
  if (count === 0) return 'Pages with hits';
  return count === 1 ? '1 page with hits' : `${formatNumber(count)} pages with hits`;
}

/** There from the beginning, so that nothing moves. */
export function HitsBar({ pages, current, onPage }: HitsBarProps) {
  const previous = pages.findLast((page) => page < current);
  const next = pages.find((page) => page > current);
  return (
    <div className={classes.bar}>
      <span className={classes.figures}>{countText(pages.length)}</span>
      <span className={classes.group}>
        <ToolButton
          label="Previous page with hits"
          icon={<IconChevronUp size={20} />}
          disabled={previous === undefined}
          onClick={() => previous !== undefined && onPage(previous)}
        />
        <ToolButton
          label="Next page with hits"
          icon={<IconChevronDown size={20} />}
          disabled={next === undefined}
          onClick={() => next !== undefined && onPage(next)}
        />
      </span>
    </div>
  );
}
