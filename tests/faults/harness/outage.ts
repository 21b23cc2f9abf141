import type { Answer } from '@customer-database/testkit/client';
import { fetchBytes, issueLink, texts } from '@customer-database/testkit/documents';
import { secondsSince, until } from '@customer-database/testkit/until';
import type { Findings } from './findings.ts';
import { type Installation, signIn } from './installation.ts';
import { editText, type Ledger, type LedgerDocument, noteUploaded } from './ledger.ts';
import { makeUpload, sha256Of } from './uploads.ts';

// Health is cached for three seconds and answers within five; the rest is slack for a busy machine.
const healthTimeoutMs = 20_000;

export type Fetched = 'whole' | 'refused' | 'broken off';

/** What users see while the storage of documents is broken. */
export type StorageOutage = {
  /** Expects a clear refusal in time; the ledger keeps the upload as never acknowledged. */
  expectUploadRefused(size: number, maxSeconds: number): Promise<void>;
  /** Downloads by a link: all bytes, an error before the first, or a broken connection; never fewer bytes. */
  fetchOnce(document: LedgerDocument, maxSeconds: number): Promise<Fetched>;
  /** What needs no file works as usual. */
  expectRestWorks(): Promise<void>;
  /** Deletions work without storage: a job removes the object later. */
  deleteDocument(document: LedgerDocument): Promise<void>;
  untilHealth(status: 200 | 503): Promise<void>;
  /** Of the uploads and downloads, in seconds. */
  slowest(): number;
};

const statusOf = async (url: string) => (await fetch(url)).status;

function expectUnavailable(what: string, { status, body, headers }: Answer, findings: Findings): void {
  const isClear = status === 503 && body?.error === texts.storageAway && body?.code === 'STORAGE_UNAVAILABLE';
  findings.expect(isClear, `${what} was answered ${status} ${body?.code} (${body?.error})`);
  findings.expect(Number(headers.get('retry-after')) > 0, `${what} was answered without Retry-After`);
}

async function fetchBody(url: string, document: LedgerDocument, findings: Findings): Promise<Fetched> {
  const response = await fetch(url);
  if (response.status !== 200) {
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expectUnavailable('a download', answer, findings);
    return 'refused';
  }
  const bytes = await response.arrayBuffer().catch(() => undefined);
  if (!bytes) return 'broken off';
  if (sha256Of(Buffer.from(bytes)) !== document.sha256) {
    findings.lost.push(`${document.filename}: ${bytes.byteLength} of ${document.size} bytes looked complete`);
  }
  return 'whole';
}

export function watchStorageOutage(
  installation: Installation,
  ledger: Ledger,
  findings: Findings,
): StorageOutage {
  const { admin, server } = installation;
  let slowest = 0;

  async function inTime<T>(what: string, maxSeconds: number, work: Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work;
    const seconds = secondsSince(began);
    slowest = Math.max(slowest, seconds);
    findings.expect(seconds < maxSeconds, `${what} after ${seconds.toFixed(1)} s`);
    return result;
  }

  return {
    slowest: () => slowest,
    async expectUploadRefused(size, maxSeconds) {
      const { send } = makeUpload(ledger, ledger.customers[0]?.id ?? 0, size);
      const answer = await inTime('an upload was refused', maxSeconds, send(admin, 'form'));
      expectUnavailable('an upload', answer, findings);
    },
    async fetchOnce(document, maxSeconds) {
      const url = await issueLink(admin, document.id ?? 0, 'download');
      return inTime('a download ended', maxSeconds, fetchBody(url, document, findings));
    },
    async expectRestWorks() {
      const began = performance.now();
      const [customer] = ledger.customers;
      if (!customer) throw new Error('The ledger has no customer');
      customer.sent += 1;
      const street_line = editText(customer.sent);
      const edited = await admin.put(`/api/customers/${customer.id}`, { street_line });
      findings.expect(
        edited.status === 200,
        `an edit was answered ${edited.status} while storage was broken`,
      );
      if (edited.status === 200) {
        customer.acknowledged = customer.sent;
        ledger.counts.edits += 1;
      }
      ledger.tokens.push(await signIn(server.url));
      ledger.counts.signIns += 1;
      const health = await statusOf(`${server.url}/health`);
      findings.expect(health === 200, `/health was ${health} while only the storage was broken`);
      const seconds = secondsSince(began);
      findings.expect(seconds < 10, `an edit, a sign-in and a health check took ${seconds.toFixed(1)} s`);
    },
    async deleteDocument(document) {
      const { status } = await admin.delete(`/api/documents/${document.id}`);
      findings.expect(status === 200, `a deletion was answered ${status} while storage was away`);
      if (status !== 200) return;
      document.state = 'deleted';
      ledger.counts.deletions += 1;
    },
    untilHealth: (status) => untilStorageHealth(installation, status),
  };
}

async function untilStorageHealth({ server }: Installation, status: 200 | 503): Promise<void> {
  const hasStatus = async () => (await statusOf(`${server.url}/s3/health`)) === status;
  await until(`/s3/health is ${status}`, hasStatus, healthTimeoutMs);
}

/** Waits until an upload and a download work; returns the seconds. */
export async function untilStorageWorks(
  installation: Installation,
  ledger: Ledger,
  document: LedgerDocument,
): Promise<number> {
  const began = performance.now();
  const { admin } = installation;
  const works = async () => {
    const { document: uploaded, send } = makeUpload(ledger, ledger.customers[0]?.id ?? 0, 20_000);
    const answer = await send(admin, 'json').catch(() => undefined);
    if (!noteUploaded(ledger, uploaded, answer)) return false;
    const url = await issueLink(admin, document.id ?? 0, 'view');
    return sha256Of(await fetchBytes(url)) === document.sha256;
  };
  await until('uploads and downloads work again', works, 60_000);
  const seconds = secondsSince(began);
  await untilStorageHealth(installation, 200);
  return seconds;
}
