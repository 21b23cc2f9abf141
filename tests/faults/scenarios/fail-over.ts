import { postgres } from '@customer-database/testkit/debian-postgres';
import { runFailOvers } from '../cluster/fail-overs.ts';
import { openReplicated } from '../cluster/replicated.ts';
import { plural, type Scenario } from '../harness/findings.ts';
import { requireParts } from '../harness/parts.ts';

/** A standby is promoted at once, as an operator does by hand. */
export const failOver: Scenario = {
  name: 'fail-over',
  async run(context) {
    requireParts(postgres);
    const fault = await runFailOvers(context, {
      name: 'fail-over',
      rounds: context.times(4, 1),
      openDatabase: openReplicated,
      what: (frozen) =>
        `PostgreSQL's primary lost under load and its synchronous standby promoted (${plural(frozen, 'time')} frozen instead of killed)`,
    });
    return [fault];
  },
};
