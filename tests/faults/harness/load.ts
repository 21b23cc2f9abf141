import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Client, createClient } from '@customer-database/testkit/client';
import { makeCustomer } from '@customer-database/testkit/factories';
import { pick, wholeNumber } from '../../../server/src/demo/random.ts';
import { type Answers, createAnswers } from './answers.ts';
import type { Findings } from './findings.ts';
import { adminAccount, type Installation } from './installation.ts';
import { createLedger, editText, type Ledger, type LedgerCustomer, noteUploaded } from './ledger.ts';
import { makeUpload } from './uploads.ts';

/** `answers` counts those since it was created. */
export type Load = { answers: Answers; start(): void; stop(): Promise<void> };

export type LoadOptions = {
  installation: Installation;
  ledger: Ledger;
  random: () => number;
  findings: Findings;
};

const minSize = 1024;
const maxSize = 10 * 1024 * 1024;
const editors = 2;
const uploaders = 3;

/**
 * Repeats a step until aborted. Without the pause the load takes both cores, and what was killed takes longer to
 * come back.
 */
async function repeat(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await step();
    await delay(20);
  }
}

/** A ledger with the customers that the load works on, created while nothing is broken. */
export async function openLedger({ admin }: Pick<Installation, 'admin'>): Promise<Ledger> {
  const ledger = createLedger();
  while (ledger.customers.length < editors + uploaders) {
    const { id } = await makeCustomer(admin, { street_line: editText(0) });
    ledger.customers.push({ id, sent: 0, acknowledged: 0 });
  }
  return ledger;
}

/** Concurrent uploads of all sizes, edits, deletions and sign-ins, each recorded in the ledger. */
export function createLoad({ installation, ledger, random, findings }: LoadOptions): Load {
  const answers = createAnswers(findings);
  const { admin, server } = installation;

  async function ask(kind: string, request: () => Promise<Answer>): Promise<Answer | undefined> {
    const began = performance.now();
    const answer = await request().catch(() => undefined);
    answers.note(kind, answer, (performance.now() - began) / 1000);
    return answer;
  }

  async function uploadOne(customerId: number): Promise<void> {
    // Log-uniform: most are small, as in real use.
    const size = Math.round(minSize * (maxSize / minSize) ** random());
    const { document, send } = makeUpload(ledger, customerId, size);
    const answer = await ask('an upload', () => send(admin, random() < 0.5 ? 'json' : 'form'));
    noteUploaded(ledger, document, answer);
  }

  async function editOne(customer: LedgerCustomer): Promise<void> {
    customer.sent += 1;
    const number = customer.sent;
    const street_line = editText(number);
    const answer = await ask('an edit', () => admin.put(`/api/customers/${customer.id}`, { street_line }));
    if (answer?.status !== 200) return;
    customer.acknowledged = number;
    ledger.counts.edits += 1;
  }

  async function deleteOne(): Promise<void> {
    const kept = ledger.documents.filter(({ state }) => state === 'kept');
    if (kept.length < 5) return;
    const document = pick(kept, random);
    document.state = 'deleting';
    const answer = await ask('a deletion', () => admin.delete(`/api/documents/${document.id}`));
    if (answer?.status !== 200) return;
    document.state = 'deleted';
    ledger.counts.deletions += 1;
    await delay(wholeNumber(20, 120, random));
  }

  async function signInOnce(client: Client): Promise<void> {
    const answer = await ask('a sign-in', () => client.post('/api/auth/login', adminAccount));
    if (answer?.status !== 200) return;
    ledger.tokens.push(answer.body.token);
    ledger.counts.signIns += 1;
    await delay(wholeNumber(50, 250, random));
  }

  const client = createClient(server.url);
  const steps = [
    ...ledger.customers.slice(0, editors).map((customer) => () => editOne(customer)),
    ...ledger.customers.slice(editors).map(
      ({ id }) =>
        () =>
          uploadOne(id),
    ),
    deleteOne,
    () => signInOnce(client),
  ];
  let controller = new AbortController();
  let work: Promise<void>[] = [];
  return {
    answers,
    start() {
      controller = new AbortController();
      work = steps.map((step) => repeat(controller.signal, step));
    },
    async stop() {
      controller.abort();
      await Promise.all(work);
    },
  };
}
