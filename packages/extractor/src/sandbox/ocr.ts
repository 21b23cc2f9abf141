import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { dataFileOf } from '../languages.ts';
import type { Picture } from './formats/pdf.ts';

/** What is used of the interface that Emscripten makes. */
type Tesseract = {
  FS: { writeFile(path: string, content: Uint8Array): void };
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number;
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    Clear(): void;
  };
};

// The older of its two engines is not in the build.
const neuralNetwork = 1;
const picturePath = '/input';

const require = createRequire(import.meta.url);

/** A language is initialized once per process. */
const readers = new Map<string, Promise<(picture: Picture) => string>>();

async function createReader(languages: string[]): Promise<(picture: Picture) => string> {
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
  return ({ width, height, grey }) => {
    const header = Buffer.from(`P5 ${width} ${height} 255\n`);
    FS.writeFile(picturePath, Buffer.concat([header, grey]));
    try {
      if (api.SetImageFile(1, 0) !== 0) throw new Error('the picture cannot be read');
      api.Recognize(null);
      return api.GetUTF8Text();
    } finally {
      api.Clear();
    }
  };
}

export async function readPicture(picture: Picture, languages: string[]): Promise<string> {
  const key = languages.join('+');
  const reader = readers.get(key) ?? createReader(languages);
  readers.set(key, reader);
  return (await reader)(picture);
}
