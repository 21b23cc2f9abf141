import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begun at the end, a file that mostly waits would keep the others' processors idle. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = /\/(jobs-|outage|stopping\.|s3-app|storage\.|metrics-access|demo|process\.|hardening-slow)/;
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (waits.test(moduleId) ? 0 : 1);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: [
      'server/test/**/*.test.ts',
      'web/test/**/*.test.ts',
      'bench/test/**/*.test.ts',
      'faults/test/**/*.test.ts',
    ],
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/setup.ts'],
    // Files that run one after the other in a process share what they import; loading it takes longer than most of them.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    sequence: { sequencer: WaitingFirst },
    // More than there are cores, because many tests wait for something.
    maxWorkers: 3,
  },
});
