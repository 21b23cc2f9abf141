import { hash } from 'node:crypto';
import { vectorOf, vectorOfFields } from '@customer-database/words/vector';
import { tokenizerVersion, wordsOf } from '@customer-database/words/words';
import { describe, expect, it } from 'vitest';

const textsOf = (text: string) => [...wordsOf(text)].map((word) => word.text);

describe('The words of a text', () => {
  it.each([
    ['German', 'Straßenbau über Möbel', ['strassenbau', 'uber', 'mobel']],
    ['French', 'L’échéance, cœur à cœur', ['l', 'echeance', 'coeur', 'a', 'coeur']],
    ['Polish', 'Łucja zażółciła gęś', ['lucja', 'zazolcila', 'ges']],
    ['Vietnamese', 'Hợp đồng bảo trì', ['hop', 'dong', 'bao', 'tri']],
    ['Turkish', 'İSTANBUL ılık', ['istanbul', 'ilik']],
    ['Arabic', 'العَقْدُ ـــ أُبرم', ['عقد', 'ابرم']],
    ['Chinese', '销售合同', ['销售', '售合', '合同', '同']],
    ['Japanese', '第2条のカード', ['第', '2', '条の', 'のカ', 'カー', 'ード', 'ド']],
    ['Thai', 'ซื้อขาย', ['ซื้อ', 'อข', 'ขา', 'าย', 'ย']],
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

  it('are the groups of a number and the number without its separators, at the position of the last group', () => {
    expect(vectorOf('3,180.00 EUR')).toBe('3:1 180:2 3180:2 00:3 eur:4');
    for (const number of ['1.234.567,89', "1'234'567", '1 234 567', '1\u202f234\u202f567']) {
      expect(textsOf(number)).toContain('1234567');
    }
    expect(textsOf('13,1801 or 1,234.567 or 2024-05-180')).not.toContain('131801');
  });

  it('have their offsets in the text', () => {
    const text = 'Ein Größenvergleich 销售合同';
    const slices = [...wordsOf(text)].map(({ start, end }) => text.slice(start, end));
    expect(slices).toEqual(['Ein', 'Größenvergleich', '销', '售', '合', '同']);
  });

  it('make a vector with positions', () => {
    expect(vectorOf('one two ONE')).toBe('one:1,3 two:2');
    expect(vectorOf('x'.repeat(5_000)).length).toBeLessThan(100);
  });

  it('make one vector of several fields, whose words are not next to each other', () => {
    const fields = [{ text: 'Ann Lee', weight: 'A' as const }, { text: null }, { text: 'lee, 销售' }];
    expect(vectorOfFields(fields)).toBe('ann:2A lee:3A,5 销售:6 售:7');
  });

  it('change only together with the version, at which servers prepare the words of all texts again', () => {
    const samples = [
      'Straße 3-5, m.nowak@example.org',
      'Ёлка ½ ﬁle',
      'العَقْدُ ـــ',
      '销售合同第１２条',
      'ﾃﾞｰﾀ',
      'ซื้อ',
      'والعقد للمالك 3.180,00',
      '銷售',
    ];
    expect([tokenizerVersion, hash('md5', samples.map(vectorOf).join())]).toEqual([
      2,
      '71b1b2823065a225a3b5a5bbbd4aac65',
    ]);
  });
});
