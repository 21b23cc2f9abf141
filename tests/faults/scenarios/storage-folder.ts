import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { openLedger } from '../harness/load.ts';
import { deleteDuringOutage, expectStorageUnavailable, untilStorageWorks } from '../harness/outage.ts';
import { uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

// Whether a folder exists is known at once.
const bounds = { uploadSeconds: 5, downloadSeconds: 5 };

/** The documents' folder is missing, as when its disk is not mounted. */
export const folderAway: Scenario = {
  name: 'storage-folder',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'storage-folder');
    const ledger = await openLedger(installation);
    const points = random('points');
    const customerId = ledger.customers[0]?.id ?? 0;
    const objects = join(installation.folder, 'objects');
    const watch = { slowest: 0 };
    const recoveries: number[] = [];
    const outages = times(5, 1);

    for (let outage = 1; outage <= outages; outage += 1) {
      const size = wholeNumber(1_000, 10_000_000, points);
      const document = await uploadOrThrow(ledger, installation.admin, customerId, size);
      const doomed = await uploadOrThrow(ledger, installation.admin, customerId, 5_000);
      await rename(objects, `${objects}-away`);
      await expectStorageUnavailable(installation, ledger, findings, { document, bounds, watch });
      await deleteDuringOutage(installation, ledger, doomed, findings);
      await rename(`${objects}-away`, objects);
      recoveries.push(await untilStorageWorks(installation, ledger, document));
      progress(`outage ${outage} of ${outages}`);
    }
    await finishJobs(installation, findings);
    const { leftovers } = await verify(installation, ledger, findings, 'all');
    findings.expect(leftovers.length === 0, `${leftovers.length} objects without a row`);
    await installation.close();
    return [
      {
        what: 'the folder of the documents is away',
        times: outages,
        checked: countsText(ledger),
        recoveries,
        seen: `the slowest answer took ${watch.slowest.toFixed(1)} s; /s3/health red, /health green, edits and sign-ins went on`,
        findings,
      },
    ];
  },
};
