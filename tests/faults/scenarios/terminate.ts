import { setTimeout as delay } from 'node:timers/promises';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation, signIn } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { openLedger, startLoad } from '../harness/load.ts';
import { postgresPids } from '../harness/postgres.ts';
import { uploadSlowly } from '../harness/slow-upload.ts';
import { verify } from '../harness/verify.ts';

const maxSeconds = 15;

/** SIGTERM under load; sometimes during an upload that would take a minute. */
export const terminateUnderLoad: Scenario = {
  name: 'terminate',
  async run({ times, isShort, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'terminate');
    const { server } = installation;
    const ledger = await openLedger(installation);
    const [customer] = ledger.customers;
    const token = await signIn(server.url);
    const points = random('points');
    const loadRandom = random('load');
    const stops = times(16, 2);
    // A stop during a slow upload takes ten seconds.
    const slowEvery = isShort ? 2 : 4;
    const recoveries: number[] = [];
    const seen = { finished: 0, told: 0, cut: 0, slowest: 0, savedUnanswered: 0 };

    for (let stop = 1; stop <= stops; stop += 1) {
      const load = startLoad({ installation, ledger, random: loadRandom, findings });
      const hasSlow = stop % slowEvery === 0;
      const slow = hasSlow ? uploadSlowly(server.url, token, ledger, customer?.id ?? 0) : undefined;
      await delay(wholeNumber(100, 1_200, points));
      const before = load.answers.count(200) + load.answers.count(201);
      const ended = await server.terminate();
      await load.stop();
      const slowStatus = await slow;

      findings.expect(ended.code === 0, `it ended with code ${ended.code} (${ended.signal})`);
      findings.expect(ended.seconds < maxSeconds, `it took ${ended.seconds.toFixed(1)} s to end`);
      findings.expect((await postgresPids(installation.folder)) === undefined, 'PostgreSQL was left running');
      const refused = await fetch(`${server.url}/health`).catch(() => undefined);
      findings.expect(refused === undefined, 'somebody still answers');
      findings.expect(!hasSlow || slowStatus !== 201, 'an upload that was not sent was acknowledged');
      seen.finished += load.answers.count(200) + load.answers.count(201) - before;
      seen.told += load.answers.count(503);
      seen.cut += load.answers.count('none');
      seen.slowest = Math.max(seen.slowest, ended.seconds);

      recoveries.push(await server.start());
      const found = await verify(installation, ledger, findings, stop === stops ? 'all' : 'new');
      seen.savedUnanswered += found.savedUnanswered;
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
          `ended with code 0 after at most ${seen.slowest.toFixed(1)} s, PostgreSQL with it; ${seen.finished} requests were ` +
          `finished meanwhile, ${seen.told} told 503, ${seen.cut} found nobody`,
        findings,
      },
    ];
  },
};
