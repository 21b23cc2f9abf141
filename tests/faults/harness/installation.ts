import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIdentity } from '@customer-database/embedded-postgres/identity';
import { type Client, createClient } from '@customer-database/testkit/client';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { createServer, type Server } from '@customer-database/testkit/killable-server';
import { createFolderStorage } from '../../../server/src/storage/folder.ts';
import type { ObjectStorage } from '../../../server/src/storage/port.ts';
import { killPostgresNow } from './postgres.ts';

export const adminAccount = { email: 'admin@example.com', password: 'correct horse battery 1935' };

/** A data folder with a running server and a signed-in administrator. */
export type Installation = {
  folder: string;
  server: Server;
  admin: Client;
  /** Direct access to the documents, bypassing the server. */
  storage: ObjectStorage;
  close(): Promise<void>;
};

export type InstallationOptions = {
  env?: Record<string, string>;
  storage?: ObjectStorage;
  /** Called with the data folder before the first start. */
  prepare?: (folder: string) => Promise<void>;
};

export async function signIn(url: string, more: Record<string, string> = {}): Promise<string> {
  const { status, body } = await createClient(url).post('/api/auth/login', adminAccount, more);
  if (status !== 200) throw new Error(`Sign-in failed with ${status}: ${JSON.stringify(body)}`);
  return body.token;
}

/** An empty folder for a server or its database. */
export async function makeDataFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // PostgreSQL does not run as root, and its own user needs access.
  await chmod(folder, 0o755);
  return folder;
}

export async function openInstallation(
  parent: string,
  name: string,
  options: InstallationOptions = {},
): Promise<Installation> {
  const folder = await makeDataFolder(join(parent, name));
  await options.prepare?.(folder);
  const { email, password } = adminAccount;
  const env = {
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    TRUST_PROXY: '127.0.0.1',
    ...options.env,
  };
  const server = await createServer({ folder, env });
  await server.start();
  const location = (await readIdentity(folder))?.location ?? '';
  const cancelCleanup = cleanUpAtExit(() => killPostgresNow(location));
  const token = await signIn(server.url);
  return {
    folder,
    server,
    admin: createClient(server.url, token),
    storage: options.storage ?? (await createFolderStorage(join(folder, 'objects'))),
    async close() {
      // A new server takes over what a killed one left running, and then shuts all of it down.
      if (server.hasExited()) await server.start();
      await server.terminate();
      cancelCleanup();
      // Where PostgreSQL's user has no access to the folder, the database is elsewhere.
      await rm(location, { recursive: true, force: true });
    },
  };
}
