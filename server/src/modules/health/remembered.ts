export type Remembered<T> = () => Promise<T>;

type Options<T> = {
  forMs: number;
  withinMs: number;
  /** The answer when asking fails or takes too long. */
  otherwise: T;
};

/** Asks at most once in a while and once at a time: a thousand callers a second cost one question. */
export function remembered<T>(ask: () => Promise<T>, options: Options<T>): Remembered<T> {
  const { forMs, withinMs, otherwise } = options;
  let asked: Promise<T> | undefined;
  let askedAt = 0;
  return () => {
    if (!asked || Date.now() - askedAt > forMs) {
      askedAt = Date.now();
      const tooLate = new Promise<T>((resolve) => setTimeout(resolve, withinMs, otherwise).unref());
      asked = Promise.race([ask().catch(() => otherwise), tooLate]);
    }
    return asked;
  };
}
