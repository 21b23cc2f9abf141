import type { Scenario } from './harness/findings.ts';
import { ceph } from './scenarios/ceph.ts';
import { failOver } from './scenarios/fail-over.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { killPostgresUnderLoad } from './scenarios/kill-postgres.ts';
import { killServer } from './scenarios/kill-server.ts';
import { mailBroken } from './scenarios/mail.ts';
import { patroni } from './scenarios/patroni.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';
import { s3Broken } from './scenarios/storage-s3.ts';
import { storm } from './scenarios/storm.ts';
import { terminateUnderLoad } from './scenarios/terminate.ts';
import { wholeDisk } from './scenarios/whole-disk.ts';

/** In the order of the table. */
export const scenarios: Scenario[] = [
  killServer,
  killPostgresUnderLoad,
  terminateUnderLoad,
  fullDisk,
  wholeDisk,
  s3Broken,
  mailBroken,
  storm,
  rollingRestart,
  failOver,
  patroni,
  ceph,
];

/** What `--only` asks for, or else all; a short run leaves out those that need more packages. */
export function chooseScenarios({
  only,
  isShort,
}: {
  only: string | undefined;
  isShort: boolean;
}): Scenario[] {
  if (only !== undefined) return scenarios.filter(({ name }) => name.includes(only));
  return scenarios.filter(({ ownParts }) => !(isShort && ownParts));
}
