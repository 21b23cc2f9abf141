import type { JsonSchema, Operation, Parameter } from '@customer-database/testkit/api';
import { aPdf, testPassword } from '@customer-database/testkit/factories';
import fc from 'fast-check';

/** Stands for the id of a record that exists when the request is sent. */
export const existingId = '{existing}';

/** `body` is JSON text, because some hostile input cannot be expressed as a value. */
export type FuzzedRequest = { path: string; body: string | undefined };

const json = (value: unknown) => JSON.stringify(value);

const text = (max = 60) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(max, 60) }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: Math.min(max, 60) }) },
    fc.constantFrom(`100%_'"\\;--`, `O'Brien & <b>Söhne</b>`, "'; drop table customers; --", '{{7*7}}'),
  );

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const letters = (of: string) => fc.string({ unit: fc.constantFrom(...of), minLength: 1, maxLength: 20 });
const plainLabel = letters('abcXYZ09-_+üßλжК漢');
const label = fc.oneof({ weight: 4, arbitrary: plainLabel }, letters('ab＠，¨İǅ'));
const email = fc.tuple(label, label).map(([local, domain]) => `${local}@${domain}.example`);
const password = fc.oneof({ weight: 4, arbitrary: fc.constant(testPassword) }, text());
const newPassword = fc.oneof({ weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 8 }) }, text());
const file = aPdf();

/** What a field's schema cannot express. */
const byName: Record<string, fc.Arbitrary<string>> = {
  dob: day.map(json),
  date_from: day.map(json),
  date_to: day.map(json),
  updated_at: fc.constantFrom('2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z').map(json),
  customer_id: fc.constant(existingId),
  filename: plainLabel.map((name) => json(`${name}.pdf`)),
  mime_type: fc.constantFrom('application/pdf', 'application/pdf; x=y', 'text/plain').map(json),
  file_data: fc.constantFrom(file.toString('base64'), 'not base64', '').map(json),
  password: password.map(json),
  currentPassword: password.map(json),
  newPassword: newPassword.map(json),
  code: fc.integer({ min: 0, max: 999_999 }).map((code) => json(String(code).padStart(6, '0'))),
};

/** Values that the schema mostly accepts, as JSON. */
function likely(name: string, schema: JsonSchema): fc.Arbitrary<string> {
  if (byName[name]) return byName[name];
  if (schema.anyOf) {
    const weightOf = (option: JsonSchema) => (option.type === 'null' ? 1 : 4);
    const options = schema.anyOf.map((option) => ({
      weight: weightOf(option),
      arbitrary: likely(name, option),
    }));
    return fc.oneof(...options);
  }
  if (schema.enum) return fc.constantFrom(...schema.enum).map(json);
  if (schema.pattern?.includes('@')) return email.map(json);
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('integer')) {
    return fc.integer({ min: schema.minimum ?? 1, max: Math.min(schema.maximum ?? 1000, 1000) }).map(json);
  }
  if (types[0] === 'null') return fc.constant('null');
  return text(schema.maxLength).map(json);
}

const hostile = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '0', '-1', '1.5', '-0', '1e400', '1E2', '9007199254740992', '9223372036854775808'],
    ...['[]', '{}', '[null]', '["a","b"]', '{"$gt":""}', '{"length":5}', '{"toString":1}', '[[[[[[]]]]]]'],
    ...[
      '""',
      '"   "',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"x\\udfffy"',
      '"\\u202e"',
      '"a\\r\\nBcc: b"',
    ],
    ...['"%"', '"_"', '"\'"', '"\\\\"', '"NaN"', '"-1"', '"1"', '"2026-02-30"', '"\\ufeff"', '"\\uffff"'],
    json('x'.repeat(3000)),
    json('漢'.repeat(254)),
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
  ),
  fc.jsonValue().map(json),
  text().map(json),
);

const oddKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'role',
  'created_at',
  'storage_key',
];
const oddKey = fc.oneof(fc.constantFrom(...oddKeys, '', '\0', '\ud800'), fc.string({ maxLength: 10 }));

type Entry = [key: string, json: string];
type Change = (entries: Entry[]) => Entry[];

