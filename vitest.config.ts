import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'server/test/**/*.test.ts',
      'web/test/**/*.test.ts',
      'bench/test/**/*.test.ts',
      'faults/test/**/*.test.ts',
    ],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    setupFiles: ['packages/testkit/src/setup.ts'],
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
