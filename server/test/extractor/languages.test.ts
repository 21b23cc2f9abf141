import { createExtractor } from '@customer-database/extractor/extractor';
import { afterFile } from '@customer-database/testkit/cleanup';
import { expect, it } from 'vitest';

const extractor = createExtractor({ cpuMs: 60_000, timeoutMs: 120_000, maxResidentBytes: 768 * 1024 * 1024 });
afterFile(() => extractor.close());

async function languageOf(text: string): Promise<string | null> {
  const answer = await extractor.ask(() => ({ kind: 'text', bytes: Buffer.from(text) }));
  if (answer.outcome !== 'text') throw new Error(answer.outcome);
  return answer.result.language;
}

const sentences: [language: string, text: string][] = [
  ['ara', 'يلتزم المورد بتسليم الأثاث في الموعد المتفق عليه وبتركيبه في مكاتب العميل.'],
  ['ces', 'Dodavatel dodá kancelářský nábytek ve lhůtě třiceti dnů od podpisu smlouvy.'],
  ['dan', 'Leverandøren skal levere kontormøblerne inden for tredive dage efter aftalens indgåelse.'],
  ['deu', 'Der Lieferant übergibt die Büromöbel innerhalb von dreißig Tagen nach Vertragsschluss.'],
  ['ell', 'Ο προμηθευτής παραδίδει τα έπιπλα γραφείου μέσα σε τριάντα ημέρες από την υπογραφή.'],
  ['eng', 'The supplier delivers the office furniture within thirty days of the signature.'],
  ['fin', 'Toimittaja luovuttaa toimistokalusteet kolmenkymmenen päivän kuluessa sopimuksesta.'],
  ['fra', 'Le fournisseur livre le mobilier de bureau dans les trente jours suivant la signature.'],
  ['hun', 'A szállító az irodabútorokat a szerződés aláírásától számított harminc napon belül átadja.'],
  ['ita', 'Il fornitore consegna i mobili per ufficio entro trenta giorni dalla firma del contratto.'],
  ['jpn', '供給者は、契約の締結から三十日以内に事務用家具を納入し、設置するものとする。'],
  ['nld', 'De leverancier levert het kantoormeubilair binnen dertig dagen na ondertekening.'],
  ['pol', 'Dostawca dostarczy meble biurowe w ciągu trzydziestu dni od podpisania umowy.'],
  ['por', 'O fornecedor entrega os móveis de escritório no prazo de trinta dias após a assinatura.'],
  ['ron', 'Furnizorul livrează mobilierul de birou în termen de treizeci de zile de la semnare.'],
  ['rus', 'Поставщик передаёт офисную мебель в течение тридцати дней после подписания договора.'],
  ['spa', 'El proveedor entrega los muebles de oficina en los treinta días siguientes a la firma.'],
  ['swe', 'Leverantören ska leverera kontorsmöblerna inom trettio dagar efter undertecknandet.'],
  ['tur', 'Tedarikçi, ofis mobilyalarını sözleşmenin imzalanmasından sonra otuz gün içinde teslim eder.'],
  ['ukr', 'Постачальник передає офісні меблі протягом тридцяти днів після підписання договору.'],
  ['vie', 'Nhà cung cấp giao đồ nội thất văn phòng trong vòng ba mươi ngày kể từ ngày ký hợp đồng.'],
  ['zho', '供应商应当在合同签订之日起三十日内交付办公家具并负责安装和调试。'],
];

// The process starts slowly on a busy machine.
it('The language of a sentence is recognised', { timeout: 120_000 }, async () => {
  const found = [];
  for (const [, text] of sentences) found.push([await languageOf(text), text]);
  expect(found).toEqual(sentences);
});

it.each([
  'Invoice number 4711\nQuantity Description Unit price Total\nVAT Net amount Gross amount',
  'Passport copy\nDate of birth 1980-01-02\nPlace of birth Leeds\nNationality British',
  'Delivery note\nDocument date 12 May 2026\nOffice chair\nDesk\nShelf\nLamp\nWaste paper basket',
  'Name: John Smith\nPhone: 555 1234\nEmail: j.smith@example.com\nDepartment: Purchasing',
])('The language of an English list is English or unknown: %j', async (text) => {
  expect([null, 'eng']).toContain(await languageOf(text));
});

it.each([
  'Total 120.00',
  'Minutes\nPresent: Anna, Bob',
  'OK',
  '4711 0815 220 230 '.repeat(20),
  'Nowak, Łódź',
])('The language of %j is unknown', async (text) => expect(await languageOf(text)).toBeNull());
