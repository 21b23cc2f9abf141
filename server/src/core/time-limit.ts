/**
 * A signal that aborts with the given one, or after this time. `AbortSignal.any` does not keep its sources: a signal of
 * `AbortSignal.timeout` among them is lost to garbage collection and never aborts.
 */
export function limitTime(stopping: AbortSignal, maxMs: number): Disposable & { signal: AbortSignal } {
  const elapsed = new AbortController();
  const timer = setTimeout(() => elapsed.abort(new DOMException('The time is up', 'TimeoutError')), maxMs);
  return {
    signal: AbortSignal.any([stopping, elapsed.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
