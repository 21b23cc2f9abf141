import { interruptible } from './command.ts';

const terminalIntervalMs = 100;
const logIntervalMs = 5_000;

/**
 * Shows progress and measures the time. Writes to standard error, apart from data: on a terminal it rewrites one line,
 * elsewhere it adds a line every few seconds.
 */
export async function withProgress<T>(
  work: (show: (text: string) => void) => Promise<T>,
): Promise<{ result: T; seconds: number }> {
  const { stderr } = process;
  const startedAt = performance.now();
  let shownAt = startedAt;
  const show = (text: string) => {
    const now = performance.now();
    if (now - shownAt < (stderr.isTTY ? terminalIntervalMs : logIntervalMs)) return;
    shownAt = now;
    stderr.write(stderr.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
  };
  try {
    const result = await work(show);
    return { result, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    if (stderr.isTTY && shownAt > startedAt) stderr.write('\r\u001b[K');
  }
}

/** The same for work that Ctrl-C interrupts; `interrupted` says what that leaves. */
export const withInterruptibleProgress = <T>(
  signal: AbortSignal,
  interrupted: string,
  work: (show: (text: string) => void) => Promise<T>,
) => withProgress((show) => interruptible(signal, interrupted, () => work(show)));

/** Such as ' in 4.2 s (23,810 per second)'. */
export function speedText(count: number, seconds: number): string {
  const perSecond = Math.round(count / Math.max(seconds, 0.001));
  return ` in ${seconds.toFixed(1)} s (${perSecond.toLocaleString('en')} per second)`;
}
