import type { Clock } from '../../../server/src/core/clock.ts';

export type TestClock = Clock & {
  advance(ms: number): void;
  set(date: Date | string): void;
};

/** Runs on from the real time, and jumps when told to. */
export function createTestClock(): TestClock {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    advance: (ms) => {
      offset += ms;
    },
    set: (date) => {
      offset = new Date(date).getTime() - Date.now();
    },
  };
}
