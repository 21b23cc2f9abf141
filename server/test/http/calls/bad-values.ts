/** An invalid value and the error text it must produce. `undefined` means the field is not sent. */
export type BadValue = [value: unknown, text: string];

const notText = [5, true, ['x'], { $ne: null }];

const all = (values: unknown[], text: string): BadValue[] => values.map((value) => [value, text]);

/** For a field that may be left out. */
export const ifSent = (values: BadValue[]) => values.filter(([value]) => value !== undefined);

const notStorable = (label: string) => `${label} contains characters that cannot be stored`;

function wrongText(label: string, max: number): BadValue[] {
  return [
    ...all(notText, `${label} must be text`),
    [`x${'y'.repeat(max)}`, `${label} must be at most ${max} characters`],
    ...all(['a\0b', 'a\ud800b'], notStorable(label)),
  ];
}

const absent = (text: string): BadValue[] => all([undefined, null, '', ' \t\u00a0\n'], text);

export function requiredLine(label: string, max: number, required = `${label} is required`): BadValue[] {
  return [
    ...absent(required),
    ...wrongText(label, max),
    ...all(['a\nb', 'a\u001bb'], `${label} must be a single line of text`),
  ];
}

/** Missing, null and blank all mean 'none' here and are valid. */
export function optionalLine(label: string, max: number): BadValue[] {
  return [...wrongText(label, max), ['a\r\nBcc: b@example.com', `${label} must be a single line of text`]];
}

export const optionalParagraphs = wrongText;

export const phoneNumber = optionalLine('Phone number', 50);
export const mfaCode = requiredLine('MFA code', 64);
export const passkeyState = requiredLine('State', 2000);

const noEmails = ['x', 'a@b', '@example.com', 'a b@example.com', 'a@b@example.com', "'%_@x", 'a@example.'];
const trickyEmails = [
  '"a"@x.de',
  'a@x.de,b@x.de',
  'a@x.de;b',
  'a＠x@example.com',
  '¨a@example.com',
  '<a@x.de>',
];
const invalidEmail = all([...noEmails, ...trickyEmails], 'Invalid email address');

export const requiredEmail: BadValue[] = [...requiredLine('Email', 254), ...invalidEmail];
export const optionalEmail: BadValue[] = [...wrongText('Email', 254), ...invalidEmail];

export function password(label: string, required: string, short: string): BadValue[] {
  return [...all([undefined, null, ''], required), ['12345', short], ...wrongText(label, 1024)];
}

export const ownPassword = password(
  'Password',
  'Password is required',
  'Password must be at least 6 characters',
);

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

export function optionalDate(label: string): BadValue[] {
  return [
    ...all(notText, `${label} must be text`),
    ...all(noDates, `${label} must be a date like 2026-01-31`),
    ['2020-01-01\0', notStorable(label)],
  ];
}

export const requiredDate = (label: string): BadValue[] => [
  ...absent(`${label} is required`),
  ...optionalDate(label),
];

export const filter = (label: string): BadValue[] => [
  [null, `${label} must be text`],
  ...wrongText(label, 200),
];

export const wholeNumber = (text: string, more: unknown[]): BadValue[] =>
  all([-1, 1.5, 2 ** 53, 2 ** 63, 1e300, '1', "'", [1], {}, true, null, ...more], text);

export const id = (text: string): BadValue[] => wholeNumber(text, [undefined, 0]);

export const searchPage = {
  limit: wholeNumber('limit must be a whole number from 0 to 500', [501]),
  offset: wholeNumber('offset must be a whole number from 0 to 9500', [9501]),
};

export const seenAt: BadValue[] = all(
  [...notText, null, '', '2026-01-31', 'yesterday'],
  'updated_at must be the time that the server sent with the record',
);

export const oneOf = (text: string): BadValue[] => all([...notText, null, '', "boss'%", 'Admin'], text);

const half = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} };
const numbers = { id: 1, rawId: 2, type: 3, clientExtensionResults: 4, response: 5 };
export const browserResponse: BadValue[] = all(
  [undefined, null, 'x', [], {}, half, numbers, { id: 'x'.repeat(3000) }],
  'Response must be the WebAuthn response of the browser',
);

export const flag = (name: string): BadValue[] => all([null, 'true', 1], `${name} must be true or false`);

export const passkeyProof: BadValue[] = all(
  [5, 'x', []],
  'Passkey must be a state and the WebAuthn response of the browser',
);

export const uuid = (text: string): BadValue[] => all([...notText, null, '', "it's", '1234-5678'], text);

export const base64File: BadValue[] = [
  ...all([undefined, null, ...notText, ''], 'No file selected'),
  ...all(
    ['!!!!', 'JVBE Ri0=', 'JVB\0', '_-_-', 'JVBERi0', '\ud800AAA'],
    'file_data must be the content of the file in base64',
  ),
];
