import { setTimeout as delay } from 'node:timers/promises';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { postgresPids } from '../harness/postgres.ts';
import { verify } from '../harness/verify.ts';

const maxSeconds = 15;

/** SIGTERM under load. */
export const terminateUnderLoad: Scenario = {
  name: 'terminate',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'terminate');
    const { server } = installation;
    const ledger = await openLedger(installation);
    const points = random('points');
    const load = createLoad({ installation, ledger, random: random('load'), findings });
    const stops = times(16, 2);
    const recoveries: number[] = [];
    let finished = 0;
    let slowest = 0;

    for (let stop = 1; stop <= stops; stop += 1) {
      load.start();
      await delay(wholeNumber(100, 1_200, points));
      const before = load.answers.count(200) + load.answers.count(201);
      const ended = await server.terminate();
      await load.stop();

      findings.expect(ended.code === 0, `it ended with code ${ended.code} (${ended.signal})`);
      findings.expect(ended.seconds < maxSeconds, `it took ${ended.seconds.toFixed(1)} s to end`);
      findings.expect((await postgresPids(installation.folder)) === undefined, 'PostgreSQL was left running');
      const refused = await fetch(`${server.url}/health`).catch(() => undefined);
      findings.expect(refused === undefined, 'a server still answers');
      finished += load.answers.count(200) + load.answers.count(201) - before;
      slowest = Math.max(slowest, ended.seconds);

      recoveries.push(await server.start());
      await verify(installation, ledger, findings, stop === stops ? 'all' : 'new');
      progress(`stop ${stop} of ${stops} took ${ended.seconds.toFixed(1)} s: ${load.answers.text()}`);
    }
    await finishJobs(installation, findings);
    await verify(installation, ledger, findings, 'new');
    await installation.close();
    return [
      {
        what: 'SIGTERM under load',
        times: stops,
        checked: countsText(ledger),
        recoveries,
        seen:
          `ended with code 0 after at most ${slowest.toFixed(1)} s, PostgreSQL with it; ${finished} requests were finished ` +
          `meanwhile, ${load.answers.count(503)} got 503, ${load.answers.count('none')} got no connection`,
        findings,
      },
    ];
  },
};
