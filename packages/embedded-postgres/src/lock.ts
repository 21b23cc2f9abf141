import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { SUPERUSER } from './cluster.ts';
import { errorText } from './errors.ts';
import type { Identity } from './identity.ts';
import type { EmbeddedLog } from './log.ts';
import { OWNER_SETTING } from './settings.ts';

/** A lock inside PostgreSQL ends with the connection, so it can neither be forgotten nor outlive its holder. */
const LOCK = '1668641890, 1';

/** Superuser connections have slots of their own, so a busy application cannot keep this one out. */
export async function connectAsSuperuser(identity: Identity, port: number): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password: identity.superuserPassword,
    database: 'postgres',
    application_name: 'customer-database supervisor',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // A lost connection also fires 'end', which is where it is dealt with.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '28P01';
}

/** Someone else has the lock and keeps it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

export async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK}) as locked`);
  return rows[0]?.locked === true;
}

export async function unlock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${LOCK})`);
}

/** Looks without taking it: a command-line tool must never be the one who holds the folder by accident. */
export async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (
       select from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where datname = current_database() and locktype = 'advisory' and granted
         and (classid, objid) = (${LOCK}) and objsubid = 2
     ) as locked`,
  );
  return rows[0]?.locked === true;
}

/** The process that started this PostgreSQL. */
export async function ownerProcess(client: Client): Promise<number> {
  const { rows } = await client.query('select current_setting($1, true) as owner', [OWNER_SETTING]);
  return Number(rows[0]?.owner);
}

export type HeldLock = { release(): void };

/** Takes the lock, and takes it again whenever the connection is lost while PostgreSQL goes on. */
export async function holdLock(identity: Identity, port: number, log: EmbeddedLog): Promise<HeldLock> {
  let released = false;
  let client = await take(identity, port);

  const takeAgain = async () => {
    while (!released) {
      try {
        const next = await take(identity, port);
        client = next;
        if (released) void next.end();
        else next.once('end', () => void takeAgain());
        return;
      } catch (error) {
        log.warn({ reason: errorText(error) }, 'The lock on the data folder was lost and is taken again');
        await sleep(300, undefined, { ref: false });
      }
    }
  };
  client.once('end', () => void takeAgain());

  return {
    release() {
      released = true;
      client.end().catch(() => undefined);
    },
  };
}

async function take(identity: Identity, port: number): Promise<Client> {
  const client = await connectAsSuperuser(identity, port);
  try {
    await client.query("set lock_timeout = '5s'");
    await client.query(`select pg_advisory_lock(${LOCK})`);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
