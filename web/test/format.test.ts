import { describe, expect, it, vi } from 'vitest';
import { formatFileSize } from '../src/lib/format.ts';

describe('formatting a file size', () => {
  it.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1023, '1,023 Bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [1024 * 1024 - 1, '1 MB'],
    [10 * 1024 * 1024, '10 MB'],
    [3 * 1024 ** 3, '3 GB'],
    [5 * 1024 ** 4, '5,120 GB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(formatFileSize(bytes)).toBe(text);
  });

  it.each([null, undefined])('treats %s as unknown', (missing) => {
    expect(formatFileSize(missing)).toBe('Unknown size');
  });
});

it.each(['Pacific/Kiritimati', 'America/Los_Angeles'])('a day is the same day in %s', async (zone) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { formatDay } = await import('../src/lib/format.ts');
  expect(formatDay('1980-01-01')).toBe('Jan 1, 1980');
  vi.unstubAllEnvs();
});
