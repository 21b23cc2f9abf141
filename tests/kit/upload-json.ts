import fc from 'fast-check';

/** Splits the bytes at these offsets. */
export function splitAt(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Whole, byte by byte, and in two at every offset. */
export function everySplit(text: string): Buffer[][] {
  const bytes = Buffer.from(text);
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, place) => splitAt(bytes, [place]));
  const bytewise = splitAt(bytes, [...bytes.keys()]);
  return [[bytes], bytewise, ...inTwo];
}

export const splitPoints = fc.oneof(
  fc.array(fc.nat(), { maxLength: 6 }),
  fc.constant(Array.from(Array(200).keys())),
);
const sometimes = (weight: number) => fc.nat({ max: 99 }).map((chance) => chance < weight);

/** The same JSON string with some characters escaped. */
export function spelled(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.infiniteStream(sometimes(8)), fc.boolean()).map(([plain, chances, isUpper]) => {
    const characters = [...plain].map((character) => {
      const isEscaped = chances.next().value;
      if (character === '/' && isEscaped && isUpper) return '\\/';
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      const isPlain = character.length > 1 || !isEscaped;
      return isPlain ? JSON.stringify(character).slice(1, -1) : `\\u${isUpper ? code.toUpperCase() : code}`;
    });
    return `"${characters.join('')}"`;
  });
}

export const base64 = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'));
export const notBase64 = fc.oneof(
  fc
    .tuple(base64, fc.nat(), fc.constantFrom('=', '-', '_', ' ', '\n', 'é', 'A', '==', '"', '\\', '\0', '佐'))
    .map(
      ([text, place, odd]) =>
        text.slice(0, place % (text.length + 1)) + odd + text.slice(place % (text.length + 1)),
    ),
  base64.map((text) => text.slice(0, -1)),
  base64.map((text) => text.replaceAll('=', '')),
  fc.tuple(base64, base64).map(([one, other]) => `${one}${other}`),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed()),
);

const space = fc.constantFrom('', '', ' ', '\n', '\r\n\t ');
const otherKey = fc.constantFrom(
  'filename',
  'a',
  '',
  'file_dat',
  'file_data ',
  'file_data2',
  'xfile_data',
  'é',
  '"',
  '{',
);
const fileKey = fc.oneof(
  { weight: 6, arbitrary: fc.constant('"file_data"') },
  fc.constantFrom('"file\\u005fdata"', '"\\u0066ile_data"', '"file_dat\\u0061"'),
);
const nested = fc.constantFrom(
  '{"file_data":"QUJD"}',
  '{"a":{"file_data":"QUJD"},"b":["file_data",{"file_data":"x"}]}',
  '["file_data","QUJD"]',
  '[{"file_data":"}]"}]',
  '"file_data"',
  '"\\"file_data\\":\\"QUJD\\""',
  '"{[,:\\\\"',
);
export const otherValue = fc.oneof(
  nested,
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((value) => JSON.stringify(value)),
);
const entry = fc.tuple(
  otherKey.map((key) => JSON.stringify(key)),
  otherValue,
);
export const goodFile = fc.tuple(fc.constant('"file_data"'), spelled(base64));
export const anyFile = fc.tuple(
  fileKey,
  fc.oneof(
    { weight: 3, arbitrary: spelled(base64) },
    spelled(notBase64),
    fc.constantFrom('null', '5', 'true', '""', '[]', '{}', '["QUJD"]', '{"file_data":"QUJD"}'),
  ),
);

/** A JSON object with these entries in any order, and white space wherever allowed. */
export function objectOf(...files: fc.Arbitrary<[string, string]>[]): fc.Arbitrary<string> {
  const entries = fc
    .tuple(fc.array(entry, { maxLength: 4 }), fc.tuple(...files))
    .chain(([others, own]) =>
      fc.shuffledSubarray([...others, ...own], { minLength: others.length + own.length }),
    );
  return fc.tuple(entries, fc.infiniteStream(space)).map(([all, blanks]) => {
    const blank = () => blanks.next().value;
    const members = all.map(([key, value]) => `${blank()}${key}${blank()}:${blank()}${value}${blank()}`);
    return `${blank()}{${members.join(',') || blank()}}${blank()}`;
  });
}

/**
 * Node's decoder skips invalid characters. Encoding its result gives the same text only
 * if that was canonical: no white space, no URL alphabet, no stray bits.
 */
export function decodeBase64Strict(text: string): Buffer | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
