import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPostgres, postgres } from '@customer-database/testkit/debian-postgres';
import { query } from '@customer-database/testkit/embedded';
import { haproxy, haproxyProgram } from '@customer-database/testkit/haproxy';
import { startPlainPostgres } from '@customer-database/testkit/plain-postgres';
import { type Swift, startSwift } from '@customer-database/testkit/swift';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { settings } from '../../src/core/settings.ts';
import { createPool } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createS3Storage } from '../../src/storage/s3.ts';

const run = promisify(execFile);
const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(name), 'utf8');

type Service = {
  env_file: string;
  environment: Record<string, string | number>;
  command: string[];
  networks: { default: { ipv4_address: string } };
  stop_grace_period: string;
};

const own = {
  PUBLIC_URL: 'https://customers.example.com',
  SECRET_KEY: randomBytes(32).toString('hex'),
  POSTGRES_PASSWORD: randomBytes(32).toString('hex'),
  S3_ACCESS_KEY_ID: randomBytes(32).toString('hex'),
  S3_SECRET_ACCESS_KEY: randomBytes(32).toString('hex'),
};

/** Interpolates like compose: ${NAME:?text} must be set, ${NAME:-} may be. */
function composed(env: Record<string, string>) {
  const texts = JSON.stringify(parse(read('compose.yaml')));
  const filled = texts.replace(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (_all, name: string, kind = '', rest = '') => {
      const value = env[name] ?? '';
      if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
      return value || (kind === '-' ? rest : '');
    },
  );
  return JSON.parse(filled);
}

const servicesWith = (env: Record<string, string>): Record<string, Service> => composed(env).services;

describe('compose.yaml', () => {
  it.each(Object.keys(own))('says what to do when %s is missing', (name) => {
    expect(() => servicesWith({ ...own, [name]: '' })).toThrow(`${name}: put `);
  });

  it('contains no secret: its defaults are empty or not secret', () => {
    const defaults = [...read('compose.yaml').matchAll(/\$\{\w+:-([^}]*)\}/g)].map(([, value]) => value);
    expect(new Set(defaults)).toEqual(new Set(['']));
  });

  it('gives both servers the same settings, which exist and are valid', () => {
    const services = servicesWith(own);
    const env = services['server-one']?.environment ?? {};
    expect(services['server-two']?.environment).toEqual(env);
    expect(Object.keys(settings.shape)).toEqual(expect.arrayContaining(Object.keys(env)));
    const texts = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
    const config = readConfig(texts);
    expect(config.databaseUrl).toBe(
      `postgres://customer_database:${own.POSTGRES_PASSWORD}@postgres:5432/customer_database`,
    );
    expect(config.s3).toMatchObject({ endpoint: 'http://s3:8333', forcePathStyle: true });
    expect(services.bucket?.command.slice(-2)).toEqual([config.s3?.endpoint, config.s3?.bucket]);
    expect(config.trustProxy).toEqual([services.proxy?.networks.default.ipv4_address]);
    // A shutdown takes at most fifteen seconds.
    expect(services['server-one']?.stop_grace_period).toBe('20s');
  });

  it('passes on every setting of .env, and no folder outside of the container', () => {
    const server = servicesWith(own)['server-one'];
    expect(server?.env_file).toBe('.env');
    expect(server?.environment.DATA_DIR).toBe('/data');
  });

  it('gives the store its credentials', () => {
    const { configs } = composed(own);
    const [identity] = JSON.parse(configs['s3-identities'].content).identities;
    const credentials = [{ accessKey: own.S3_ACCESS_KEY_ID, secretKey: own.S3_SECRET_ACCESS_KEY }];
    expect(identity.credentials).toEqual(credentials);
  });
});

describe.skipIf(!postgres.isInstalled())('deploy/database-role.sh', () => {
  it('creates a role that owns its database and is no superuser, and leaves no other login', async () => {
    const { identity, port } = await startPlainPostgres();
    const superuser = `postgres://postgres:${identity.superuserPassword}@127.0.0.1:${port}/postgres`;
    // The embedded database has a role of the same name.
    for (const what of ['database', 'role']) await query(superuser, `drop ${what} customer_database`);
    const services = servicesWith(own);
    const env = {
      PATH: `${findPostgres()}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGPASSWORD: identity.superuserPassword,
      ...services.postgres?.environment,
    } as NodeJS.ProcessEnv;
    await run(pathOf('deploy/database-role.sh'), { env });

    const url = new URL(String(services['server-one']?.environment.DATABASE_URL));
    url.host = `127.0.0.1:${port}`;
    const pool = createPool(url.href, 3, createLog('silent'));
    expect(await migrate(pool)).not.toEqual([]);
    await pool.end();
    const rights = 'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = user';
    expect(await query(url.href, rights)).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false },
    ]);
    await expect(query(superuser, 'select 1')).rejects.toThrow('password authentication failed');
  });
});

describe.skipIf(!haproxy.isInstalled())('The configurations of HAProxy', () => {
  it.each([
    ['haproxy.cfg', { SERVER_ONE: '127.0.0.1:3001', SERVER_TWO: '127.0.0.1:3002' }],
    [
      'haproxy-postgresql.cfg',
      {
        POSTGRES_ONE: '10.0.0.1:5432',
        POSTGRES_TWO: '10.0.0.2:5432',
        PATRONI_ONE: '8008',
        PATRONI_TWO: '8008',
      },
    ],
  ])('%s is valid', async (file, addresses) => {
    const env = { LISTEN: '127.0.0.1:8080', FIGURES: '127.0.0.1:8404', ...addresses };
    const { stdout } = await run(haproxyProgram, ['-c', '-f', pathOf(`deploy/${file}`)], { env });
    expect(stdout).toContain('Configuration file is valid');
    const named = [...read(`deploy/${file}`).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(env)));
  });

  it('get every variable of haproxy.cfg from compose.yaml', () => {
    const named = [...read('deploy/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    const { proxy } = servicesWith(own);
    expect(new Set(Object.keys(proxy?.environment ?? {}))).toEqual(new Set(named));
  });
});

describe.skipIf(inject('swiftLeftOut'))('deploy/make-bucket.ts', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
    return swift.stop;
  }, 90_000);

  it('creates the bucket, and leaves an existing one alone', async () => {
    const { endpoint, accessKeyId, secretAccessKey } = swift;
    const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    const makeBucket = () =>
      run(process.execPath, [pathOf('deploy/make-bucket.ts'), endpoint, 'new-bucket'], { env });
    await makeBucket();
    const access = { endpoint, region: 'us-east-1', forcePathStyle: true, accessKeyId, secretAccessKey };
    const storage = createS3Storage({ ...access, bucket: 'new-bucket' });
    afterAll(() => storage.close());
    await storage.checkHealth();
    await makeBucket();
    await storage.checkHealth();
  });
});
