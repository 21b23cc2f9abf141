const concurrency = 8;

/** Calls `work` with 1 to `times`, a few concurrently. */
export async function repeat(times: number, work: (number: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: times }, (_, index) => index + 1).values();
  const worker = async () => {
    for (const number of numbers) await work(number);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
