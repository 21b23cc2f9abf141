import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { search } from '@customer-database/testkit/search';
import { startTestApp } from '@customer-database/testkit/test-app';
import { vectorOf } from '@customer-database/words/vector';
import { beforeAll, describe, expect, it } from 'vitest';

const papers = {
  german:
    'Der Mietvertrag über die Räume in der Großen Straße endet am 31. März. Die Kündigungsfrist beträgt drei Monate.',
  french: "L'hôtel a reçu la facture du mois d'août ; le garçon l'a payée à la caisse de l'œuvre.",
  polish: 'Umowa została zawarta w Łodzi. Zażółć gęślą jaźń.',
  vietnamese: 'Hợp đồng thuê nhà tại Đường Nguyễn Huệ, thành phố Hồ Chí Minh.',
  chinese: '本合同由北京市朝阳区人民政府与租户签订，租金每月支付。',
  japanese: '東京都の賃貸契約書です。カタカナとひらがな。',
  thai: 'สัญญาเช่าบ้านในกรุงเทพมหานคร',
  arabic: 'هٰذَا عَقْدُ إيجارٍ بين المالك والمستأجر في مدينة القاهرة',
  greek: 'Το συμβόλαιο υπογράφηκε στην Αθήνα',
  russian: 'Договор аренды подписан в Москве',
};
type Paper = keyof typeof papers;

let staff: TestUser;

/** Saves the pages as the extractor does, without waiting for it. */
beforeAll(async () => {
  const app = await startTestApp();
  const admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  const customer = await makeCustomer(admin.client);
  for (const [paper, text] of Object.entries(papers)) {
    const overrides = { filename: `${paper}.txt`, mime_type: 'text/plain', description: null };
    const { id } = await makeDocument(admin.client, customer.id, overrides, Buffer.from(text));
    await app.pool.query(
      'insert into document_pages (document_id, page, content, words) values ($1, 1, $2, $3)',
      [id, text, vectorOf(text)],
    );
    await app.pool.query('select collect_document_words($1)', [id]);
  }
});

describe('A search finds text in any language, without regard to case and accents', () => {
  it.each<[string, Paper]>([
    ['mietvertrag', 'german'],
    ['grosse strasse', 'german'],
    ['KUNDIGUNGSFRIST', 'german'],
    ['"31. März"', 'german'],
    ['hotel facture', 'french'],
    ['garcon', 'french'],
    ["d'août", 'french'],
    ['oeuvre', 'french'],
    ['lodzi', 'polish'],
    ['zazolc gesla', 'polish'],
    ['hop dong', 'vietnamese'],
    ['duong nguyen hue', 'vietnamese'],
    ['"thành phố hồ chí minh"', 'vietnamese'],
    ['合同', 'chinese'],
    ['北京', 'chinese'],
    ['租金 朝阳', 'chinese'],
    ['"人民政府"', 'chinese'],
    ['"京市朝"', 'chinese'],
    ['租', 'chinese'],
    ['簽訂', 'chinese'],
    ['"與租戶簽訂"', 'chinese'],
    ['東京', 'japanese'],
    ['ｶﾀｶﾅ', 'japanese'],
    ['สัญญา', 'thai'],
    ['عقد', 'arabic'],
    ['العقد', 'arabic'],
    ['مالك مستأجر', 'arabic'],
    ['للمالك', 'arabic'],
    ['هذا', 'arabic'],
    ['القاهرة المالك', 'arabic'],
    ['συμβολαιο αθηνα', 'greek'],
    ['договор москве', 'russian'],
  ])('%s', async (q, paper) => {
    const { pages, corrected } = await search(staff.client, q);
    expect(pages.items.map(({ document }) => document.filename)).toEqual([`${paper}.txt`]);
    expect(corrected).toBeNull();
    const snippet = pages.items[0]?.snippet ?? [];
    expect(snippet.some(({ hit }) => hit)).toBe(true);
    const passage = snippet.map(({ text }) => text).join('');
    expect(papers[paper]).toContain(passage.replace(/^… | …$/g, ''));
  });
});
