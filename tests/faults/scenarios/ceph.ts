import { setTimeout as delay } from 'node:timers/promises';
import { startProgram } from '@customer-database/testkit/admin';
import { makeBucket } from '@customer-database/testkit/bucket';
import { issueLink } from '@customer-database/testkit/documents';
import { secondsSince, until } from '@customer-database/testkit/until';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createS3Storage } from '../../../server/src/storage/s3.ts';
import { refusalsText } from '../harness/answers.ts';
import { type Ceph, startCeph } from '../harness/ceph.ts';
import {
  createFindings,
  type Fault,
  type Findings,
  type Scenario,
  type ScenarioContext,
} from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { countsText, type Ledger, noteUploaded } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { cephParts } from '../harness/parts.ts';
import { makeUpload, sha256Of, uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

const documentSize = 2_000_000;

type Setup = {
  ceph: Ceph;
  env: Record<string, string>;
  installation: Installation;
  ledger: Ledger;
  context: ScenarioContext;
};

async function untilUploaded({ admin }: Installation, ledger: Ledger): Promise<void> {
  const isUploaded = async () => {
    const { document, send } = makeUpload(ledger, ledger.customers[0]?.id ?? 0, 20_000);
    return noteUploaded(ledger, document, await send(admin, 'form').catch(() => undefined));
  };
  await until('an upload is kept again', isUploaded, 60_000);
}

/** The gateway dies at any point of uploads, edits, deletions and sign-ins, and is restarted. */
async function killGateways({ ceph, installation, ledger, context }: Setup): Promise<Fault> {
  const findings = createFindings();
  const points = context.random('points');
  const load = createLoad({ installation, ledger, random: context.random('load'), findings });
  const kills = context.times(10, 2);
  const recoveries: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    load.start();
    await delay(wholeNumber(500, 2_000, points));
    const began = performance.now();
    await ceph.killGateway();
    await untilUploaded(installation, ledger);
    recoveries.push(secondsSince(began));
    await delay(300);
    await load.stop();
    await verify(installation, ledger, findings, kill === kills ? 'all' : 'new');
    context.progress(`kill ${kill} of ${kills}: ${load.answers.text()}`);
  }
  findings.expect(!installation.server.hasExited(), 'the server ended with its store');
  await finishJobs(installation, findings);
  await verify(installation, ledger, findings, 'new');
  return {
    what: "kill -9 of Ceph's S3 gateway under load",
    times: kills,
    checked: countsText(ledger),
    recoveries,
    seen: refusalsText(load.answers),
    findings,
  };
}

/** Downloads by a link of the store: whole, in part, tampered with, and after the deletion. */
async function useLinks({ ceph, installation, ledger }: Setup, findings: Findings): Promise<void> {
  const { admin } = installation;
  const customerId = ledger.customers[0]?.id ?? 0;
  const document = await uploadOrThrow(ledger, admin, customerId, documentSize);
  const url = await issueLink(admin, document.id ?? 0, 'download');
  findings.expect(new URL(url).origin === ceph.endpoint, 'a download did not lead to the store');
  const whole = await fetch(url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  findings.expect(sha256Of(bytes) === document.sha256, 'a download from the store has other bytes');
  const disposition = whole.headers.get('content-disposition') ?? '';
  findings.expect(disposition.includes(document.filename), `a download is called ${disposition}`);
  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
  const partBytes = Buffer.from(await part.arrayBuffer());
  const isPart = part.status === 206 && partBytes.equals(bytes.subarray(1_000, 2_000));
  findings.expect(isPart, `a range was answered ${part.status} with ${partBytes.length} bytes`);
  const tampered = await fetch(url.replace(/(X-Amz-Expires)=\d+/, '$1=86400'));
  await tampered.arrayBuffer();
  findings.expect(tampered.status === 403, `a changed link was answered ${tampered.status}`);

  const doomed = await uploadOrThrow(ledger, admin, customerId, documentSize);
  const link = await issueLink(admin, doomed.id ?? 0, 'download');
  const { status } = await admin.delete(`/api/documents/${doomed.id}`);
  findings.expect(status === 200, `a deletion was answered ${status}`);
  doomed.state = 'deleted';
  ledger.counts.deletions += 1;
  await finishJobs(installation, findings);
  const gone = await fetch(link);
  await gone.arrayBuffer();
  findings.expect(gone.status === 404, `a link to a deleted document was answered ${gone.status}`);
}

/** A backup in one bucket of the store, restored into another, must have everything. */
async function backUpAndRestore(setup: Setup, findings: Findings): Promise<void> {
  const { ceph, env, installation, ledger, context } = setup;
  const { folder } = context;
  async function runTool(
    name: 'admin' | 'backup' | 'restore',
    args: string[],
    more: Record<string, string>,
  ): Promise<void> {
    const { code, output } = await startProgram(name, args, { ...env, ...more }).result;
    findings.expect(code === 0, `${name} ${args.join(' ')} failed:\n${output}`);
  }
  await makeBucket(ceph, 'backups');
  const storage = createS3Storage(await makeBucket(ceph, 'restored'));
  const place = 's3://backups/nightly';
  const original = { DATA_DIR: installation.folder };
  await runTool('admin', ['check'], original);
  await runTool('backup', [place], original);
  await runTool('backup', ['verify', place], original);
  const restoredEnv = { ...env, S3_BUCKET: 'restored' };
  const restored = await openInstallation(folder, 'ceph-restored', {
    env: restoredEnv,
    storage,
    prepare: (dataDir) => runTool('restore', [place], { ...restoredEnv, DATA_DIR: dataDir }),
  });
  // Sessions are not in a backup.
  const { leftovers } = await verify(restored, { ...ledger, tokens: [] }, findings, 'all');
  findings.expect(leftovers.length === 0, `${leftovers.length} objects too many were restored`);
  await restored.close();
  await storage.close();
}

async function useEverything(setup: Setup): Promise<Fault> {
  const findings = createFindings();
  await useLinks(setup, findings);
  await backUpAndRestore(setup, findings);
  return {
    what: 'everything moved to another bucket of Ceph by a backup and its restore',
    times: 1,
    checked: countsText(setup.ledger),
    recoveries: [],
    seen: 'links of the store whole, in part, tampered with and after a deletion; check, backup and verify without a finding',
    findings,
  };
}

/** A real Ceph as S3 store, with links to the store itself. */
export const ceph: Scenario = {
  name: 'ceph',
  ownParts: cephParts,
  async run(context) {
    const bucket = 'documents';
    const store = await startCeph(context.folder, bucket);
    const { endpoint, accessKeyId, secretAccessKey } = store;
    const env = {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      LINK_MODE: 's3',
    };
    const storage = createS3Storage(await makeBucket(store, bucket));
    const installation = await openInstallation(context.folder, 'ceph', { env, storage });
    const ledger = await openLedger(installation);
    const setup = { ceph: store, env, installation, ledger, context };
    const faults = [await killGateways(setup), await useEverything(setup)];
    await installation.close();
    await storage.close();
    await store.close();
    return faults;
  },
};
