import { setTimeout as delay } from 'node:timers/promises';
import type { Case, Request } from './cases.ts';
import type { Installation } from './installation.ts';
import { watchMemory } from './memory.ts';
import { type Driver, startDriver } from './processes.ts';

/** How reads fare under heavy load. */
export type Storm = {
  name: string;
  idleP99: number;
  stormP99: number;
  /** The server's peak memory meanwhile, in megabytes. */
  peakMemory: number;
  heavyPerSecond: number;
};

const readersPerSecond = 100;

function calmReads(cases: Case[]): Request[] {
  const names = ['customer by id', 'customers, first page', 'customer search: selective name'];
  return cases.filter(({ name }) => names.includes(name)).flatMap(({ requests }) => requests.slice(0, 10));
}

async function stormOnce(
  readers: Driver,
  installation: Installation,
  heavy: Case,
  connections: number,
  seconds: number,
): Promise<Storm> {
  const { server, cases } = installation;
  const reads = {
    url: server.url,
    requests: calmReads(cases),
    connections: 8,
    expectedStatus: 200,
    isBulky: false,
  };
  const readDuring = (time: number) =>
    readers.drive({ ...reads, effort: { seconds: time }, perSecond: readersPerSecond });
  await readDuring(1);
  const idle = await readDuring(seconds);

  const workers = startDriver();
  const { requests, expectedStatus, kind } = heavy;
  const working = workers.drive({
    url: server.url,
    requests,
    expectedStatus,
    connections,
    effort: { seconds: seconds + 2 },
    isBulky: kind === 'upload',
  });
  const memory = watchMemory(server.pid());
  await delay(1_000);
  const during = await readDuring(seconds);
  const heavyDrive = await working;
  memory.stop();
  workers.stop();
  if (during.failures + idle.failures + heavyDrive.failures > 0) {
    throw new Error(
      `${heavy.name}: ${during.failures} reads and ${heavyDrive.failures} of the heavy ones failed`,
    );
  }
  return {
    name: `${connections} × ${heavy.name} at once`,
    idleP99: idle.p99,
    stormP99: during.p99,
    peakMemory: memory.peaks.server,
    heavyPerSecond: heavyDrive.perSecond,
  };
}

const harm = ({ idleP99, stormP99 }: Storm) => stormP99 / idleP99;

/** The median of some rounds, with the peak memory of all: in one round eight reads decide p99. */
export async function measureStorm(
  readers: Driver,
  installation: Installation,
  heavy: Case,
  connections: number,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Storm> {
  const storms: Storm[] = [];
  for (let round = 0; round < rounds; round += 1)
    storms.push(await stormOnce(readers, installation, heavy, connections, seconds));
  const median = storms.toSorted((one, other) => harm(one) - harm(other))[Math.floor(rounds / 2)];
  if (!median) throw new Error('A storm takes at least one round');
  return { ...median, peakMemory: Math.max(...storms.map(({ peakMemory }) => peakMemory)) };
}
