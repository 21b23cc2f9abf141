import { vectorOf, wordsOf } from '@customer-database/words/words';
import { describe, expect, it } from 'vitest';

const textsOf = (text: string) => [...wordsOf(text)].map((word) => word.text);

describe('The words of a text', () => {
  it.each([
    ['German', 'Straßenbau über Möbel', ['strassenbau', 'uber', 'mobel']],
    ['French', 'L’échéance, cœur à cœur', ['l', 'echeance', 'coeur', 'a', 'coeur']],
    ['Polish', 'Łucja zażółciła gęś', ['lucja', 'zazolcila', 'ges']],
    ['Vietnamese', 'Hợp đồng bảo trì', ['hop', 'dong', 'bao', 'tri']],
    ['Turkish', 'İSTANBUL ılık', ['istanbul', 'ilik']],
    ['Arabic', 'العَقْدُ ـــ أُبرم', ['العقد', 'ابرم']],
    ['Chinese', '销售合同', ['销售', '合同']],
    ['Japanese', '供給契約', ['供給', '契約']],
    ['Thai', 'สัญญาซื้อขาย', ['สัญญา', 'ซื้อ', 'ขาย']],
    ['Korean', '계약서 갱신', ['계약서', '갱신']],
    ['Russian', 'Ёлка и Йод', ['елка', 'и', 'иод']],
  ])('in %s', (_language, text, words) => {
    expect(textsOf(text)).toEqual(words);
    expect(textsOf(text.normalize('NFD'))).toEqual(words);
  });

  it('are letters and digits, whatever is between them', () => {
    expect(textsOf('INV-2024/0042: a_b <x@y.com> ½ ﬁle ①')).toEqual([
      ...['inv', '2024', '0042', 'a', 'b', 'x', 'y', 'com', '1', '2', 'file', '1'],
    ]);
    expect(textsOf('con\u00adtract zero\u200bwidth')).toEqual(['contract', 'zerowidth']);
    expect(textsOf(' .,;!? ')).toEqual([]);
  });

  it('have their offsets in the text', () => {
    const text = 'Ein Größenvergleich 销售合同';
    for (const { start, end, text: word } of wordsOf(text)) {
      expect(textsOf(text.slice(start, end))).toEqual([word]);
    }
  });

  it('make a vector with positions', () => {
    expect(vectorOf('one two ONE')).toBe('one:1,3 two:2');
    expect(vectorOf('x'.repeat(5_000)).length).toBeLessThan(100);
  });
});
