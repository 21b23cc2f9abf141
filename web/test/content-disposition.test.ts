import { describe, expect, it } from 'vitest';
import { parseFilename } from '../src/lib/content-disposition.ts';

describe('the filename in a Content-Disposition header', () => {
  it.each([
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['inline; filename="a \\"quoted\\" name.txt"', 'a "quoted" name.txt'],
    [`attachment; filename="r_sum_.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`, 'résumé.pdf'],
    [`attachment; filename*=UTF-8''%E5%A5%91%E7%B4%84%20(1).pdf; filename="x.pdf"`, '契約 (1).pdf'],
  ])('is read from %s', (header, name) => {
    expect(parseFilename(header)).toBe(name);
  });

  it.each([null, '', 'attachment', `attachment; filename*=UTF-8''%E5%ZZ`])('%s has none', (header) => {
    expect(parseFilename(header)).toBeUndefined();
  });
});
