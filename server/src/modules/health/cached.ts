type Options<T> = {
  ttlMs: number;
  timeoutMs: number;
  /** The result if loading fails or times out. */
  fallback: T;
};

/** Loads at most once per TTL, however many callers there are. */
export function cached<T>(
  load: () => Promise<T>,
  { ttlMs, timeoutMs, fallback }: Options<T>,
): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  let loadedAt = 0;
  return () => {
    if (!loaded || Date.now() - loadedAt > ttlMs) {
      loadedAt = Date.now();
      const timeout = new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, fallback).unref());
      loaded = Promise.race([load().catch(() => fallback), timeout]);
    }
    return loaded;
  };
}
