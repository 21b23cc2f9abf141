import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { dataFileOf } from '../ocr-data.ts';
import type { WordBox } from '../protocol.ts';
import type { Picture } from './formats/pdf-picture.ts';
import { hasShadow } from './shadows.ts';

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
// One border between ink and paper for all of the page, or another one for each part of it (Sauvola).
const thresholds = { forPage: '0', forParts: '2' };
const picturePath = '/input';

const require = createRequire(import.meta.url);

// Most pages have more than 80, those that are upside down less than 40.
const minConfidence = 55;
const minWords = 10;
// A second reading has to end within the limit for a page as well.
const maxMsForSecondReading = 15_000;

/** An empty line ends a paragraph. */
export type ReadLine = { text: string; boxes: WordBox[] };
type Reader = (picture: Picture) => ReadLine[];

let reader: Reader | undefined;

const fullSize = 10_000;
const levels = { paragraph: 3, line: 4, word: 5 };

/** `confidence` is the mean of its words, from 0 to 100. */
type Reading = { lines: ReadLine[]; words: number; confidence: number };

/** Each row of the table: level, five numbers, left, top, width, height, confidence, text. */
function readingOf(table: string, { width, height }: Picture): Reading {
  const share = (pixels: string | undefined, all: number) => Math.round((Number(pixels) / all) * fullSize);
  const lines: ReadLine[] = [];
  let words = 0;
  let sum = 0;
  for (const row of table.split('\n')) {
    const [level, , , , , , left, top, wide, high, confidence, word = ''] = row.split('\t');
    const line = lines.at(-1);
    if (Number(level) === levels.paragraph && line) lines.push({ text: '', boxes: [] });
    if (Number(level) === levels.line) lines.push({ text: '', boxes: [] });
    if (Number(level) !== levels.word || !line || !word.trim()) continue;
    line.text += line.text ? ` ${word}` : word;
    line.boxes.push([word, share(left, width), share(top, height), share(wide, width), share(high, height)]);
    words += 1;
    sum += Number(confidence);
  }
  return { lines, words, confidence: words > 0 ? sum / words : 0 };
}

const upsideDown = ({ width, height, grey }: Picture): Picture => ({
  width,
  height,
  grey: grey.toReversed(),
});

const turnedBack = (lines: ReadLine[]): ReadLine[] =>
  lines.map(({ text, boxes }) => ({
    text,
    boxes: boxes.map(([word, left, top, width, height]) => [
      word,
      fullSize - left - width,
      fullSize - top - height,
      width,
      height,
    ]),
  }));

/** Reads a page again the other way up if it made little sense. Tesseract itself turns one that is upright sideways. */
function readEitherWayUp(read: (picture: Picture) => Reading, picture: Picture): ReadLine[] {
  const before = process.cpuUsage();
  const first = read(picture);
  const ms = process.cpuUsage(before).user / 1000;
  if (first.words < minWords || first.confidence >= minConfidence || ms > maxMsForSecondReading)
    return first.lines;
  const second = read(upsideDown(picture));
  return second.confidence >= minConfidence ? turnedBack(second.lines) : first.lines;
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
  function read(picture: Picture): Reading {
    const { width, height, grey } = picture;
    api.SetVariable('thresholding_method', hasShadow(picture) ? thresholds.forParts : thresholds.forPage);
    const header = Buffer.from(`P5 ${width} ${height} 255\n`);
    FS.writeFile(picturePath, Buffer.concat([header, grey]));
    try {
      if (api.SetImageFile(1, 0) !== 0) throw new Error('the picture cannot be read');
      api.Recognize(null);
      return readingOf(api.GetTSVText(0), picture);
    } finally {
      api.Clear();
    }
  }
  return (picture) => readEitherWayUp(read, picture);
}

export async function loadLanguages(languages: string[]): Promise<void> {
  reader = await createReader(languages);
}

export function readPicture(picture: Picture): ReadLine[] {
  if (!reader) throw new Error('no language was loaded');
  return reader(picture);
}
