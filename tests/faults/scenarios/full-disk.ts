import { join } from 'node:path';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { draftsIn, finishJobs } from '../harness/leftovers.ts';
import { openLedger } from '../harness/load.ts';
import { untilStorageWorks, watchStorageOutage } from '../harness/outage.ts';
import { mountSmallDisk, type SmallDisk } from '../harness/small-disk.ts';
import { uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

const maxSeconds = 10;

/** The documents' disk runs full, at a different byte of an upload each time. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    let disk: SmallDisk | undefined;
    const installation = await openInstallation(folder, 'full-disk', {
      prepare: async (data) => {
        disk = mountSmallDisk(join(data, 'objects'), 64);
      },
    });
    if (!disk) throw new Error('No disk was mounted');
    const ledger = await openLedger(installation);
    const points = random('points');
    const customerId = ledger.customers[0]?.id ?? 0;
    const document = await uploadOrThrow(ledger, installation.admin, customerId, 3_000_000);
    const outage = watchStorageOutage(installation, ledger, findings);
    const recoveries: number[] = [];
    const rounds = times(10, 1);

    for (let round = 1; round <= rounds; round += 1) {
      const freeBytes = wholeNumber(100_000, 9_000_000, points);
      await disk.fill(freeBytes);
      const size = freeBytes + wholeNumber(200_000, 1_000_000, points);
      await outage.expectUploadRefused(size, maxSeconds);
      findings.expect((await draftsIn(installation)).length === 0, 'an unfinished draft was left');
      const doomed = await uploadOrThrow(ledger, installation.admin, customerId, Math.floor(freeBytes / 2));
      await disk.fill(0);
      await outage.untilHealth(503);
      await outage.expectRestWorks();
      const fetched = await outage.fetchOnce(document, maxSeconds);
      findings.expect(fetched === 'whole', `on a full disk a download was ${fetched}`);
      // Deletions must work on a full disk: that is how users free space.
      await outage.deleteDocument(doomed);
      await finishJobs(installation, findings);
      findings.expect((await disk.freeBytes()) >= doomed.size, 'deleting a document made no room');
      await disk.empty();
      recoveries.push(await untilStorageWorks(installation, ledger, document));
      progress(`disk full ${round} of ${rounds}, ${freeBytes} bytes into an upload of ${size}`);
    }

    const { leftovers } = await verify(installation, ledger, findings, 'all');
    findings.expect(leftovers.length === 0, `${leftovers.length} objects without a row`);
    await installation.close();
    disk.unmount();
    return [
      {
        what: 'the disk of the documents is full',
        times: rounds,
        checked: countsText(ledger),
        recoveries,
        seen: `the slowest answer took ${outage.slowest().toFixed(1)} s; no half object, no draft; reading and deleting worked`,
        findings,
      },
    ];
  },
};
