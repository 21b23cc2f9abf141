// node scripts/make-demo-samples.js [pdf] [docx] [doc] [scan]    generates the demo's documents from their sources
//
// Needs LibreOffice and embeddable fonts; on Debian: libreoffice-writer-nogui fonts-liberation
// fonts-dejavu-core fonts-noto-cjk. Text files have no source: edit them in place.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { giveUp, root } from './install.js';
import { streamOf, writePdf } from './write-pdf.js';

/** @type {Record<string, string>} */
const notes = {
  en: 'Invented for demonstration: persons, numbers and sums are not real.',
  fr: 'Document inventé pour la démonstration : ni les personnes ni les montants ne sont réels.',
  de: 'Zur Vorführung erfunden: Personen, Nummern und Beträge gibt es nicht.',
  pl: 'Wymyślone na potrzeby pokazu: osoby i kwoty nie są prawdziwe.',
  tr: 'Gösterim için uydurulmuştur: kişiler ve tutarlar gerçek değildir.',
  vi: 'Nội dung được bịa ra để minh họa: người và số tiền đều không có thật.',
  ja: '説明用に作られたもので、人物も金額も実在しません。',
  ar: 'وُضعت هذه الوثيقة للعرض فقط، فلا الأشخاص ولا المبالغ حقيقية.',
  es: 'Se inventó para la demostración: ni las personas ni los importes son reales.',
};

/**
 * For languages with letters that Liberation Sans lacks.
 * @type {Record<string, string>}
 */
const fonts = { vi: 'DejaVu Sans', ja: 'Noto Sans CJK JP', ar: 'DejaVu Sans' };

const style = `
@page { size: 21cm 29.7cm; margin: 1.6cm 2.2cm }
p, li, td, th { font-size: 10.5pt }
p, li { margin-top: 0; margin-bottom: 6pt; line-height: 125% }
h1 { font-size: 20pt; color: #1f4e5f; margin-top: 8pt; margin-bottom: 12pt }
h1.annex { page-break-before: always }
h2 { font-size: 12.5pt; color: #1f4e5f; margin-top: 10pt; margin-bottom: 5pt }
p.sender { font-size: 9pt; color: #5a6a70; border-bottom: 0.75pt solid #1f4e5f; padding-bottom: 3pt; margin-bottom: 16pt }
p.foot { font-size: 8pt; color: #5a6a70; text-align: center; margin-top: 10pt }
p.sum { font-size: 12pt; font-weight: bold; text-align: right; margin-top: 12pt; margin-bottom: 16pt }
p.sign { margin-top: 28pt }
table { margin-bottom: 8pt }`;

const table = '<table width="100%" cellpadding="4" cellspacing="0" border="1" frame="hsides" rules="rows">';

const samples = join(root, 'server', 'demo-samples');
const sources = join(samples, 'sources');
const temporary = mkdtempSync(join(tmpdir(), 'demo-samples-'));

/**
 * @param {string} language
 * @param {string} content
 */
const page = (language, content) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8"><title>${/<h1>(.*)<\/h1>/.exec(content)?.[1]}</title>
<style>
p, li, h1, h2, th, td { font-family: '${fonts[language] ?? 'Liberation Sans'}'; text-align: ${language === 'ar' ? 'right' : 'left'} }
${style}
</style>
</head>
<body dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<div title="header"><p class="sender">Northlake Furnishings</p></div>
${content.replaceAll('<table>', table)}
<div title="footer"><p class="foot">${notes[language]} · <sdfield type="PAGE" subtype="RANDOM" format="ARABIC">1</sdfield></p></div>
</body>
</html>`;

/**
 * @param {string} folder
 * @param {string} from
 * @param {string} to
 * @param {string} target
 */
function convert(folder, from, to, target) {
  const files = readdirSync(folder).filter((file) => file.endsWith(`.${from}`));
  const profile = `-env:UserInstallation=file://${join(temporary, 'profile')}`;
  const args = [profile, '--headless', '--writer', '--convert-to', to, '--outdir', target, ...files];
  const { status, error } = spawnSync('soffice', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) giveUp(`LibreOffice failed: ${error?.message ?? status}`);
}

/**
 * @param {string} kind of the sources
 * @param {string} to the format that LibreOffice writes
 * @param {string} target
 */
function makeSamples(kind, to, target) {
  const folder = join(temporary, kind);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(join(sources, kind))) {
    const language = file.slice(-7, -5);
    writeFileSync(join(folder, file), page(language, readFileSync(join(sources, kind, file), 'utf8')));
  }
  // A direct conversion from HTML would leave out header and footer of even pages.
  convert(folder, 'html', 'odt', folder);
  convert(folder, 'odt', to, target);
}

const scanned = { dotsPerInch: 130, degrees: 0.7, grain: 14, quality: 38 };

/**
 * A grey picture of the page, slightly askew and with some grain.
 * @param {Buffer} pdf
 */
async function scan(pdf) {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const drawn = await document
    .getPage(0)
    .render({ scale: scanned.dotsPerInch / 72, colorSpace: 'Gray', render: 'bitmap' });
  const raw = { width: drawn.width, height: drawn.height, channels: /** @type {const} */ (1) };
  const turned = sharp(drawn.data, { raw }).rotate(scanned.degrees, { background: '#fff' }).blur(0.5);
  const paper = await turned.png().toBuffer();
  const { width, height } = await sharp(paper).metadata();
  const noise = { type: /** @type {const} */ ('gaussian'), mean: 128, sigma: scanned.grain };
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .greyscale()
    .png()
    .toBuffer();
  const picture = await sharp(paper)
    .composite([{ input: grain, blend: 'soft-light' }])
    .toColourspace('b-w')
    .jpeg({ quality: scanned.quality })
    .toBuffer();
  return { width, height, picture };
}

/**
 * A PDF whose only page is a JPEG.
 * @param {{ width: number, height: number, picture: Buffer }} page
 */
function pdfOfPicture({ width, height, picture }) {
  const fields = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`;
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /Scan 5 0 R >> >> >>',
    streamOf('', Buffer.from('595 0 0 842 0 0 cm /Scan Do')),
    streamOf(fields, picture),
  ]);
}

async function makeScans() {
  const folder = join(temporary, 'printed');
  makeSamples('scan', 'pdf', folder);
  for (const file of readdirSync(folder)) {
    writeFileSync(join(samples, file), pdfOfPicture(await scan(readFileSync(join(folder, file)))));
  }
}

const wanted = process.argv.slice(2);
for (const kind of ['pdf', 'docx', 'doc']) {
  if (wanted.length === 0 || wanted.includes(kind)) makeSamples(kind, kind, samples);
}
if (wanted.length === 0 || wanted.includes('scan')) await makeScans();
rmSync(temporary, { recursive: true });
