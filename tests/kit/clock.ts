import type { Clock } from '../../server/src/core/clock.ts';

export type TestClock = Clock & {
  advance(ms: number): void;
  set(date: Date | string): void;
};

/** Starts at the real time and can be moved. */
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
