import { setTimeout as delay } from 'node:timers/promises';
import { openCluster, serverNames } from '../cluster/installation.ts';
import { type Readers, startReaders } from '../cluster/readers.ts';
import { createFindings, type Fault, type Findings, type Scenario } from '../harness/findings.ts';
import { signIn } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, type Load, openLedger } from '../harness/load.ts';
import { verify } from '../harness/verify.ts';

// The shutdown delay, and then running requests.
const maxSeconds = 15;

function expectNoFailure(load: Load, readers: Readers, findings: Findings): void {
  for (const status of [429, 500, 502, 503, 504, 'none'] as const) {
    const count = load.answers.count(status);
    findings.expect(count === 0, `${count} requests of the load were answered ${status}`);
  }
  for (const [status, count] of readers.counts) {
    findings.expect(status === '200', `${count} readings were answered ${status}`);
  }
}

const readingsOf = (readers: Readers) => [...readers.counts.values()].reduce((sum, count) => sum + count, 0);

/** Restarts one server after the other under load, waiting until the proxy considers each up again. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const cluster = await openCluster(folder, 'rolling-restart');
    const { installation, servers, proxy } = cluster;
    const ledger = await openLedger(installation);
    const { url } = installation.server;
    const token = await signIn(url);
    const [first] = ledger.customers;
    const paths = [
      '/api/customers',
      `/api/customers/${first?.id}`,
      '/api/documents',
      '/api/dashboard',
      '/login',
    ];
    const rounds = times(3, 1);
    const recoveries: number[] = [];
    const load = createLoad({ installation, ledger, random: random('load'), findings });
    let readings = 0;
    let slowest = 0;

    for (let round = 1; round <= rounds; round += 1) {
      load.start();
      const readers = startReaders(url, token, paths);
      await delay(1_000);
      for (const [index, server] of servers.entries()) {
        const ended = await server.terminate();
        findings.expect(ended.code === 0, `a server ended with code ${ended.code} (${ended.signal})`);
        findings.expect(ended.seconds < maxSeconds, `a server took ${ended.seconds.toFixed(1)} s to end`);
        slowest = Math.max(slowest, ended.seconds);
        recoveries.push(await server.start());
        await proxy.untilUp(`ready/${serverNames[index]}`);
        await delay(500);
      }
      await load.stop();
      await readers.stop();
      expectNoFailure(load, readers, findings);
      readings += readingsOf(readers);
      await verify(installation, ledger, findings, round === rounds ? 'all' : 'new');
      progress(`round ${round} of ${rounds}: ${load.answers.text()}, ${readingsOf(readers)} readings`);
    }
    await finishJobs(installation, findings);
    await verify(installation, ledger, findings, 'new');
    await cluster.close();
    return [
      {
        what: 'two servers behind HAProxy restarted one after the other under load',
        times: rounds * servers.length,
        checked: countsText(ledger),
        recoveries,
        seen: `no request failed, of these and ${readings} readings on kept and on new connections; a stop took at most ${slowest.toFixed(1)} s`,
        findings,
      },
    ];
  },
};
