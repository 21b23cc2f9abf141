import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentTypes } from '@customer-database/contract/documents';
import type { Role } from '@customer-database/contract/permissions';
import { type Context, type SignedInContext, systemContext } from '../core/context.ts';
import type { Deps } from '../core/deps.ts';
import { totalOf } from '../db/counts.ts';
import { createAdmin, findUserByEmail, hasUsers, updateUser } from '../modules/accounts/commands.ts';
import { createCustomer } from '../modules/customers/commands.ts';
import { uploadDocument } from '../modules/documents/upload/command.ts';
import { type DemoDocument, demoDocuments } from './documents.ts';
import { type DemoCustomer, demoCustomers } from './people.ts';
import { readSample } from './samples.ts';

const customerCount = 300;
const historyMs = 120 * 24 * 3_600_000;

export type DemoAccount = { email: string; name: string; role: Role; password: string };

const accountsPath = (deps: Deps) => join(deps.config.dataDir, 'demo-accounts.json');

export async function readDemoAccounts(deps: Deps): Promise<DemoAccount[]> {
  return JSON.parse(await readFile(accountsPath(deps), 'utf8'));
}

/** Each demo folder has random passwords, because default ones are unsafe. */
async function makeAccounts(ctx: Context): Promise<void> {
  const password = () => randomBytes(9).toString('base64url');
  const accounts: DemoAccount[] = [
    { email: 'admin@example.com', name: 'Ada Admin', role: 'admin', password: password() },
    { email: 'staff@example.com', name: 'Stefan Staff', role: 'staff', password: password() },
  ];
  await writeFile(accountsPath(ctx.deps), JSON.stringify(accounts, null, 2), { mode: 0o600 });
  for (const { email, name, role, password } of accounts) {
    const { id } = await createAdmin(ctx, { email, name, password }, false);
    if (role !== 'admin') await updateUser(ctx, id, { role });
  }
}

async function actAs(ctx: Context, email: string): Promise<SignedInContext> {
  const user = await findUserByEmail(ctx.db, email);
  if (!user) throw new Error(`the demo account ${email} is missing`);
  const { id, name, phone_number, role, must_change_password } = user;
  return {
    ...ctx,
    actor: { id, label: name },
    signedIn: {
      sessionId: 0,
      confirmedAt: ctx.deps.clock.now(),
      hasSecondFactor: false,
      linkGeneration: user.link_generation,
      user: { id, name, email, phone_number, role, must_change_password, mfa_enabled: false },
    },
  };
}

/** Sets the clock back, so that the records spread over months. */
function backdated(ctx: SignedInContext, msAgo: number): SignedInContext {
  const now = new Date(Date.now() - msAgo);
  return { ...ctx, deps: { ...ctx.deps, clock: { now: () => now } } };
}

type Event =
  | { msAgo: number; kind: 'customer'; person: DemoCustomer }
  | { msAgo: number; kind: 'document'; customer: number; paper: DemoDocument };

/** All records of the demo company, oldest first. */
function history(): Event[] {
  const events = demoCustomers(customerCount).flatMap((person, index): Event[] => {
    const msAgo = historyMs * (1 - index / customerCount);
    const papers = demoDocuments(index, person);
    return [
      { msAgo, kind: 'customer', person },
      ...papers.map((paper, position): Event => {
        const age = msAgo * (1 - (position + 1) / (papers.length + 1));
        return { msAgo: age, kind: 'document', customer: index, paper };
      }),
    ];
  });
  return events.sort((left, right) => right.msAgo - left.msAgo);
}

async function replay(ctx: SignedInContext, event: Event, customerIds: number[]): Promise<void> {
  const then = backdated(ctx, event.msAgo);
  if (event.kind === 'customer') {
    const { id } = await createCustomer(then, event.person);
    customerIds.push(id);
    return;
  }
  const { paper } = event;
  await uploadDocument(then, {
    customerId: customerIds[event.customer] ?? 0,
    filename: paper.filename,
    description: paper.description,
    mimeType: documentTypes[`.${paper.kind}`],
    bytes: readSample(paper.sample),
  });
}

async function existingCustomerIds(deps: Deps): Promise<number[]> {
  const rows = await deps.db.selectFrom('customers').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** Fills an empty installation through the commands of the API. Resumes after an interruption. */
export async function seedDemo(
  deps: Deps,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  // Keeps the user's changes in a finished demo.
  const finishedMarker = join(deps.config.dataDir, 'demo-finished');
  if (existsSync(finishedMarker)) return;
  const system = systemContext(deps, { id: null, label: 'demo' });
  if (!(await hasUsers(deps.db))) await makeAccounts(system);
  const ctx = await actAs(system, 'admin@example.com');
  const events = history();
  const customerIds = await existingCustomerIds(deps);
  const done = customerIds.length + (await totalOf(deps.db, 'documents'));
  for (const [index, event] of events.entries()) {
    if (signal.aborted) return;
    if (index < done) continue;
    await replay(ctx, event, customerIds);
    if ((index + 1) % 200 === 0) progress(`Making demo data: ${index + 1} of ${events.length} records`);
  }
  await writeFile(finishedMarker, '');
}
