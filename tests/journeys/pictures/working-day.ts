import type { User } from '@customer-database/contract/users';
import { Secret, TOTP } from 'otpauth';
import { backUpIfDue, checkIfDue } from '../../../server/src/backup/schedule.ts';
import { systemContext } from '../../../server/src/core/context.ts';
import type { Deps } from '../../../server/src/core/deps.ts';
import { readSample } from '../../../server/src/demo/samples.ts';
import { seedDemo } from '../../../server/src/demo/seed.ts';
import { createMetrics } from '../../../server/src/metrics/metrics.ts';
import { createAdmin, updateUser } from '../../../server/src/modules/accounts/commands.ts';
import { buildApp } from '../../../server/src/start/app.ts';

const hourMs = 3_600_000;

/** In this time zone it is between five and six in the afternoon, whenever the pictures are taken. */
const hoursAhead = ((17 - new Date().getUTCHours() + 36) % 24) - 12;
export const timeZone = `Etc/GMT${hoursAhead < 0 ? '+' : '-'}${Math.abs(hoursAhead)}`;

/** Such as '16:05', today. */
function timeAt(text: string): Date {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  const five = Math.floor(Date.now() / hourMs) * hourMs;
  return new Date(five + (hours - 17 + minutes / 60) * hourMs);
}

const password = 'a picture says more 2718';

/** The demo's records are Anna's, who has the address that the demo looks for. */
const colleagues = {
  anna: { email: 'admin@example.com', name: 'Anna Lindqvist', role: 'admin', address: '10.20.0.14' },
  jonas: { email: 'jonas.weber@example.com', name: 'Jonas Weber', role: 'admin', address: '10.20.0.22' },
  leila: { email: 'leila.haddad@example.com', name: 'Leila Haddad', role: 'staff', address: '10.20.0.31' },
  marek: {
    email: 'marek.nowicki@example.com',
    name: 'Marek Nowicki',
    role: 'staff',
    address: '203.0.113.58',
  },
  paul: { email: 'paul.richter@example.com', name: 'Paul Richter', role: 'staff', address: '10.20.0.17' },
  sofia: { email: 'sofia.duarte@example.com', name: 'Sofia Duarte', role: 'staff', address: '10.20.0.27' },
} as const;
type Name = keyof typeof colleagues;

const hannah = { name: 'Hannah Fraser', dob: '1984-03-12', email: 'hannah.fraser@example.com' };
const halifax = { city: 'Halifax', province: 'Nova Scotia', country: 'Canada' };

export type Session = { token: string; user: User };

/** Makes the demo's records, and what people do with them on one day. Resolves with Anna's session. */
export async function makeWorkingDay(deps: Deps): Promise<Session> {
  let now = new Date(Date.now() - 121 * 24 * hourMs);
  const past: Deps = { ...deps, clock: { now: () => now }, metrics: createMetrics(deps.pool) };
  const ctx = systemContext(past);
  for (const { email, name, role } of Object.values(colleagues)) {
    const { id } = await createAdmin(ctx, { email, name, password }, false);
    if (role !== 'admin') await updateUser(ctx, id, { role });
  }
  await seedDemo(deps, () => undefined, deps.stopping);
  now = timeAt('02:00');
  await backUpIfDue(past);
  now = timeAt('04:00');
  await checkIfDue(past);

  await using app = await buildApp(past);
  const sessions = new Map<Name, Session>();
  const send = async (
    time: string,
    who: Name,
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
  ) => {
    now = timeAt(time);
    const headers = { authorization: `Bearer ${sessions.get(who)?.token}` };
    const remoteAddress = colleagues[who].address;
    const answer = await app.inject({ method, url, headers, remoteAddress, ...(payload && { payload }) });
    const { statusCode, body } = answer;
    // 401 is the answer to a mistyped password.
    if (statusCode >= 400 && statusCode !== 401) throw new Error(`${method} ${url}: ${statusCode} ${body}`);
    return String(answer.headers['content-type']).startsWith('application/json') ? answer.json() : undefined;
  };
  const signIn = async (time: string, who: Name, typed = password) => {
    const account = { email: colleagues[who].email, password: typed };
    sessions.set(who, await send(time, who, 'POST', '/api/auth/login', account));
  };
  const idOf = async (table: 'users' | 'documents', column: 'email' | 'filename', value: string) => {
    const found = ctx.db.selectFrom(table).select('id').where(column, '=', value);
    return (await found.executeTakeFirstOrThrow()).id;
  };
  const upload = async (time: string, filename: string, sample: string) => {
    const file = { filename, file_data: readSample(sample).toString('base64') };
    await send(time, 'jonas', 'POST', '/api/documents', { customer_id: customer.id, ...file });
  };
  const open = async (time: string, who: Name, filename: string, purpose: 'view' | 'download') => {
    const path = `/api/documents/${await idOf('documents', 'filename', filename)}/${purpose}`;
    const link = new URL((await send(time, who, 'GET', path))[`${purpose}_url`], 'http://here');
    await send(time, who, 'GET', link.pathname + link.search);
  };

  // All records of the demo are from before.
  await signIn('15:36', 'paul');
  for (const who of ['anna', 'jonas', 'sofia'] as const) {
    await signIn('15:37', who);
    const { secret } = await send('15:38', who, 'POST', '/api/auth/mfa/setup/start');
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() });
    await send('15:38', who, 'POST', '/api/auth/mfa/setup/verify', { code });
  }
  const paul = await idOf('users', 'email', colleagues.paul.email);
  await send('15:40', 'anna', 'POST', `/api/users/${paul}/disable`);
  const invited = { email: 'tom.becker@example.com', name: 'Tom Becker' };
  await send('15:41', 'anna', 'POST', '/api/auth/invite', invited);
  await signIn('15:50', 'marek');
  const added = { ...hannah, ...halifax, street_line: '18 Harbour Street', phone_number: '+1 902 555 0142' };
  const { customer } = await send('15:58', 'jonas', 'POST', '/api/customers', added);
  await upload('16:02', 'Offer 2026-118.docx', 'offer-en.docx');
  await open('16:09', 'marek', 'Delivery note 4708.pdf', 'view');
  const changed = { currentPassword: password, newPassword: `${password}!` };
  await send('16:13', 'sofia', 'PUT', '/api/auth/change-password', changed);
  await upload('16:21', 'Contract 2026.pdf', 'contract-en.pdf');
  const moved = { ...halifax, street_line: '151 Elm Crescent', phone_number: '+1 902 555 0164' };
  await send('16:28', 'anna', 'PUT', '/api/customers/10', moved);
  await signIn('16:30', 'leila', 'not her password');
  await signIn('16:31', 'leila');
  await open('16:34', 'leila', 'Offer 2026-118.docx', 'download');
  await send('16:41', 'marek', 'POST', '/api/auth/logout');
  await open('16:52', 'anna', 'Contract 2026.pdf', 'view');
  const session = sessions.get('anna');
  if (!session?.token) throw new Error('Anna could not sign in');
  return session;
}
