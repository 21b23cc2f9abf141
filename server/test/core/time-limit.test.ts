import { once } from 'node:events';
import { expect, it } from 'vitest';
import { limitTime } from '../../src/core/time-limit.ts';

it('A time limit aborts when the time is up', async () => {
  using limit = limitTime(new AbortController().signal, 10);
  await once(limit.signal, 'abort');
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('A time limit aborts with the signal that it extends', () => {
  const stopping = new AbortController();
  using limit = limitTime(stopping.signal, 60_000);
  expect(limit.signal.aborted).toBe(false);
  stopping.abort();
  expect(limit.signal.aborted).toBe(true);
});
