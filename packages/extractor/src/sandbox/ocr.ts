import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { dataFileOf } from '../ocr-data.ts';
import type { WordBox } from '../protocol.ts';
import type { Picture } from './formats/pdf-picture.ts';

/** The part of the Emscripten interface that is used here. */
type Tesseract = {
  FS: { writeFile(path: string, content: Uint8Array): void };
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
  };
};

// The build lacks the older engine.
const neuralNetwork = 1;
// Finds columns, tables and pictures. Without it the library reads the page as one block of text.
const automaticLayout = '3';
const picturePath = '/input';

const require = createRequire(import.meta.url);

/** An empty line ends a paragraph. */
export type ReadLine = { text: string; boxes: WordBox[] };
type Reader = (picture: Picture) => ReadLine[];

let reader: Reader | undefined;

const fullSize = 10_000;
const levels = { paragraph: 3, line: 4, word: 5 };

/** Each row of the table: level, five numbers, left, top, width, height, confidence, text. */
function linesOf(table: string, { width, height }: Picture): ReadLine[] {
  const share = (pixels: string | undefined, all: number) => Math.round((Number(pixels) / all) * fullSize);
  const lines: ReadLine[] = [];
  for (const row of table.split('\n')) {
    const [level, , , , , , left, top, wide, high, , word = ''] = row.split('\t');
    const line = lines.at(-1);
    if (Number(level) === levels.paragraph && line) lines.push({ text: '', boxes: [] });
    if (Number(level) === levels.line) lines.push({ text: '', boxes: [] });
    if (Number(level) !== levels.word || !line || !word.trim()) continue;
    line.text += line.text ? ` ${word}` : word;
    line.boxes.push([word, share(left, width), share(top, height), share(wide, width), share(high, height)]);
  }
  return lines;
}

async function createReader(languages: string[]): Promise<Reader> {
  const load = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (
    options: object,
  ) => Promise<Tesseract>;
  const { FS, TessBaseAPI } = await load({ print: () => undefined, printErr: () => undefined });
  for (const language of languages) {
    FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(dataFileOf(language))));
  }
  const api = new TessBaseAPI();
  if (api.Init(null, languages.join('+'), neuralNetwork) !== 0)
    throw new Error('the language data is unusable');
  api.SetVariable('tessedit_pageseg_mode', automaticLayout);
  return (picture) => {
    const { width, height, grey } = picture;
    const header = Buffer.from(`P5 ${width} ${height} 255\n`);
    FS.writeFile(picturePath, Buffer.concat([header, grey]));
    try {
      if (api.SetImageFile(1, 0) !== 0) throw new Error('the picture cannot be read');
      api.Recognize(null);
      return linesOf(api.GetTSVText(0), picture);
    } finally {
      api.Clear();
    }
  };
}

export async function loadLanguages(languages: string[]): Promise<void> {
  reader = await createReader(languages);
}

export function readPicture(picture: Picture): ReadLine[] {
  if (!reader) throw new Error('no language was loaded');
  return reader(picture);
}