const at = (entries: Entry[], index: number) => (entries.length > 0 ? index % entries.length : 0);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(), hostile).map(
    ([index, value]): Change =>
      (entries) =>
        entries.map(([key, old], place) => [key, place === at(entries, index) ? value : old]),
  ),
  fc.nat().map(
    (index): Change =>
      (entries) =>
        entries.filter((_, place) => place !== at(entries, index)),
  ),
  fc.tuple(oddKey, hostile).map(
    ([key, value]): Change =>
      (entries) => [...entries, [key, value]],
  ),
  fc.tuple(fc.nat(), hostile).map(
    ([index, value]): Change =>
      (entries) => {
        const twin = entries[at(entries, index)];
        return twin ? [...entries, [twin[0], value]] : entries;
      },
  ),
);

const brokenBody = fc.constantFrom(
  '[]',
  'null',
  '"text"',
  '1',
  'true',
  '{',
  '{"a":',
  '',
  '\0',
  '{}{}',
  '{"a":1,}',
);

function body(schema: JsonSchema): fc.Arbitrary<string> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const entry = likely(name, field).map((value): Entry => [name, value]);
    return schema.required?.includes(name) ? entry : fc.option(entry, { freq: 3 });
  });
  const object = fc
    .tuple(fc.tuple(...fields), fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 2 })))
    .map(([entries, changes]) => {
      const given = entries.filter((entry) => entry !== null);
      const changed = changes.reduce((result, apply) => apply(result), given);
      return `{${changed.map(([key, value]) => `${json(key)}:${value}`).join(',')}}`;
    });
  return fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: brokenBody });
}

const pathId = fc.oneof(
  { weight: 8, arbitrary: fc.constant(existingId) },
  fc.constantFrom(
    '0',
    '-1',
    '1.5',
    '01',
    '1e3',
    '9007199254740991',
    '9007199254740992',
    '9223372036854775808',
  ),
  fc.constantFrom(
    'abc',
    '%00',
    '%ff',
    '%ED%A0%80',
    '1%2f2',
    '1;2',
    '%F0%9F%92%A9',
    '%201',
    '1%0a',
    '%25',
    '999999999',
  ),
  fc.constantFrom('1'.repeat(99), '1'.repeat(300), 'x'.repeat(3000)),
  text().map((id) => encodeURIComponent(id.toWellFormed()) || '0'),
);

const queryValue = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map(String),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1.5',
    '1e3',
    '+1',
    ' 1',
    '%00',
    '%ff',
    '%',
    '[]',
    '{}',
    'null',
    '9'.repeat(30),
  ),
  fc.constant('x'.repeat(2000)),
);
const likelyQuery: Record<string, fc.Arbitrary<string>> = {
  purpose: fc.constantFrom('view', 'download'),
  user: fc.integer({ min: 1, max: 5 }).map(String),
  expires: fc.constantFrom('1', '9999999999'),
  signature: fc.base64String({ maxLength: 44 }).map(encodeURIComponent),
};

function query(parameters: Parameter[]): fc.Arbitrary<string> {
  const names = parameters.map(({ name }) => name);
  const odd = ['__proto__', 'constructor', 'page[]', 'page[x]', 'sort', 'id', ''];
  const all = fc.tuple(
    ...names.map((name) => (likelyQuery[name] ?? queryValue).map((value) => `${name}=${value}`)),
  );
  const pair = fc
    .tuple(fc.constantFrom(...names, ...odd), queryValue)
    .map(([name, value]) => `${name}=${value}`);
  return fc
    .tuple(fc.oneof(all, fc.constant([])), fc.array(pair, { maxLength: names.length > 0 ? 2 : 1 }))
    .map(([first, second]) => [...first, ...second].join('&'));
}

/** Requests generated from an operation's OpenAPI description: valid, slightly wrong and hostile ones. */
export function requestsFor(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const queryParameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  return fc
    .record({
      id: pathId,
      query: query(queryParameters),
      body: operation.body ? body(operation.body) : fc.constant(undefined),
    })
    .map((made) => ({
      path: operation.path.replace('{id}', made.id) + (made.query ? `?${made.query}` : ''),
      body: made.body,
    }));
}
