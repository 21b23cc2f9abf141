import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Server } from '@customer-database/testkit/killable-server';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { watchMemory } from '../memory.ts';
import type { Colleague } from '../people.ts';

export type Export = { name: string; seconds: number; megabytes: number; memory: number | undefined };

/** Counts what comes. */
async function drain(name: string, source: NodeJS.ReadableStream | ReadableStream): Promise<Export> {
  let bytes = 0;
  const began = performance.now();
  const count = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(source as NodeJS.ReadableStream, count);
  const seconds = (performance.now() - began) / 1000;
  return { name, seconds, megabytes: bytes / 1e6, memory: undefined };
}

async function exportAs(format: 'csv' | 'jsonl', server: Server, { token }: Colleague): Promise<Export> {
  const memory = watchMemory(server.pid());
  const response = await fetch(`${server.url}/api/activity/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}`);
  const drained = await drain(`export as ${format === 'csv' ? 'CSV' : 'JSON lines'}`, response.body);
  memory.stop();
  return { ...drained, memory: memory.peaks.server };
}

/** The whole log by the server, and by a plain COPY. */
export async function measureExports(server: Server, pool: pg.Pool, reader: Colleague): Promise<Export[]> {
  const exports = [await exportAs('csv', server, reader), await exportAs('jsonl', server, reader)];
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  const copy = client.query(
    copyTo(
      `copy (select id, at, action, actor_id, actor_label, subject_type, subject_id, subject_label, customer_id, address,
         request_id, detail, changes from activity order by at desc, id desc) to stdout (format csv)`,
    ),
  );
  exports.push(await drain('plain COPY as CSV', copy));
  client.release(true);
  return exports;
}
