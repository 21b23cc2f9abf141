import type { TestApp } from './test-app.ts';

/** From now on only the test moves the server's clock: on a slow machine a second's wait would pass by itself. */
export function stopClock({ clock }: TestApp): void {
  let moment = clock.now().getTime();
  clock.now = () => new Date(moment);
  clock.advance = (ms) => {
    moment += ms;
  };
  clock.set = (date) => {
    moment = new Date(date).getTime();
  };
}
