import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'server/test/**/*.test.ts',
      'web/test/**/*.test.ts',
      'tests/bench/test/**/*.test.ts',
      'tests/faults/test/**/*.test.ts',
    ],
    globalSetup: ['tests/kit/global-setup.ts'],
    setupFiles: ['tests/kit/setup.ts'],
    // Files that run one after the other in a process share what they import; loading it takes longer than most of them.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // More than there are cores, because many tests wait for something.
    maxWorkers: 3,
  },
});
