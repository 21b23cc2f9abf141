import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

const maxFlaky = 2;

/** Vitest's own reporters do not list tests that pass only on a retry; too many of them fail the run. */
const flakyReporter: Reporter = {
  onTestRunEnd(modules) {
    const flaky = modules
      .flatMap(({ children }) => [...children.allTests()])
      .filter((test) => test.diagnostic()?.flaky);
    for (const { module, fullName } of flaky) {
      console.log(`FLAKY, passed on retry: ${module.relativeModuleId} > ${fullName}`);
    }
    if (flaky.length > maxFlaky) process.exitCode = 1;
  },
};

export default defineConfig({
  test: {
    include: ['server/test/**/*.test.ts', 'web/test/**/*.test.ts'],
    reporters: ['default', flakyReporter],
    globalSetup: ['tests/kit/global-setup.ts'],
    setupFiles: ['tests/kit/setup.ts'],
    // Files that run one after the other in a process share what they import; loading it takes longer than most of them.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // More than there are cores, because many tests wait for something.
    maxWorkers: 4,
  },
});
