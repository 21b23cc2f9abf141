import { deflateSync } from 'node:zlib';
import { readScan } from '../../packages/extractor/src/sandbox/formats/pdf.ts';
import { loadPdfium } from '../../packages/extractor/src/sandbox/pdfium.ts';

/** The operators that draw a page, and the objects they refer to. */
export type PdfPage = {
  content: Buffer;
  resources?: string;
  objects?: Buffer[];
  /** Width and height in points, of an A4 sheet unless given. */
  size?: [width: number, height: number];
  /** Clockwise, in degrees. */
  rotation?: number;
  /** The fields of its annotations; those of widgets make the form of the document. */
  annotations?: string[];
};

const escapeText = (text: string) => text.replace(/[\\()]/g, '\\$&');

/** A page with lines of text in Latin-1. */
export function textPage(...lines: string[]): PdfPage {
  const drawn = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  return { content: Buffer.from(`BT /F1 14 Tf 18 TL 60 760 Td\n${drawn}\nET`, 'latin1') };
}

export const streamOf = (fields: string, content: Buffer) => {
  const packed = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${fields} /Filter /FlateDecode /Length ${packed.length} >> stream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
};

/**
 * A page that is a picture of the first page of another PDF, as a scanner would make it. `lightAt` is how much light falls
 * on a part of it, both from 0 to 1 and from left to right.
 */
export async function scannedPage(pdf: Buffer, lightAt?: (left: number) => number): Promise<PdfPage> {
  await loadPdfium();
  const { width, height, grey } = readScan(pdf, 1).picture;
  const lit = lightAt ? grey.map((shade, place) => shade * lightAt((place % width) / width)) : grey;
  const fields = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  return {
    content: Buffer.from('595 0 0 842 0 0 cm /Scan Do'),
    resources: '/XObject << /Scan OBJECT >>',
    objects: [streamOf(fields, Buffer.from(lit))],
  };
}

/**
 * The only page of a small file that takes years to read: each of its forms draws the next one ten times. Their numbers
 * are those that `pdfOf` gives to the objects of a first page.
 */
export function nestedFormsPage(levels = 20): PdfPage {
  const firstNumber = 4;
  const objects = Array.from({ length: levels }, (_, level) => {
    const isLast = level === levels - 1;
    const resources = isLast ? '' : `/Resources << /XObject << /Next ${firstNumber + level + 1} 0 R >> >>`;
    const fields = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources}`;
    return streamOf(fields, Buffer.from(isLast ? 'q Q '.repeat(5_000) : '/Next Do '.repeat(10)));
  });
  return { content: Buffer.from('/First Do'), resources: '/XObject << /First OBJECT >>', objects };
}

export type PdfOptions = {
  /** Further fields of the trailer, such as the one that declares a password. */
  trailer?: string;
  /** Where the tree of pages leads, instead of the given pages. */
  kids?: string;
  pageCount?: number;
};

const a4 = [595, 842];
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const fonts = '/Font << /F1 3 0 R >>';
const references = (numbers: number[]) => numbers.map((number) => `${number} 0 R`).join(' ');

/** Without a table of objects, which readers make themselves. */
export function pdfOf(pages: PdfPage[], { trailer = '', kids, pageCount }: PdfOptions = {}): Buffer {
  const objects: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(font)];
  const fields: number[] = [];
  const numbers = pages.map((page) => {
    const extra = (page.objects ?? []).map((object) => objects.push(object));
    const content = objects.push(streamOf('', page.content));
    const annotations = (page.annotations ?? []).map((each) => {
      const number = objects.push(Buffer.from(`<< /Type /Annot ${each} >>`));
      if (each.includes('/Widget')) fields.push(number);
      return number;
    });
    const annots = annotations.length > 0 ? `/Annots [${references(annotations)}]` : '';
    const resources = (page.resources ?? '').replace('OBJECT', `${extra[0]} 0 R`);
    return objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${(page.size ?? a4).join(' ')}] /Contents ${content} 0 R ` +
          `/Rotate ${page.rotation ?? 0} ${annots} /Resources << ${fonts} ${resources} >> >>`,
      ),
    );
  });
  const list = kids ?? references(numbers);
  const form = fields.length > 0 ? `/AcroForm << /Fields [${references(fields)}] /DR << ${fonts} >> >>` : '';
  objects[0] = Buffer.from(`<< /Type /Catalog /Pages 2 0 R ${form} >>`);
  objects[1] = Buffer.from(`<< /Type /Pages /Count ${pageCount ?? pages.length} /Kids [${list}] >>`);
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj `),
      object,
      Buffer.from(' endobj\n'),
    ]),
    Buffer.from(`trailer << /Root 1 0 R ${trailer} >>\n%%EOF\n`),
  ]);
}

const key = 'ab'.repeat(32);

/** Encrypted with an unknown password. */
export const protectedPdf = () =>
  pdfOf([textPage('Secret')], {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`,
  });
