import { type FaultyProxy, openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Findings, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText, type Ledger, type LedgerDocument, noteUploaded } from '../harness/ledger.ts';
import { finishJobs, sweepADayLater } from '../harness/leftovers.ts';
import { openLedger } from '../harness/load.ts';
import { type StorageOutage, untilStorageWorks, watchStorageOutage } from '../harness/outage.ts';
import { openStore } from '../harness/store.ts';
import { makeUpload, uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

// The driver tries twice: each time 3 s to connect, 20 s until the response to an upload starts, 5 s for other
// calls, and 30 s without a byte inside a response. The rest is slack for a busy machine.
const refusedSeconds = 20;
const silentUploadSeconds = 60;
const silentReadSeconds = 25;
const stalledSeconds = 60;

type Round = {
  admin: Parameters<typeof uploadOrThrow>[1];
  /** Sits between the server and the store. */
  proxy: FaultyProxy;
  ledger: Ledger;
  /** Stored before anything was broken. */
  document: LedgerDocument;
  points: () => number;
  isShort: boolean;
  findings: Findings;
  outage: StorageOutage;
};

type NetworkFault = {
  what: string;
  times: [full: number, short: number];
  /** Left out of the short form. */
  isLong?: boolean;
  /** Returns what happened. */
  breakOnce(round: Round): Promise<string>;
};

const networkFaults: NetworkFault[] = [
  {
    what: 'the S3 store is down',
    times: [5, 1],
    async breakOnce({ admin, proxy, ledger, document, findings, outage }) {
      const doomed = await uploadOrThrow(ledger, admin, document.customerId, 4_000);
      await proxy.set('refusing');
      await outage.expectUploadRefused(50_000, refusedSeconds);
      const fetched = await outage.fetchOnce(document, refusedSeconds);
      findings.expect(fetched === 'refused', `a download was ${fetched} while storage was away`);
      await outage.untilHealth(503);
      await outage.expectRestWorks();
      await outage.deleteDocument(doomed);
      return 'refused, /s3/health red';
    },
  },
  {
    what: 'the S3 store takes and never answers',
    times: [1, 1],
    async breakOnce({ proxy, document, isShort, findings, outage }) {
      await proxy.set('silent');
      // Too slow for the short form.
      const refused = isShort ? undefined : outage.expectUploadRefused(100_000, silentUploadSeconds);
      const fetched = outage.fetchOnce(document, silentReadSeconds);
      await outage.expectRestWorks();
      await outage.untilHealth(503);
      findings.expect((await fetched) === 'refused', `a download was ${await fetched}`);
      await refused;
      await outage.expectRestWorks();
      return 'refused, /s3/health red';
    },
  },
  {
    what: 'the line to the S3 store is cut in an upload',
    times: [15, 2],
    async breakOnce({ proxy, points, outage }) {
      const size = wholeNumber(100_000, 10_000_000, points);
      // A third of the time all bytes arrive and only the response is lost.
      const isAnswer = points() < 0.33;
      const afterBytes = isAnswer ? wholeNumber(0, 50, points) : wholeNumber(0, size, points);
      await proxy.set({ cut: isAnswer ? 'answer' : 'request', afterBytes });
      await outage.expectUploadRefused(size, silentUploadSeconds);
      await outage.expectRestWorks();
      return isAnswer ? 'cut in the answer' : 'cut in the file';
    },
  },
  {
    what: 'the line to the S3 store is cut in a download',
    times: [15, 2],
    async breakOnce({ proxy, document, points, findings, outage }) {
      await proxy.set({ cut: 'answer', afterBytes: wholeNumber(0, document.size - 1, points) });
      const fetched = await outage.fetchOnce(document, silentReadSeconds);
      findings.expect(fetched !== 'whole', 'a download looked complete although the line was cut');
      await outage.expectRestWorks();
      return fetched;
    },
  },
  {
    // Slow is no failure: the upload is kept and the download is complete.
    what: 'the S3 store is slow',
    times: [3, 1],
    isLong: true,
    async breakOnce({ admin, proxy, ledger, document, findings, outage }) {
      await proxy.set({ bytesPerSecond: 600_000 });
      const { document: uploaded, send } = makeUpload(ledger, document.customerId, 1_000_000);
      const uploading = send(admin, 'form');
      await outage.expectRestWorks();
      const answer = await uploading;
      const isKept = noteUploaded(ledger, uploaded, answer);
      findings.expect(isKept, `a slow upload was answered ${answer.status}`);
      const fetched = await outage.fetchOnce(uploaded, stalledSeconds);
      findings.expect(fetched === 'whole', `a slow download was ${fetched}`);
      return 'kept and served';
    },
  },
  {
    what: 'the S3 store stops in the middle of a download',
    times: [1, 1],
    isLong: true,
    async breakOnce({ proxy, document, points, findings, outage }) {
      await proxy.set({ stallAfterBytes: wholeNumber(1_000, document.size - 1, points) });
      const fetching = outage.fetchOnce(document, stalledSeconds);
      await outage.expectRestWorks();
      findings.expect((await fetching) === 'broken off', `a download that stalled was ${await fetching}`);
      return 'broken off';
    },
  },
];

/** A real S3 store behind a faulty proxy; verification bypasses the proxy. */
export const s3Broken: Scenario = {
  name: 'storage-s3',
  async run({ folder, isShort, times: timesOf, random, progress }): Promise<Fault[]> {
    const store = await openStore();
    const proxy = await openFaultyProxy(store.env.S3_ENDPOINT);
    const env = { ...store.env, S3_ENDPOINT: proxy.endpoint };
    const installation = await openInstallation(folder, 'storage-s3', { env, storage: store.storage });
    const { admin } = installation;
    const ledger = await openLedger(installation);
    const document = await uploadOrThrow(ledger, admin, ledger.customers[0]?.id ?? 0, 5_000_000);
    const points = random('points');
    const faults: Fault[] = [];

    for (const {
      what,
      times: [full, short],
      isLong,
      breakOnce,
    } of networkFaults) {
      if (isShort && isLong) continue;
      const times = timesOf(full, short);
      const findings = createFindings();
      const outage = watchStorageOutage(installation, ledger, findings);
      const round = { admin, proxy, ledger, document, points, isShort, findings, outage };
      const before = { ...ledger.counts };
      const recoveries: number[] = [];
      const outcomes = new Map<string, number>();
      for (let time = 1; time <= times; time += 1) {
        const outcome = await breakOnce(round);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await proxy.set('none');
        recoveries.push(await untilStorageWorks(installation, ledger, document));
        progress(`${what}, ${time} of ${times}: ${outcome}`);
      }
      await finishJobs(installation, findings);
      await verify(installation, ledger, findings, 'new');
      const counted = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
      const seen = `${counted}; the slowest answer took ${outage.slowest().toFixed(1)} s; edits and sign-ins worked`;
      faults.push({ what, times, checked: countsText(ledger, before), recoveries, seen, findings });
    }

    const findings = faults.at(-1)?.findings ?? createFindings();
    const swept = await sweepADayLater(installation, ledger, findings, env);
    progress(`${swept} objects without a row were swept`);
    await installation.close();
    await proxy.close();
    await store.close();
    return faults;
  },
};
