import type { HitBox } from '@customer-database/contract/search';
import classes from './pdf.module.css';

/** The box on a page that is turned clockwise. */
export function turn({ left, top, width, height }: HitBox, rotation: number): HitBox {
  switch (rotation) {
    case 90:
      return { left: 1 - top - height, top: left, width: height, height: width };
    case 180:
      return { left: 1 - left - width, top: 1 - top - height, width, height };
    case 270:
      return { left: top, top: 1 - left - width, width: height, height: width };
    default:
      return { left, top, width, height };
  }
}

const percent = (share: number) => `${share * 100}%`;

/** Marks words of a scan. In percent, so that they follow the zoom. */
export function drawHits(page: HTMLElement, boxes: HitBox[], rotation: number): void {
  page.querySelector(`:scope > .${classes.hits}`)?.remove();
  if (boxes.length === 0) return;
  const layer = Object.assign(document.createElement('div'), { className: classes.hits, ariaHidden: 'true' });
  for (const box of boxes) {
    const { left, top, width, height } = turn(box, rotation);
    const mark = document.createElement('mark');
    mark.style.left = percent(left);
    mark.style.top = percent(top);
    mark.style.width = percent(width);
    mark.style.height = percent(height);
    layer.append(mark);
  }
  page.append(layer);
}
