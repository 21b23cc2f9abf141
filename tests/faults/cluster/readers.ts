import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Readers = {
  /** How often each status came; 'none' for a broken connection. */
  counts: Map<string, number>;
  stop(): Promise<void>;
};

function statusOf(url: string, token: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(String(response.statusCode)));
      response.once('error', () => resolve('cut off'));
    });
    sent.once('error', () => resolve('none'));
    sent.end();
  });
}

/** Clients that read customers, some with keep-alive and some with a new connection for every request. */
export function startReaders(url: string, token: string, paths: string[]): Readers {
  const counts = new Map<string, number>();
  const pooled = new Agent({ keepAlive: true });
  let isStopped = false;

  async function keepReading(agent: Agent | false, pauseMs: number): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const path = paths[turn % paths.length] ?? '/';
      const status = await statusOf(new URL(path, url).href, token, agent);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await delay(pauseMs);
    }
  }
  // Pauses of all lengths: idle connections in the proxy are what breaks when a server stops.
  const pauses = [5, 20, 100, 500, 1_500, 4_000];
  const work = [pooled, false as const].flatMap((agent) => pauses.map((pause) => keepReading(agent, pause)));
  return {
    counts,
    async stop() {
      isStopped = true;
      await Promise.all(work);
      pooled.destroy();
    },
  };
}
