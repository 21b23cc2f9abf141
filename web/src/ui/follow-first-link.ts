import type { MouseEvent } from 'react';

/** A click anywhere in a row follows the row's first link; keyboard users have the link itself. */
export function followFirstLink(event: MouseEvent<HTMLElement>): void {
  const isOnControl = (event.target as Element).closest('a, button') !== null;
  const isSelectingText = window.getSelection()?.isCollapsed === false;
  if (isOnControl || isSelectingText) return;
  // Passes on modifier keys: Ctrl opens a new tab.
  event.currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent(event.type, event.nativeEvent));
}
