import { setTimeout as delay } from 'node:timers/promises';
import type { Case, Request } from './cases.ts';
import type { Installation } from './installation.ts';
import { type Driver, startDriver } from './processes.ts';

/** How others fare while something heavy goes on. */
export type Storm = {
  name: string;
  idleP99: number;
  stormP99: number;
  /** The most that the server held meanwhile, in megabytes. */
  peakMemory: number | undefined;
  heavyPerSecond: number;
};

const readersPerSecond = 100;

function calmReads(cases: Case[]): Request[] {
  const names = ['customer by id', 'customers, first page', 'customer search: selective name'];
  return cases.filter(({ name }) => names.includes(name)).flatMap(({ requests }) => requests.slice(0, 10));
}

async function watchMemory(installation: Installation, until: AbortSignal): Promise<number | undefined> {
  let most: number | undefined;
  while (!until.aborted) {
    const now = await installation.server.memory();
    if (now !== undefined) most = Math.max(most ?? 0, now);
    await delay(50);
  }
  return most;
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
  const readFor = (time: number) =>
    readers.drive({ ...reads, effort: { seconds: time }, perSecond: readersPerSecond });
  await readFor(1);
  const idle = await readFor(seconds);

  const workers = startDriver();
  const over = new AbortController();
  const { requests, expectedStatus, kind } = heavy;
  const isBulky = kind === 'upload';
  const working = workers.drive({
    url: server.url,
    requests,
    expectedStatus,
    connections,
    effort: { seconds: seconds + 2 },
    isBulky,
  });
  const watching = watchMemory(installation, over.signal);
  await delay(1_000);
  const during = await readFor(seconds);
  const heavyDrive = await working;
  over.abort();
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
    peakMemory: await watching,
    heavyPerSecond: heavyDrive.perSecond,
  };
}

const harm = ({ idleP99, stormP99 }: Storm) => stormP99 / idleP99;

/** The middle one of some rounds, with the most memory of all: in one round p99 is a matter of eight reads. */
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
  const middle = storms.toSorted((one, other) => harm(one) - harm(other))[Math.floor(rounds / 2)];
  if (!middle) throw new Error('A storm takes at least one round');
  const memory = storms.flatMap(({ peakMemory }) => peakMemory ?? []);
  return { ...middle, peakMemory: memory.length > 0 ? Math.max(...memory) : undefined };
}
