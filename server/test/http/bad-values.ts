/** An invalid value and the error text it must produce. `undefined` means the field is not sent. */
export type BadValue = [what: string, value: unknown, text: string];

const notText: [string, unknown][] = [
  ['a number', 5],
  ['true', true],
  ['an array', ['x']],
  ['an object', { $ne: null }],
];
const notSent: [string, unknown][] = [
  ['missing', undefined],
  ['null', null],
];

const all = (values: [string, unknown][], text: string): BadValue[] =>
  values.map(([what, value]) => [what, value, text]);

function wrongText(label: string, max: number): BadValue[] {
  return [
    ...all(notText, `${label} must be text`),
    ['too long', `x${'y'.repeat(max)}`, `${label} must be at most ${max} characters`],
    ['a NUL byte', 'a\0b', `${label} contains characters that cannot be stored`],
    ['half a character', 'a\ud800b', `${label} contains characters that cannot be stored`],
  ];
}

const absent = (text: string): BadValue[] => all([...notSent, ['empty', ''], ['blank', ' \t\u00a0\n']], text);

export function requiredLine(label: string, max: number, required = `${label} is required`): BadValue[] {
  return [
    ...absent(required),
    ...wrongText(label, max),
    ['two lines', 'a\nb', `${label} must be a single line of text`],
    ['a control character', 'a\u001bb', `${label} must be a single line of text`],
  ];
}

/** Missing, null and blank all mean 'none' here and are valid. */
export function optionalLine(label: string, max: number): BadValue[] {
  return [
    ...wrongText(label, max),
    ['two lines', 'a\r\nBcc: b@example.com', `${label} must be a single line of text`],
  ];
}

export const optionalParagraphs = wrongText;

const noEmails = [
  'x',
  'a@b',
  '@example.com',
  'a b@example.com',
  'a@b@example.com',
  "'%_@x",
  'a@example.',
  '"a"@x.de',
];
const trickyEmails = ['a@x.de,b@x.de', 'a@x.de;b', 'a＠x@example.com', '¨a@example.com', '<a@example.com>'];
const invalidEmail = all(
  [...noEmails, ...trickyEmails].map((email) => [email, email]),
  'Invalid email address',
);

export const requiredEmail: BadValue[] = [...requiredLine('Email', 254), ...invalidEmail];
export const optionalEmail: BadValue[] = [...wrongText('Email', 254), ...invalidEmail];

export function password(label: string, required: string, short: string): BadValue[] {
  return [
    ...all([...notSent, ['empty', '']], required),
    ['five characters', '12345', short],
    ...wrongText(label, 1024),
  ];
}

const noDates = [
  '2001-02-29',
  '2026-13-01',
  '2026-1-1',
  '31.12.2020',
  '0000-01-01',
  "' or 1=1",
  '%',
  '20200101',
];

export function requiredDate(label: string): BadValue[] {
  const text = `${label} must be a date like 2026-01-31`;
  return [
    ...absent(`${label} is required`),
    ...all(notText, `${label} must be text`),
    ...all(
      noDates.map((date) => [date, date]),
      text,
    ),
    ['a NUL byte', '2020-01-01\0', `${label} contains characters that cannot be stored`],
  ];
}

export function optionalDate(label: string): BadValue[] {
  const text = `${label} must be a date like 2026-01-31`;
  return [
    ...all(notText, `${label} must be text`),
    ...all(
      noDates.map((date) => [date, date]),
      text,
    ),
    ['a NUL byte', '2020-01-01\0', `${label} contains characters that cannot be stored`],
  ];
}

export function filter(label: string): BadValue[] {
  return [['null', null, `${label} must be text`], ...wrongText(label, 200)];
}

export function wholeNumber(text: string, sent: [string, unknown][]): BadValue[] {
  const numbers: [string, unknown][] = [
    ['negative', -1],
    ['a fraction', 1.5],
    ['2^53', 2 ** 53],
    ['2^63', 2 ** 63],
    ['1e300', 1e300],
    ['text', '1'],
    ['a quote', "'"],
    ['an array', [1]],
    ['an object', {}],
    ['true', true],
    ['null', null],
  ];
  return all([...numbers, ...sent], text);
}

export const id = (text: string): BadValue[] =>
  wholeNumber(text, [
    ['missing', undefined],
    ['zero', 0],
  ]);

export const searchLimit: BadValue[] = wholeNumber('limit must be a whole number from 0 to 500', [
  ['too many', 501],
]);

export const searchOffset: BadValue[] = wholeNumber('offset must be a whole number from 0 to 9500', [
  ['too many', 9501],
]);

export const seenAt: BadValue[] = all(
  [...notText, ['null', null], ['empty', ''], ['a day', '2026-01-31'], ['no time', 'yesterday']],
  'updated_at must be the time that the server sent with the record',
);

export const oneOf = (text: string): BadValue[] =>
  all([...notText, ['null', null], ['empty', ''], ['unknown', "boss'%"], ['other case', 'Admin']], text);

const noAnswer: [string, unknown][] = [
  ['not sent', undefined],
  ['null', null],
  ['text', 'x'],
  ['a list', []],
  ['empty', {}],
  ['half of it', { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} }],
  ['numbers', { id: 1, rawId: 2, type: 3, clientExtensionResults: 4, response: 5 }],
  ['too long', { id: 'x'.repeat(3000) }],
];
export const browserResponse: BadValue[] = all(
  noAnswer,
  'Response must be the WebAuthn response of the browser',
);

export const yesOrNo = (name: string): BadValue[] =>
  all(
    [
      ['null', null],
      ['text', 'true'],
      ['a number', 1],
    ],
    `${name} must be true or false`,
  );

export const passkeyProof: BadValue[] = all(
  [
    ['a number', 5],
    ['text', 'x'],
    ['a list', []],
  ],
  'Passkey must be a state and the WebAuthn response of the browser',
);

export const uuid = (text: string): BadValue[] =>
  all([...notText, ['null', null], ['empty', ''], ['a word', "it's"], ['too short', '1234-5678']], text);

export const base64File: BadValue[] = [
  ...all([...notSent, ...notText, ['empty', '']], 'No file selected'),
  ...all(
    [
      ['not base64', '!!!!'],
      ['blanks', 'JVBE Ri0='],
      ['a NUL byte', 'JVB\0'],
      ['of the URL kind', '_-_-'],
      ['cut off', 'JVBERi0'],
      ['half a character', '\ud800AAA'],
    ],
    'file_data must be the content of the file in base64',
  ),
];
