import { openReader } from '@customer-database/testkit/extraction';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

const { textOf } = openReader();

describe('Plain text without a mark', { timeout: 120_000 }, () => {
  it.each<[string, string[]]>([
    ['Просим подписать договор до конца месяца', ['win1251', 'cp866', 'koi8-r']],
    ['Надсилаємо її договір і просимо підписати', ['win1251', 'koi8-u']],
    ['Przesyłamy umowę dostawy i prosimy o źródło', ['win1250', 'iso-8859-2', 'cp852']],
    ['Příští týden přijede řidič', ['win1250', 'iso-8859-2', 'cp852']],
    ['A fizetés tíz napon belül történik, őszi', ['win1250', 'cp852']],
    ['Wir liefern die Möbel für Ihre Büros in Österreich, Straße 9', ['win1252', 'cp850', 'macroman']],
    ['Nous vous prions de le signer dès réception', ['win1252', 'cp850', 'macroman']],
    ['Ödeme on gün içinde yapılır, satış bölümü', ['win1254']],
    ['Σας στέλνουμε τη σύμβαση', ['win1253']],
    ['Siunčiame Jums baldų tiekimo sutartį iki mėnesio pabaigos', ['win1257']],
    ['אנו שולחים לך את חוזה אספקת הרהיטים', ['win1255']],
    ['نرسل إليكم عقد توريد الأثاث', ['win1256']],
    ['供給者は、事務用家具を納入する。', ['shiftjis', 'eucjp']],
    ['“It’s 5 € – or less…” he said', ['win1252']],
    ['The café', ['win1252']],
  ])('is read in the code page of its language: %s', async (text, encodings) => {
    for (const encoding of encodings) expect(await textOf(iconv.encode(text, encoding)), encoding).toBe(text);
  });

  it('is read at the size limit, also if it has no letters', async () => {
    for (const unit of ['\xff', '\x80 ', '\xe9', 'a\xc0'])
      expect((await textOf(Buffer.alloc(10 * 1024 * 1024, unit, 'latin1'))).length).toBeGreaterThan(
        1_000_000,
      );
  });
});
