import { type FaultyProxy, openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario, type ScenarioContext } from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { countsText, type Ledger, type LedgerDocument, noteUploaded } from '../harness/ledger.ts';
import { finishJobs, sweepADayLater } from '../harness/leftovers.ts';
import { openLedger } from '../harness/load.ts';
import * as outage from '../harness/outage.ts';
import { openStore } from '../harness/store.ts';
import { makeUpload, uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

// The driver tries twice: each time 3 s to connect, 20 s until the response to an upload starts, 5 s for other
// calls, and 30 s without a byte inside a response. The rest is slack for a busy machine.
const refusedSeconds = 20;
const silentUploadSeconds = 60;
const silentReadSeconds = 25;
const stalledSeconds = 60;

type Setup = {
  installation: Installation;
  /** Sits between the server and the store. */
  proxy: FaultyProxy;
  ledger: Ledger;
  document: LedgerDocument;
  context: ScenarioContext;
};

/** Repeats one network fault, and verifies everything afterwards. */
async function runOutage(
  setup: Setup,
  what: string,
  times: number,
  once: (watch: outage.Stopwatch, fault: Fault) => Promise<string>,
): Promise<Fault> {
  const { installation, ledger, proxy, document, context } = setup;
  const before = { ...ledger.counts };
  const fault: Fault = { what, times, checked: '', recoveries: [], seen: '', findings: createFindings() };
  const watch = { slowest: 0 };
  const outcomes = new Map<string, number>();
  for (let time = 1; time <= times; time += 1) {
    const outcome = await once(watch, fault);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    await proxy.set('none');
    fault.recoveries.push(await outage.untilStorageWorks(installation, ledger, document));
    context.progress(`${what}, ${time} of ${times}: ${outcome}`);
  }
  await finishJobs(installation, fault.findings);
  await verify(installation, ledger, fault.findings, 'new');
  fault.checked = countsText(ledger, before);
  const counted = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  fault.seen = `${counted}; the slowest answer took ${watch.slowest.toFixed(1)} s; edits and sign-ins went on`;
  return fault;
}

const storeIsDown = (setup: Setup) => {
  const { installation, ledger, proxy, document, context } = setup;
  return runOutage(setup, 'the S3 store is down', context.times(5, 1), async (watch, { findings }) => {
    const doomed = await uploadOrThrow(ledger, installation.admin, document.customerId, 4_000);
    await proxy.set('refusing');
    const bound = { maxSeconds: refusedSeconds, watch };
    await outage.expectUploadRefused(installation, ledger, findings, { size: 50_000, ...bound });
    const fetched = await outage.fetchOnce(installation, document, findings, bound);
    findings.expect(fetched === 'refused', `a download was ${fetched} while storage was away`);
    await outage.untilStorageHealth(installation, 503);
    await outage.expectRestWorks(installation, ledger, findings);
    await outage.deleteDuringOutage(installation, ledger, doomed, findings);
    return 'refused, /s3/health red';
  });
};

const storeIsSilent = (setup: Setup) => {
  const { installation, ledger, proxy, document, context } = setup;
  return runOutage(
    setup,
    'the S3 store takes and never answers',
    context.times(1, 1),
    async (watch, { findings }) => {
      await proxy.set('silent');
      const upload = { size: 100_000, maxSeconds: silentUploadSeconds, watch };
      // Too slow for the short form.
      const refused = context.isShort
        ? undefined
        : outage.expectUploadRefused(installation, ledger, findings, upload);
      const reading = { maxSeconds: silentReadSeconds, watch };
      const fetched = outage.fetchOnce(installation, document, findings, reading);
      await outage.expectRestWorks(installation, ledger, findings);
      await outage.untilStorageHealth(installation, 503);
      findings.expect((await fetched) === 'refused', `a download was ${await fetched}`);
      await refused;
      await outage.expectRestWorks(installation, ledger, findings);
      return 'refused, /s3/health red';
    },
  );
};

const uploadIsCut = (setup: Setup) => {
  const { installation, ledger, proxy, context } = setup;
  const points = context.random('points');
  return runOutage(
    setup,
    'the line to the S3 store is cut in an upload',
    context.times(15, 2),
    async (watch, { findings }) => {
      const size = wholeNumber(100_000, 10_000_000, points);
      // A third of the time all bytes arrive and only the response is lost.
      const isAnswer = points() < 0.33;
      const afterBytes = isAnswer ? wholeNumber(0, 50, points) : wholeNumber(0, size, points);
      await proxy.set({ cut: isAnswer ? 'answer' : 'request', afterBytes });
      await outage.expectUploadRefused(installation, ledger, findings, {
        size,
        maxSeconds: silentUploadSeconds,
        watch,
      });
      await outage.expectRestWorks(installation, ledger, findings);
      return isAnswer ? 'cut in the answer' : 'cut in the file';
    },
  );
};

const downloadIsCut = (setup: Setup) => {
  const { installation, ledger, proxy, document, context } = setup;
  const points = context.random('points');
  return runOutage(
    setup,
    'the line to the S3 store is cut in a download',
    context.times(15, 2),
    async (watch, { findings }) => {
      await proxy.set({ cut: 'answer', afterBytes: wholeNumber(0, document.size - 1, points) });
      const reading = { maxSeconds: silentReadSeconds, watch };
      const fetched = await outage.fetchOnce(installation, document, findings, reading);
      findings.expect(fetched !== 'whole', 'a download looked complete although the line was cut');
      await outage.expectRestWorks(installation, ledger, findings);
      return fetched;
    },
  );
};

const downloadStalls = (setup: Setup) => {
  const { installation, ledger, proxy, document, context } = setup;
  const points = context.random('points');
  return runOutage(
    setup,
    'the S3 store stops in the middle of a download',
    context.times(1, 1),
    async (watch, { findings }) => {
      await proxy.set({ stallAfterBytes: wholeNumber(1_000, document.size - 1, points) });
      const reading = { maxSeconds: stalledSeconds, watch };
      const fetching = outage.fetchOnce(installation, document, findings, reading);
      await outage.expectRestWorks(installation, ledger, findings);
      findings.expect((await fetching) === 'broken off', `a download that stalled was ${await fetching}`);
      return 'broken off';
    },
  );
};

/** Slow is no failure: the upload is kept and the download is complete. */
const storeIsSlow = (setup: Setup) => {
  const { installation, ledger, proxy, document, context } = setup;
  const { admin } = installation;
  return runOutage(setup, 'the S3 store is slow', context.times(3, 1), async (watch, { findings }) => {
    await proxy.set({ bytesPerSecond: 600_000 });
    const { document: uploaded, send } = makeUpload(ledger, document.customerId, 1_000_000);
    const uploading = send(admin, 'form');
    await outage.expectRestWorks(installation, ledger, findings);
    const answer = await uploading;
    const isKept = noteUploaded(ledger, uploaded, answer);
    findings.expect(isKept, `a slow upload was answered ${answer.status}`);
    const reading = { maxSeconds: stalledSeconds, watch };
    const fetched = await outage.fetchOnce(installation, uploaded, findings, reading);
    findings.expect(fetched === 'whole', `a slow download was ${fetched}`);
    return 'kept and served';
  });
};

/** A real S3 store behind a faulty proxy; verification bypasses the proxy. */
export const s3Broken: Scenario = {
  name: 'storage-s3',
  async run(context): Promise<Fault[]> {
    const store = await openStore();
    const proxy = await openFaultyProxy(store.env.S3_ENDPOINT);
    const env = { ...store.env, S3_ENDPOINT: proxy.endpoint };
    const { storage } = store;
    const installation = await openInstallation(context.folder, 'storage-s3', { env, storage });
    const ledger = await openLedger(installation);
    const customerId = ledger.customers[0]?.id ?? 0;
    const document = await uploadOrThrow(ledger, installation.admin, customerId, 5_000_000);
    const setup = { installation, proxy, ledger, document, context };
    const faults: Fault[] = [];
    const shortFaults = [storeIsDown, storeIsSilent, uploadIsCut, downloadIsCut];
    for (const breakIt of context.isShort ? shortFaults : [...shortFaults, storeIsSlow, downloadStalls]) {
      faults.push(await breakIt(setup));
    }

    const findings = faults.at(-1)?.findings ?? createFindings();
    const swept = await sweepADayLater(installation, ledger, findings, env);
    context.progress(`${swept} objects without a row were swept`);
    await installation.close();
    await proxy.close();
    await store.close();
    return faults;
  },
};
