import { Portal } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import classes from './hover-thumbnail.module.css';
import { Thumbnail } from './thumbnail.tsx';

const delayMs = 350;
const gap = 6;
const [cardWidth, cardHeight] = [200, 268];

/** Attributes for the name of a document, which then shows its thumbnail under the mouse. */
export function hoverThumbnail(url: string | undefined, mimeType: string): Record<string, string> {
  return url ? { 'data-thumbnail': url, 'data-mime-type': mimeType } : {};
}

type Shown = { url: string; mimeType: string; left: number; top: number };

/** Below the name, or above if there is no room. */
function placeNear(name: HTMLElement): Pick<Shown, 'left' | 'top'> {
  const { left, top, bottom } = name.getBoundingClientRect();
  const hasRoomBelow = bottom + gap + cardHeight <= window.innerHeight;
  return {
    left: Math.max(gap, Math.min(left, window.innerWidth - cardWidth - gap)),
    top: hasRoomBelow ? bottom + gap : Math.max(gap, top - gap - cardHeight),
  };
}

/** One component serves all names on the screen: a table may have hundreds. */
export function HoverThumbnail() {
  const [shown, setShown] = useState<Shown>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function hide(): void {
    clearTimeout(timer.current);
    setShown(undefined);
  }

  useWindowEvent('pointerover', (event) => {
    hide();
    const name = (event.target as Element).closest<HTMLElement>('[data-thumbnail]');
    const { thumbnail: url, mimeType } = name?.dataset ?? {};
    if (!name || !url || !mimeType || event.pointerType !== 'mouse') return;
    timer.current = setTimeout(() => {
      if (name.isConnected) setShown({ url, mimeType, ...placeNear(name) });
    }, delayMs);
  });
  useWindowEvent('pointerdown', hide);
  useWindowEvent('keydown', hide);

  if (!shown) return null;
  return (
    <Portal>
      <div
        className={classes.card}
        style={{ left: shown.left, top: shown.top }}
        data-testid="hover-thumbnail"
      >
        <Thumbnail url={shown.url} mimeType={shown.mimeType} />
      </div>
    </Portal>
  );
}
