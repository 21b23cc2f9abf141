import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Readers = {
  /** How often each answer came; 'none' for a connection that broke. */
  counts: Map<string, number>;
  stop(): Promise<void>;
};

function statusOf(url: string, token: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = request(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(String(response.statusCode)));
      response.once('error', () => resolve('cut off'));
    });
    asked.once('error', () => resolve('none'));
    asked.end();
  });
}

/** People who look at customers: some on connections that they keep, some on a new one for every request. */
export function startReaders(url: string, token: string, paths: string[]): Readers {
  const counts = new Map<string, number>();
  const kept = new Agent({ keepAlive: true });
  let isOver = false;

  async function keepReading(agent: Agent | false, pauseMs: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const path = paths[turn % paths.length] ?? '/';
      const status = await statusOf(new URL(path, url).href, token, agent);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await delay(pauseMs);
    }
  }
  // Pauses of all lengths: what rests in the proxy is what breaks when a server goes away.
  const pauses = [5, 20, 100, 500, 1_500, 4_000];
  const work = [kept, false as const].flatMap((agent) => pauses.map((pause) => keepReading(agent, pause)));
  return {
    counts,
    async stop() {
      isOver = true;
      await Promise.all(work);
      kept.destroy();
    },
  };
}
