import type { Case } from './cases.ts';
import type { Drive } from './load.ts';
import type { Driver, Rivals } from './processes.ts';

export type Figures = { perSecond: number; p50: number; p99: number };

/** One case, measured on server and baseline in turn, so that both see the same machine. */
export type Measured = Pick<Case, 'name' | 'kind' | 'mayGrow'> & {
  server: Figures;
  baseline: Figures;
  /** Of the requests per second: the median of the rounds. */
  ratio: number;
  atLeast: number;
  /** The server's megabytes after the case. */
  memory: number;
  bytes: number | undefined;
};

const median = (values: number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

function medianOf(drives: Drive[]): Figures {
  return {
    perSecond: median(drives.map((drive) => drive.perSecond)),
    p50: median(drives.map((drive) => drive.p50)),
    p99: median(drives.map((drive) => drive.p99)),
  };
}

/** For so long, or every request so many times. */
type Round = { seconds: number } | { times: number };
export type Effort = Round & { rounds: number };

/** To see whether it works. */
export const once: Effort = { times: 1, rounds: 1 };

async function driveOnce(
  driver: Driver,
  url: string,
  { name, kind, requests, connections, expectedStatus }: Case,
  round: Round,
): Promise<Drive> {
  const isTimed = 'seconds' in round;
  const effort = isTimed ? round : { amount: Math.max(connections, requests.length * round.times) };
  // A few requests finish long before autocannon's first second.
  const isBulky = kind === 'upload' || kind === 'download' || !isTimed;
  const load = { url, requests, connections, expectedStatus, effort, isBulky };
  const timed = await driver.drive(load);
  // When no request was answered in time, wait for a single one.
  const isTooSlow = timed.answers === 0 && timed.failures === 0;
  const drive = isTooSlow
    ? await driver.drive({ ...load, connections: 1, effort: { amount: 1 }, isBulky: true })
    : timed;
  if (drive.failures > 0 || drive.answers === 0) {
    throw new Error(
      `${name}: ${drive.failures} of ${drive.answers + drive.failures} requests to ${url} failed`,
    );
  }
  return drive;
}

/** Warms up first. */
async function driveRounds(
  driver: Driver,
  urls: string[],
  benchCase: Case,
  effort: Effort,
): Promise<Drive[][]> {
  const { rounds, ...round } = effort;
  const warming = 'seconds' in round ? { seconds: 1 } : { times: 1 };
  if (rounds > 1) for (const url of urls) await driveOnce(driver, url, benchCase, warming);
  const drives: Drive[][] = urls.map(() => []);
  for (let done = 0; done < rounds; done += 1) {
    for (const [index, url] of urls.entries()) {
      drives[index]?.push(await driveOnce(driver, url, benchCase, round));
    }
  }
  return drives;
}

/** V8 still compiles a program that has just started, the server for ten seconds. */
export async function warmUp(driver: Driver, { server, baseline }: Rivals, [first]: Case[]): Promise<void> {
  if (first) for (const { url } of [server, baseline]) await driveOnce(driver, url, first, { seconds: 15 });
}

/** Measures a missed bound again, because other programs may have kept the machine busy. */
export async function measureCase(
  driver: Driver,
  rivals: Rivals,
  benchCase: Case,
  effort: Effort,
): Promise<Measured> {
  const first = await measureOnce(driver, rivals, benchCase, effort);
  if (effort.rounds === 1 || first.ratio >= first.atLeast) return first;
  const second = await measureOnce(driver, rivals, benchCase, effort);
  return second.ratio > first.ratio ? second : first;
}

async function measureOnce(
  driver: Driver,
  { server, baseline }: Rivals,
  benchCase: Case,
  effort: Effort,
): Promise<Measured> {
  const [onServer = [], onBaseline = []] = await driveRounds(
    driver,
    [server.url, baseline.url],
    benchCase,
    effort,
  );
  const ratios = onServer.map(
    (drive, round) => drive.perSecond / (onBaseline[round]?.perSecond ?? Number.NaN),
  );
  return {
    name: benchCase.name,
    kind: benchCase.kind,
    mayGrow: benchCase.mayGrow,
    atLeast: benchCase.ratio,
    server: medianOf(onServer),
    baseline: medianOf(onBaseline),
    ratio: median(ratios),
    memory: await server.megabytes('VmRSS'),
    bytes: benchCase.bytes,
  };
}

export async function measureServer(
  driver: Driver,
  { server }: Pick<Rivals, 'server'>,
  benchCase: Case,
  effort: Effort,
): Promise<Figures> {
  const [drives = []] = await driveRounds(driver, [server.url], benchCase, effort);
  return medianOf(drives);
}
