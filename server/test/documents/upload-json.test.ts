import {
  anyFile,
  base64,
  decodeBase64Strict,
  everySplit,
  goodFile,
  notBase64,
  objectOf,
  otherValue,
  spelled,
  splitAt,
  splitPoints,
} from '@customer-database/testkit/upload-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/http/json.ts';
import { Base64Decoder } from '../../src/modules/documents/upload/base64-decoder.ts';
import { UploadJsonReader } from '../../src/modules/documents/upload/json-parser.ts';

// Fixed for repeatable runs; failures print the seed to use.
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

type Body = Record<string, unknown>;
/** A body without its file, and the file if valid; undefined for invalid JSON. */
type Read = { rest: unknown; file: Buffer | undefined } | undefined;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A file_data that is not a string stays, so that it can be refused. */
function withoutFile(value: unknown): unknown {
  if (!isObject(value) || typeof value.file_data !== 'string') return value;
  const { file_data: _, ...rest } = value;
  return rest;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch {
    return undefined;
  }
}

/** The reference: parses the whole body. */
function readWhole(bytes: Buffer): Read {
  const body = parsed(bytes);
  if (body === undefined) return undefined;
  const text = isObject(body) && Object.hasOwn(body, 'file_data') ? body.file_data : undefined;
  const file = typeof text === 'string' && text !== '' ? decodeBase64Strict(text) : undefined;
  return { rest: withoutFile(body), file };
}

/** Parses the body in chunks. */
function readInPieces(chunks: Buffer[]): Read {
  const reader = new UploadJsonReader();
  for (const chunk of chunks) reader.push(chunk);
  const body = parsed(reader.text());
  if (body === undefined) return undefined;
  if (!reader.file) return { rest: body, file: undefined };
  expect(body).toMatchObject({ file_data: null });
  const { file_data: _, ...rest } = body as Body;
  const file = reader.file.bytes();
  return { rest, file: file?.length === 0 ? undefined : file };
}

/** Broken JSON may also appear to have two files. */
function readOrRefused(chunks: Buffer[]): Read {
  try {
    return readInPieces(chunks);
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
    return undefined;
  }
}

