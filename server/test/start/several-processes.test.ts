import { readFile } from 'node:fs/promises';
import { createClient } from '@customer-database/testkit/client';
import { customerFields } from '@customer-database/testkit/factories';
import { copyDataFolder, type RunningProcess, startRunning } from '@customer-database/testkit/server-process';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const admin = { email: 'first@example.com', password: 'a password of some length' };

let server: RunningProcess;

beforeAll(async () => {
  server = await startRunning({
    DATA_DIR: await copyDataFolder(),
    SERVER_PROCESSES: '2',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
}, 120_000);

async function workerPids(): Promise<number[]> {
  const { pid } = server.child;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.trim().split(' ').map(Number);
  const commands = await Promise.all(pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8')));
  return pids.filter((_, index) => commands[index]?.includes('main.ts'));
}

/** Each on a new connection: the processes take them in turns. */
const call = (path: string, token: string, init: RequestInit = {}) =>
  fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, connection: 'close', 'content-type': 'application/json' },
  });

async function signIn(): Promise<string> {
  return (await createClient(server.url).post('/api/auth/login', admin)).body.token;
}

async function requestsSoFar(path: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = new RegExp(
    `^customer_database_http_request_duration_seconds_count\\{.*route="${path}".*\\} (\\d+)`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? 0);
}

describe('A server of several processes', () => {
  it('ends a session in all of them at once', async () => {
    const token = await signIn();
    const statuses = async () =>
      new Set(
        await Promise.all(
          Array.from({ length: 8 }, async () => (await call('/api/auth/verify', token)).status),
        ),
      );
    expect(await statuses()).toEqual(new Set([200]));
    await createClient(server.url, token).post('/api/auth/logout');
    expect(await statuses()).toEqual(new Set([401]));
  });

  it('adds up the metrics of all of them', async () => {
    const before = await requestsSoFar('/health/live');
    await Promise.all(Array.from({ length: 10 }, () => call('/health/live', '')));
    expect(await requestsSoFar('/health/live')).toBe(before + 10);
  });

  it('loses nothing that was acknowledged when one of them is killed, and replaces it', async () => {
    const token = await signIn();
    const acknowledged: number[] = [];
    const failures: unknown[] = [];
    const stopped = new AbortController();
    async function createCustomers(): Promise<void> {
      while (!stopped.signal.aborted) {
        try {
          const body = JSON.stringify(customerFields());
          const response = await call('/api/customers', token, { method: 'POST', body });
          if (response.status === 201)
            acknowledged.push(((await response.json()) as { customer: { id: number } }).customer.id);
          else failures.push(response.status);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    const load = Promise.all([createCustomers(), createCustomers(), createCustomers()]);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 30_000);
    const [victim = 0] = await workerPids();
    process.kill(victim, 'SIGKILL');
    const soFar = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(soFar + 20), 30_000);
    await vi.waitFor(async () => {
      const pids = await workerPids();
      expect(pids).toHaveLength(2);
      expect(pids).not.toContain(victim);
    }, 30_000);
    stopped.abort();
    await load;

    // Each of the three clients had at most one request at the process that was killed.
    expect(failures.length).toBeLessThanOrEqual(3);
    for (const id of acknowledged) expect((await call(`/api/customers/${id}`, token)).status).toBe(200);
    expect(server.output()).toContain('a process of the server died: replacing it');
  }, 120_000);

  it('stops all of them', async () => {
    const pids = await workerPids();
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });
});
