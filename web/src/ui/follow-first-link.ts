import type { MouseEvent } from 'react';

/** False for clicks on a control of the row, and for those that end a text selection. */
export function isOnRow(event: MouseEvent<HTMLElement>): boolean {
  const isOnControl = (event.target as Element).closest('a, button') !== null;
  const isSelectingText = window.getSelection()?.isCollapsed === false;
  return !isOnControl && !isSelectingText;
}

/** A click anywhere in a row follows the row's first link; keyboard users have the link itself. */
export function followFirstLink(event: MouseEvent<HTMLElement>): void {
  if (!isOnRow(event)) return;
  // Keeps the modifier keys: Ctrl opens a new tab.
  event.currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent(event.type, event.nativeEvent));
}
