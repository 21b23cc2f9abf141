import type { Case } from './cases.ts';
import type { Installation } from './installation.ts';
import type { Drive } from './load.ts';
import type { Driver } from './processes.ts';

export type Figures = { perSecond: number; p50: number; p99: number };

/** One case, measured on the server and on the floor in turn, so that both see the same machine. */
export type Measured = Pick<Case, 'name' | 'kind' | 'mayGrow'> & {
  server: Figures;
  floor: Figures;
  /** Of the requests a second, in the middle one of the rounds. */
  ratio: number;
  atLeast: number;
  /** Of the server, in megabytes, after the case. */
  memory: number | undefined;
  bytes: number | undefined;
};

const middle = (values: number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

function middleOf(drives: Drive[]): Figures {
  return {
    perSecond: middle(drives.map((drive) => drive.perSecond)),
    p50: middle(drives.map((drive) => drive.p50)),
    p99: middle(drives.map((drive) => drive.p99)),
  };
}

/** So long in each of the rounds; or, to see that it works at all, each request of a case once. */
export type Effort = { seconds: number; rounds: number } | 'once';

async function driveOnce(
  driver: Driver,
  url: string,
  { name, kind, requests, connections, expectedStatus }: Case,
  seconds: number | undefined,
): Promise<Drive> {
  const effort = seconds === undefined ? { amount: Math.max(connections, requests.length) } : { seconds };
  // A few requests are over long before autocannon's first second is.
  const isBulky = kind === 'upload' || kind === 'download' || seconds === undefined;
  const load = { url, requests, connections, expectedStatus, effort, isBulky };
  const inTime = await driver.drive(load);
  // Where not one request is answered in so short a time, a single one is waited for.
  const isTooSlow = inTime.answers === 0 && inTime.failures === 0;
  const drive = isTooSlow
    ? await driver.drive({ ...load, connections: 1, effort: { amount: 1 }, isBulky: true })
    : inTime;
  if (drive.failures > 0 || drive.answers === 0) {
    throw new Error(
      `${name}: ${drive.failures} of ${drive.answers + drive.failures} requests to ${url} failed`,
    );
  }
  return drive;
}

/** The first second is for warming up. */
async function driveRounds(
  driver: Driver,
  urls: string[],
  benchCase: Case,
  effort: Effort,
): Promise<Drive[][]> {
  const rounds = effort === 'once' ? 1 : effort.rounds;
  const seconds = effort === 'once' ? undefined : effort.seconds;
  if (seconds) for (const url of urls) await driveOnce(driver, url, benchCase, 1);
  const drives: Drive[][] = urls.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, url] of urls.entries()) {
      drives[index]?.push(await driveOnce(driver, url, benchCase, seconds));
    }
  }
  return drives;
}

/** A program that has just started is still being compiled, the larger one for longer: the server for ten seconds. */
export async function warmUp(driver: Driver, { server, floor, cases }: Installation): Promise<void> {
  const [first] = cases;
  if (first) for (const { url } of [server, floor]) await driveOnce(driver, url, first, 15);
}

/** A miss counts only if it comes twice: others may have kept the machine busy. */
export async function measureCase(
  driver: Driver,
  installation: Installation,
  benchCase: Case,
  effort: Effort,
): Promise<Measured> {
  const first = await measureOnce(driver, installation, benchCase, effort);
  if (effort === 'once' || first.ratio >= first.atLeast) return first;
  const second = await measureOnce(driver, installation, benchCase, effort);
  return second.ratio > first.ratio ? second : first;
}

async function measureOnce(
  driver: Driver,
  { server, floor }: Installation,
  benchCase: Case,
  effort: Effort,
): Promise<Measured> {
  const [onServer = [], onFloor = []] = await driveRounds(driver, [server.url, floor.url], benchCase, effort);
  const ratios = onServer.map((drive, round) => drive.perSecond / (onFloor[round]?.perSecond ?? Number.NaN));
  return {
    name: benchCase.name,
    kind: benchCase.kind,
    mayGrow: benchCase.mayGrow,
    atLeast: benchCase.ratio,
    server: middleOf(onServer),
    floor: middleOf(onFloor),
    ratio: middle(ratios),
    memory: await server.memory(),
    bytes: benchCase.bytes,
  };
}

export async function measureServer(
  driver: Driver,
  { server }: Installation,
  benchCase: Case,
  effort: Effort,
): Promise<Figures> {
  const [drives = []] = await driveRounds(driver, [server.url], benchCase, effort);
  return middleOf(drives);
}
