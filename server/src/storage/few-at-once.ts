const atOnce = 4;

/** Works through the items, a few at a time; the first failure ends it, and nothing is begun after it. */
export async function fewAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let hasFailed = false;
  async function takeTurns(): Promise<void> {
    for (let next = waiting.next(); !next.done && !hasFailed; next = waiting.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}