describe('UploadJsonReader', () => {
  const check = (objects: fc.Arbitrary<string>, numRuns: number) =>
    fc.assert(
      fc.property(objects, splitPoints, (text, places) => {
        const bytes = Buffer.from(text);
        const whole = readWhole(bytes);
        expect(whole).toBeDefined();
        expect(readInPieces(splitAt(bytes, places))).toEqual(whole);
      }),
      { seed, numRuns },
    );

  it('reads any object with a file like a whole-body parser', () => {
    check(objectOf(goodFile), 500);
  });

  it('reads anything in place of a file like a whole-body parser', () => {
    check(objectOf(anyFile), 1_000);
    check(objectOf(), 100);
    check(fc.oneof(otherValue, spelled(base64)), 200);
  });

  it('refuses any second file as soon as it has read its key', () => {
    fc.assert(
      fc.property(objectOf(anyFile, anyFile), splitPoints, (text, places) => {
        expect(() => readInPieces(splitAt(Buffer.from(text), places))).toThrow('file_data was sent twice');
      }),
      { seed, numRuns: 300 },
    );
    const reader = new UploadJsonReader();
    expect(() => reader.push(Buffer.from('{"file_data":null,"file_data":'))).toThrow('sent twice');
  });

  it('leaves nothing of the file in the text, and buffers only its bytes', () => {
    const file = Buffer.alloc(300_000, 'some text');
    const text = JSON.stringify({ a: 1, file_data: file.toString('base64'), b: 'file_data' });
    const reader = new UploadJsonReader();
    for (const chunk of splitAt(Buffer.from(text), [1, 12, 13, 4_096, 70_001, 70_002, 399_999]))
      reader.push(chunk);
    expect(reader.text().toString()).toBe('{"a":1,"file_data":null,"b":"file_data"}');
    expect(reader.file?.bytes()?.equals(file)).toBe(true);
  });

  it('refuses JSON that is broken or truncated anywhere', () => {
    const spoiled = fc
      .tuple(
        objectOf(goodFile),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', '}', ',', ':', '[', 'x', '\n', '\0'),
        fc.nat({ max: 3 }),
      )
      .map(([text, place, odd, gone]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + odd + text.slice(at + gone);
      });
    const cutOff = fc
      .tuple(objectOf(goodFile), fc.nat())
      .map(([text, place]) => text.slice(0, place % text.length));
    fc.assert(
      fc.property(fc.oneof(spoiled, cutOff), splitPoints, (text, places) => {
        const bytes = Buffer.from(text);
        const read = readOrRefused(splitAt(bytes, places));
        if (readWhole(bytes)?.file === undefined) expect(read?.file).toBeUndefined();
        else expect(read).toEqual(readWhole(bytes));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    ['an escape that JSON does not have', '{"file_data":"QUFB\\U0051UFB"}'],
    ['another one', '{"file_data":"QUFB\\x"}'],
    ['an escape without its end', '{"file_data":"QUFB\\u00"}'],
    ['an escape without its end and a quote after it', '{"file_data":"QUFB\\u00"  "}'],
    ['a line break', '{"file_data":"QUFB\n"}'],
  ])('accepts no file from JSON that is invalid because of %s', (_, text) => {
    expect(() => JSON.parse(text)).toThrow();
    for (const chunks of everySplit(text)) expect(readInPieces(chunks)?.file).toBeUndefined();
  });

  it('accepts no file from invalid UTF-8 anywhere', () => {
    const parts = ['{"a":"', '","file_data":"QU', 'FB","', '":1}'];
    for (const place of [1, 2, 3]) {
      const bytes = Buffer.concat(
        parts.map((part, at) => Buffer.from(at === place ? `\xff${part}` : part, 'latin1')),
      );
      expect(readInPieces(splitAt(bytes, [...bytes.keys()]))?.file).toBeUndefined();
    }
  });
});

describe('Base64Decoder', () => {
  const decoded = (text: string, places: number[]) => {
    const part = new Base64Decoder(0);
    for (const chunk of splitAt(Buffer.from(`${text}"`), places)) {
      if (chunk.length > 0) expect(part.take(chunk, 0).next).toBe(chunk.length);
    }
    return part.bytes();
  };

  it('decodes strict base64 and nothing else', () => {
    const text = fc.oneof(
      base64,
      notBase64.filter((given) => !/["\\]/.test(given)),
    );
    fc.assert(
      fc.property(text, splitPoints, (given, places) => {
        expect(decoded(given, places)).toEqual(decodeBase64Strict(given));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    ['a wrong padding', ['YQ', 'YQ=', 'YQ===', 'YWJ', 'YWJ==', '=', '==', '====', 'YWJj=', 'YWJj====']],
    ['padding in the middle', ['YQ==YQ==', 'YQ==YWJj', 'Y=Q=', '=YQ=', 'YWI=YWI=', 'YQ==YQ', 'YQ==Y']],
    ['bits that count for nothing', ['YR==', 'YWJ=', 'YWK=']],
    ['the alphabet of addresses', ['-_-_', 'YW-j', 'YW_j']],
    ['line breaks or blanks', ['YWJj\nYWJj', 'YWJj\r\n', ' YWJj', 'YW Jj', 'YWJjYW\n=', '\tYWJ']],
    [
      'other characters',
      ['YWJ©', 'YWJ佐', 'YW\0j', 'YWJ!', 'YWJ\\u0100', 'YWJ\\n', '\\u003d\\u003d\\u003d\\u003d'],
    ],
  ])('never accepts %s', (_, texts) => {
    for (const text of texts) {
      for (const chunks of [[], [1], [2, 3], [4], [5], Array.from(Array(40).keys())]) {
        expect(decoded(text, chunks), text).toBeUndefined();
      }
    }
  });

  it('reports where the string ended, so that the rest is read as JSON', () => {
    const part = new Base64Decoder(0);
    expect(part.take(Buffer.from('xxQU'), 2)).toEqual({ next: 4, ended: false });
    expect(part.take(Buffer.from('J\\u00'), 0)).toEqual({ next: 5, ended: false });
    expect(part.take(Buffer.from('44","b":"c"'), 0)).toEqual({ next: 3, ended: true });
    expect(part.bytes()?.toString()).toBe('ABC');
  });
});
