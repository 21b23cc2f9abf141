/** @typedef {import('./test-report.js').Outcome} Outcome */
/** @typedef {import('./test-report.js').Failure} Failure */

/** With this many tests that pass only on a retry, the run says nothing about the product. */
const tooManyUnsteady = 3;
const maxShownSlowest = 10;

/** Runs the phases of `npm test` and prints their outcome last, because the end of a long output is what people read. */
export function createSummary() {
  /** @type {{ name: string, seconds: number }[]} */
  const phases = [];
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @type {Failure[]} */
  let failures = [];
  /** @type {Failure[]} */
  const unsteady = [];

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} work
   */
  async function timed(name, work) {
    const began = performance.now();
    const result = await work();
    phases.push({ name, seconds: (performance.now() - began) / 1000 });
    return result;
  }

  return {
    /**
     * @param {string} name
     * @param {() => Promise<Outcome>} phase
     */
    async run(name, phase) {
      const outcome = await timed(name, phase);
      outcomes.push(outcome);
      failures.push(...outcome.failures);
    },

    /** Retries each failed test alone, unless there are so many that the run fails anyway. */
    async retryFailed() {
      if (failures.length === 0 || failures.length >= tooManyUnsteady) return;
      await timed('second tries', async () => {
        /** @type {Failure[]} */
        const stillFailing = [];
        for (const failure of failures) {
          const again = await failure.retry?.();
          const hasPassed = again !== undefined && again.failures.length === 0 && again.passed > 0;
          (hasPassed ? unsteady : stillFailing).push(failure);
        }
        failures = stillFailing;
      });
    },

    /** @returns {number} the exit code */
    print() {
      const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0) + unsteady.length;
      const leftOut = outcomes.flatMap((outcome) => outcome.leftOut);
      const slowest = outcomes
        .flatMap(({ times }) => times)
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, maxShownSlowest);
      console.log('\nThe slowest tests:');
      for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
      console.log('\nMinutes:');
      for (const { name, seconds } of phases) console.log(`${minutes(seconds)}  ${name}`);
      console.log(`${minutes(phases.reduce((sum, { seconds }) => sum + seconds, 0))}  all\n`);
      for (const line of leftOut) console.log(line);
      for (const { name, why } of failures) console.log(`Failed: ${name}\n    ${why}`);
      for (const { name, why } of unsteady) console.log(`Unsteady: ${name} (${why.split('\n')[0]})`);
      const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : '';
      const shaky = unsteady.length > 0 ? `, ${unsteady.length} unsteady` : '';
      console.log(`${passed} passed, ${failures.length} failed${shaky}${skipped}`);
      return failures.length === 0 && unsteady.length < tooManyUnsteady ? 0 : 1;
    },
  };
}

/** @param {number} seconds */
const minutes = (seconds) => (seconds / 60).toFixed(1).padStart(5);
