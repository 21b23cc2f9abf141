// Drives a server from its own process, so that neither disturbs the other's timing.
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import autocannon from 'autocannon';
import type { Request } from './cases.ts';

export type Load = {
  url: string;
  requests: Request[];
  connections: number;
  expectedStatus: number;
  /** How long, or how many requests. */
  effort: { seconds: number } | { amount: number };
  /** Limits the rate; otherwise as fast as possible. */
  perSecond?: number;
  /** For large bodies, which autocannon collects as text; that is slower than serving them. */
  isBulky: boolean;
};

export type Drive = { perSecond: number; p50: number; p99: number; answers: number; failures: number };

type Tally = { times: number[]; failures: number };

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function driveWithAutocannon(load: Load, tally: Tally): Promise<void> {
  const { url, requests, connections, expectedStatus, effort, perSecond } = load;
  let next = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      connections,
      timeout: 60,
      ...('seconds' in effort ? { duration: effort.seconds } : { amount: effort.amount }),
      ...(perSecond === undefined ? {} : { overallRate: perSecond }),
      // Each connection starts at another request.
      setupClient: (client) => {
        const rotated = requests.slice(next).concat(requests.slice(0, next));
        client.setRequests(rotated as Parameters<typeof client.setRequests>[0]);
        next = (next + Math.ceil(requests.length / connections)) % requests.length;
      },
    };
    const instance = autocannon(options, (error, finished) => (error ? reject(error) : resolve(finished)));
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      if (status === expectedStatus) tally.times.push(milliseconds);
      else tally.failures += 1;
    });
  });
  tally.failures += result.errors + result.timeouts;
}

async function driveBulky(load: Load, tally: Tally): Promise<void> {
  const { url, connections, expectedStatus, effort } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const requests = load.requests.map(({ body, ...rest }) => ({ ...rest, body: body && Buffer.from(body) }));
  const deadline = 'seconds' in effort ? performance.now() + effort.seconds * 1000 : Number.POSITIVE_INFINITY;
  let left = 'amount' in effort ? effort.amount : Number.POSITIVE_INFINITY;
  let next = 0;
  async function worker(): Promise<void> {
    while (performance.now() < deadline && left > 0) {
      left -= 1;
      const chosen = requests[next % requests.length];
      next += 1;
      if (!chosen) return;
      const began = performance.now();
      const { method, headers, path, body } = chosen;
      const sent = httpRequest(url + path, {
        agent,
        method,
        headers: { ...headers, 'content-length': body ? body.length : 0 },
      });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode === expectedStatus) tally.times.push(performance.now() - began);
      else tally.failures += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
}

async function drive(load: Load): Promise<Drive> {
  const tally: Tally = { times: [], failures: 0 };
  const began = performance.now();
  await (load.isBulky ? driveBulky : driveWithAutocannon)(load, tally);
  const seconds = (performance.now() - began) / 1000;
  const times = tally.times.sort((left, right) => left - right);
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    answers: times.length,
    failures: tally.failures,
  };
}

process.on('message', async ({ id, load }: { id: number; load: Load }) => {
  try {
    process.send?.({ id, result: await drive(load) });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
process.once('disconnect', () => process.exit(0));
