const concurrency = 4;

/** Processes a few items at a time; after the first failure no further item is started. */
export async function runConcurrent<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const remaining = items[Symbol.iterator]();
  let hasFailed = false;
  async function runWorker(): Promise<void> {
    for (let next = remaining.next(); !next.done && !hasFailed; next = remaining.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker));
}
