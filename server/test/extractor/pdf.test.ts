import { readFileSync } from 'node:fs';
import { createExtractor } from '@customer-database/extractor/extractor';
import { startSandbox } from '@customer-database/extractor/process';
import type { Answer, Request } from '@customer-database/extractor/protocol';
import { afterFile } from '@customer-database/testkit/cleanup';
import { type PdfPage, pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { describe, expect, it } from 'vitest';

const limits = { cpuMs: 60_000, timeoutMs: 120_000, maxResidentBytes: 768 * 1024 * 1024 };
const extractor = createExtractor(limits, () => startSandbox({ languages: ['eng'] }));
afterFile(() => extractor.close());

const ask = (request: Request): Promise<Answer> => extractor.ask(() => request);

async function pagesOf(bytes: Buffer) {
  const answer = await ask({ kind: 'text', bytes });
  if (answer.outcome !== 'text') throw new Error(answer.outcome);
  return answer.result.pages.map(({ text, isPicture }) => ({ text, isPicture }));
}

async function recognise(bytes: Buffer) {
  const answer = await ask({ kind: 'picture', bytes, page: 1 });
  if (answer.outcome !== 'picture') throw new Error(answer.outcome);
  return answer.result;
}

async function darkestOf(bytes: Buffer): Promise<number> {
  const answer = await ask({ kind: 'thumbnail', bytes, width: 200 });
  if (answer.outcome !== 'thumbnail' || !answer.result) throw new Error(answer.outcome);
  return answer.result.rgba.reduce((darkest, value) => Math.min(darkest, value));
}

const fixture = (name: string) => readFileSync(new URL(`../fixtures/pdf/${name}.pdf`, import.meta.url));

const box = '/Rect [60 700 400 730] /DA (/F1 12 Tf 0 g)';
const emptyPage: PdfPage = { content: Buffer.alloc(0) };
const formPage: PdfPage = {
  ...textPage('Application for a parking space'),
  annotations: [
    `/Subtype /Widget /FT /Tx /T (name) /V (Ad\\350le N\\372\\361ez) ${box}`,
    `/Subtype /Widget /FT /Ch /Ff 131072 /T (city) /Opt [(Lisbon) (Porto)] /V (Porto) ${box}`,
    `/Subtype /Widget /FT /Btn /T (agreed) /V /Yes /AS /Yes ${box}`,
  ],
};

describe('The text of a PDF', { timeout: 120_000 }, () => {
  it('has the values of its form', async () => {
    expect(await pagesOf(pdfOf([formPage]))).toEqual([
      { text: 'Application for a parking space\nAdèle Núñez\nPorto', isPicture: false },
    ]);
  });

  it('has what people wrote on it, once, and nothing that is hidden', async () => {
    const annotations = [
      `/Subtype /FreeText /Contents (Paid on Friday) ${box}`,
      '/Subtype /Text /Contents (Ask the landlord) /Rect [10 10 30 30]',
      '/Subtype /Popup /Contents (Ask the landlord) /Rect [10 10 30 30]',
      `/Subtype /Highlight /Contents (Wrong amount) /QuadPoints [60 730 400 730 60 700 400 700] ${box}`,
      `/Subtype /Text /F 2 /Contents (Invisible) ${box}`,
    ];
    const [page] = await pagesOf(pdfOf([{ ...emptyPage, annotations }]));
    expect(page?.text.split('\n').sort()).toEqual(['Ask the landlord', 'Paid on Friday', 'Wrong amount']);
  });

  it('runs no script of a form', async () => {
    const script = `/A << /S /JavaScript /JS (this.getField("name").value = "changed";) >>`;
    const actions = `/AA << /F ${script.slice(3)} /C ${script.slice(3)} >>`;
    const annotations = [`/Subtype /Widget /FT /Tx /T (name) /V (kept) ${script} ${actions} ${box}`];
    expect(await pagesOf(pdfOf([{ ...emptyPage, annotations }]))).toMatchObject([{ text: 'kept' }]);
  });

  it.each([0, 90, 180, 270])(
    'is read from left to right if the page is turned by %i degrees',
    async (rotation) => {
      const page = { ...textPage('Turned for the', 'scanner of an office'), rotation };
      expect(await pagesOf(pdfOf([page]))).toMatchObject([{ text: 'Turned for the\nscanner of an office' }]);
    },
  );

  it('has its lines of any direction', async () => {
    const upwards = Buffer.from('BT /F1 14 Tf 0 1 -1 0 500 200 Tm (Printed along the margin) Tj ET');
    const content = Buffer.concat([textPage('Printed across the page').content, Buffer.from('\n'), upwards]);
    const [page] = await pagesOf(pdfOf([{ content }]));
    expect(page?.text).toMatch(/^Printed across the page\n/);
    expect(page?.text).toContain('\nPrinted along the margin');
  });

  it('is read from right to left where PDFium reads the letters of Arabic words from left to right', async () => {
    expect(await pagesOf(fixture('arabic-of-cairo'))).toMatchObject([{ text: 'خلال ثلاثين الأعمال' }]);
  });

  it('is read without a password if opening it needs none', async () => {
    expect(await pagesOf(fixture('empty-password'))).toMatchObject([
      { text: 'Secret with empty password: marigold' },
    ]);
  });
});

describe('The picture of a page', { timeout: 120_000 }, () => {
  it.each<[string, string]>([
    ['the values of forms', `/Subtype /Widget /FT /Tx /T (name) /V (WWWWWWWWWWWWWWWWWWWW) ${box}`],
    ['annotations', '/Subtype /Square /C [0 0 0] /IC [0 0 0] /Rect [60 600 400 730]'],
  ])('shows %s', async (_kind, annotation) => {
    expect(await darkestOf(pdfOf([emptyPage]))).toBe(255);
    expect(await darkestOf(pdfOf([{ ...emptyPage, annotations: [annotation] }]))).toBeLessThan(200);
  });

  it.each(['jbig2', 'jpeg-2000'])('is read by OCR if it is a %s', async (name) => {
    expect(await pagesOf(fixture(name))).toEqual([{ text: '', isPicture: true }]);
    const { text } = await recognise(fixture(name));
    const words = 'The delivery of a hydrangea Invoice number 4711 is due on the first of December';
    expect(text.split(/\s+/).join(' ')).toBe(words);
  });
});

describe('A scan with some text', { timeout: 120_000 }, () => {
  /** A scan of all lines with a text layer of the first one. */
  async function partlyRead(first: string, ...others: string[]): Promise<Buffer> {
    const scan = await scannedPage(pdfOf([textPage(first, ...others)]));
    const content = Buffer.concat([
      Buffer.from('q '),
      scan.content,
      Buffer.from(' Q '),
      textPage(first).content,
    ]);
    return pdfOf([{ ...scan, content }]);
  }

  it('keeps its text, to which OCR adds the lines that it lacks', async () => {
    const bytes = await partlyRead('\xc9t\xe9 \xe0 \xc9vry', 'The delivery of a hydrangea');
    expect(await pagesOf(bytes)).toEqual([{ text: 'Été à Évry', isPicture: true }]);
    const { text, boxes } = await recognise(bytes);
    expect(text).toBe('Été à Évry\nThe delivery of a hydrangea');
    expect(boxes.map(([word]) => word)).toEqual(['The', 'delivery', 'of', 'a', 'hydrangea']);
  });

  it('is read by OCR also if the scanner added a longer line', async () => {
    const bytes = await partlyRead('Scanned with the free version of Some Scanner', 'Signed by both parties');
    expect(await pagesOf(bytes)).toMatchObject([{ isPicture: true }]);
    expect((await recognise(bytes)).text).toContain('\nSigned by both parties');
  });
});

describe('A scan that is upside down', { timeout: 120_000 }, () => {
  it('is read, with its words where they are on the page', async () => {
    const lines = ['The delivery of a hydrangea is due', 'on the first of December at the latest'];
    const scan = await scannedPage(pdfOf([textPage(...lines)]));
    const upright = await recognise(pdfOf([scan]));
    const content = Buffer.from('-595 0 0 -842 595 842 cm /Scan Do');
    const turned = await recognise(pdfOf([{ ...scan, content }]));
    expect(turned.text).toBe(lines.join('\n'));
    expect(turned.text).toBe(upright.text);
    const [, left = 0, top = 0, width = 0, height = 0] = upright.boxes[0] ?? ['', 0, 0, 0, 0];
    const [word, turnedLeft = 0, turnedTop = 0] = turned.boxes[0] ?? ['', 0, 0];
    expect(word).toBe('The');
    expect(Math.abs(turnedLeft - (10_000 - left - width))).toBeLessThan(30);
    expect(Math.abs(turnedTop - (10_000 - top - height))).toBeLessThan(30);
  });
});

describe('A scan with a shadow', { timeout: 120_000 }, () => {
  it('is read where it is dark and where it is light', async () => {
    const lines = [
      'The delivery of a hydrangea is due on the first',
      'of December at the latest according to the',
    ];
    const scan = await scannedPage(pdfOf([textPage(...lines)]), (left) => 0.15 + 0.85 * left ** 2);
    const { text } = await recognise(pdfOf([scan]));
    for (const line of lines) expect(text).toContain(line);
  });
});
