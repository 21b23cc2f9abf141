import { type MouseEvent, useRef, useState } from 'react';

/** Ignores the second click of a double click. The action handles its own errors. */
export function useClickOnce(act: () => Promise<void>) {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  async function onClick(event: MouseEvent): Promise<void> {
    if (running.current || event.detail > 1) return;
    running.current = true;
    setBusy(true);
    await act();
    running.current = false;
    setBusy(false);
  }
  return { busy, onClick };
}
