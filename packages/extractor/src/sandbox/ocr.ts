import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { dataFileOf } from '../ocr-data.ts';
import type { WordBox } from '../protocol.ts';
import type { Picture } from './formats/pdf.ts';

/** The part of the Emscripten interface that is used here. */
type Tesseract = {
  FS: { writeFile(path: string, content: Uint8Array): void };
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number;
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    GetTSVText(page: number): string;
    Clear(): void;
  };
};

// The build lacks the older engine.
const neuralNetwork = 1;
const picturePath = '/input';

const require = createRequire(import.meta.url);

export type ReadPicture = { text: string; boxes: WordBox[] };
type Reader = (picture: Picture) => ReadPicture;

let reader: Reader | undefined;

const wordLevel = '5';
const fullSize = 10_000;

/** Each line of the table: level, five numbers, left, top, width, height, confidence, text. */
function boxesOf(table: string, { width, height }: Picture): WordBox[] {
  const share = (pixels: string | undefined, all: number) => Math.round((Number(pixels) / all) * fullSize);
  return table
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([level, ...cells]) => level === wordLevel && cells.at(-1)?.trim())
    .map((cells) => [
      cells[11] ?? '',
      share(cells[6], width),
      share(cells[7], height),
      share(cells[8], width),
      share(cells[9], height),
    ]);
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
  return (picture) => {
    const { width, height, grey } = picture;
    const header = Buffer.from(`P5 ${width} ${height} 255\n`);
    FS.writeFile(picturePath, Buffer.concat([header, grey]));
    try {
      if (api.SetImageFile(1, 0) !== 0) throw new Error('the picture cannot be read');
      api.Recognize(null);
      return { text: api.GetUTF8Text(), boxes: boxesOf(api.GetTSVText(0), picture) };
    } finally {
      api.Clear();
    }
  };
}

export async function loadLanguages(languages: string[]): Promise<void> {
  reader = await createReader(languages);
}

export function readPicture(picture: Picture): ReadPicture {
  if (!reader) throw new Error('no language was loaded');
  return reader(picture);
}
