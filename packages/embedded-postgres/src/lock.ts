import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { superuser } from './cluster.ts';
import { errorText } from './errors.ts';
import type { Identity } from './identity.ts';
import type { EmbeddedLog } from './log.ts';
import { ownerSetting } from './settings.ts';

/** The holder of this advisory lock owns the data folder. The lock ends with its connection, so with the server. */
const lockKey = '1668641890, 1';

/** Superusers have reserved connections, so a busy application cannot block this one. */
export async function connectAsSuperuser(identity: Identity, port: number): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password: identity.superuserPassword,
    database: 'postgres',
    application_name: 'customer-database supervisor',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // A lost connection also emits 'end'.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '28P01';
}

/** Another process has held the lock for the whole `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

export async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${lockKey}) as locked`);
  return rows[0]?.locked === true;
}

export async function unlock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lockKey})`);
}

/** Does not take the lock, unlike `tryLock`: a command-line tool must never own the data folder. */
export async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (
       select from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where datname = current_database() and locktype = 'advisory' and granted
         and (classid, objid) = (${lockKey}) and objsubid = 2
     ) as locked`,
  );
  return rows[0]?.locked === true;
}

/** The server that started this PostgreSQL. */
export async function startedByPid(client: Client): Promise<number> {
  const { rows } = await client.query('select current_setting($1, true) as owner', [ownerSetting]);
  return Number(rows[0]?.owner);
}

export type HeldLock = { release(): void };

/** Takes the lock, and takes it again whenever the connection is lost while PostgreSQL keeps running. */
export async function holdLock(identity: Identity, port: number, log: EmbeddedLog): Promise<HeldLock> {
  let isReleased = false;
  let client = await takeLock(identity, port);
  client.once('end', () => void retakeLock());

  async function retakeLock(): Promise<void> {
    while (!isReleased) {
      try {
        client = await takeLock(identity, port);
        if (isReleased) release();
        else client.once('end', () => void retakeLock());
        return;
      } catch (error) {
        log.warn(
          { reason: errorText(error) },
          'The lock on the data folder was lost and cannot be taken again yet',
        );
        await sleep(300, undefined, { ref: false });
      }
    }
  }

  function release(): void {
    isReleased = true;
    client.end().catch(() => undefined);
  }

  return { release };
}

async function takeLock(identity: Identity, port: number): Promise<Client> {
  const client = await connectAsSuperuser(identity, port);
  try {
    await client.query("set lock_timeout = '5s'");
    await client.query(`select pg_advisory_lock(${lockKey})`);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
