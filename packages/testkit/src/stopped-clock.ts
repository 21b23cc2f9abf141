import type { TestApp } from './test-app.ts';

/** The server's time now moves only when told to: on a slow machine a wait of a second would pass by itself. */
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
