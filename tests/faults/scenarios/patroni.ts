import { postgres } from '@customer-database/testkit/debian-postgres';
import { runFailOvers } from '../cluster/fail-overs.ts';
import { openPatroni } from '../cluster/patroni.ts';
import { plural, type Scenario } from '../harness/findings.ts';
import { patroniParts, requireParts } from '../harness/parts.ts';

/**
 * A machine with the primary, its Patroni and its etcd is lost; Patroni promotes the standby by itself. A frozen
 * machine wakes up after that, believing that it is still the primary.
 */
export const patroni: Scenario = {
  name: 'patroni',
  ownParts: patroniParts,
  async run(context) {
    requireParts(postgres);
    const fault = await runFailOvers(context, {
      name: 'patroni',
      rounds: context.times(4, 1),
      openDatabase: openPatroni,
      what: (frozen) =>
        `the machine of PostgreSQL's primary lost under load, with Patroni and etcd on it (${plural(frozen, 'time')} frozen and woken up instead of killed)`,
    });
    return [fault];
  },
};
