import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { ConfigError } from '../../src/core/config-rules.ts';
import { settings } from './settings.ts';

function refusalOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('settings', () => {
  it('are all tested here, and all explained in .env.example', async () => {
    const known = [...(await read('server/src/core/settings.ts')).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
      ([, name]) => name,
    );
    expect(Object.keys(settings).sort()).toEqual(known.sort());
    const explained = [...(await read('.env.example')).matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name]) => name,
    );
    expect(explained.sort()).toEqual(known.sort());
  });

  it('that are secret have no usable value in .env.example', async () => {
    const lines = [...(await read('.env.example')).matchAll(/^#?([A-Z][A-Z0-9_]+)=(.*)$/gm)];
    const secrets = lines.filter(([, name = '']) => /SECRET|PASSWORD$|TOKEN|ACCESS_KEY/.test(name));
    expect(secrets.length).toBeGreaterThan(7);
    for (const [, name, value] of secrets) expect(value, name).toBe('');
  });

  it.each(Object.entries(settings))('%s is accepted when it is valid', (name, { good }) => {
    for (const [value, config, also] of good) {
      expect(readConfig({ ...also, [name]: value }), value).toMatchObject(config);
    }
  });

  const canBeWrong = Object.entries(settings).filter(([, { wrong }]) => wrong.length > 0);

  it.each(canBeWrong)('%s is refused by name when it is invalid', (name, { wrong }) => {
    for (const [value, text] of wrong) {
      const also = name === 'ADMIN_PASSWORD' ? { ADMIN_EMAIL: 'a@company.com' } : {};
      expect(refusalOf({ ...also, [name]: value }), value).toBe(`${name} ${text}`);
    }
  });

  it.each(Object.keys(settings))('%s counts as not set when it is empty or blank', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}));
    expect(readConfig({ [name]: '  ' })).toEqual(readConfig({}));
  });

  it('all have defaults that are safe on one machine', () => {
    expect(readConfig({ PATH: '/bin', HOME: '/root' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      linkMode: 'app',
      trustProxy: false,
      corsOrigins: [],
      logLevel: 'info',
      passwordMinLength: 6,
      databaseUrl: undefined,
      secretKey: undefined,
      firstAdmin: undefined,
      s3: undefined,
      smtp: undefined,
    });
  });
});

describe('settings together', () => {
  it.each<[string, Record<string, string>]>([
    ['PUBLIC_URL must be set when HOST is 0.0.0.0: it is the URL that users open', { HOST: '0.0.0.0' }],
    ['PUBLIC_URL must be set when HOST is ::: it is the URL that users open', { HOST: '::' }],
    ['ADMIN_PASSWORD must be set when ADMIN_EMAIL is', { ADMIN_EMAIL: 'a@company.com' }],
    ['ADMIN_EMAIL must be set when ADMIN_PASSWORD is', { ADMIN_PASSWORD: 'a long password' }],
    [
      'ADMIN_PASSWORD must have at least 12 characters',
      { ADMIN_EMAIL: 'a@company.com', ADMIN_PASSWORD: 'elevenchars', PASSWORD_MIN_LENGTH: '12' },
    ],
    ['S3_BUCKET must be set when other S3 settings are', { S3_ENDPOINT: 'https://s3.company.com' }],
    [
      'S3_BUCKET must be set when other S3 settings are',
      { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    ],
    ['S3_SECRET_ACCESS_KEY must be set when S3_ACCESS_KEY_ID is', { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a' }],
    [
      'S3_ACCESS_KEY_ID must be set when S3_SECRET_ACCESS_KEY is',
      { S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 'a' },
    ],
    ['LINK_MODE can only be s3 when S3_BUCKET is set', { LINK_MODE: 's3' }],
    ['OIDC_CLIENT_ID must be set when OIDC_ISSUER is', { OIDC_ISSUER: 'https://id.company.com' }],
    [
      'OIDC_ISSUER must start with https://',
      { OIDC_ISSUER: 'http://id.company.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 's' },
    ],
    [
      'PUBLIC_URL must be set when OIDC_ISSUER is: the provider redirects to it',
      { OIDC_ISSUER: 'https://id.company.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 's' },
    ],
    ['PASSWORD_SIGN_IN can only be off when OIDC_ISSUER is set', { PASSWORD_SIGN_IN: 'off' }],
    ['MAIL_FROM must be set when SMTP_URL is', { SMTP_URL: 'smtp://mail' }],
    [
      'ACTIVITY_WEBHOOK_SECRET must be set when ACTIVITY_WEBHOOK is',
      { ACTIVITY_WEBHOOK: 'https://a.company.com' },
    ],
    [
      'SEAL_COPY_TO can only be an email address when SMTP_URL is set',
      { SEAL_COPY_TO: 'mailto:audit@company.com' },
    ],
    [
      'VITE_INTERNAL_ACCESS_SECRET must be the same as INTERNAL_ACCESS_SECRET',
      { INTERNAL_ACCESS_SECRET: 'f3b1c2d4e5f60718', VITE_INTERNAL_ACCESS_SECRET: 'f3b1c2d4e5f60719' },
    ],
  ])('that contradict each other are refused: %s', (text, environment) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError(text));
  });

  it('that belong together are accepted together', () => {
    expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.company.com' }).publicUrl).toBe(
      'https://a.company.com',
    );
    const store = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' };
    expect(readConfig(store).s3).toEqual({
      bucket: 'b',
      endpoint: undefined,
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 's',
      forcePathStyle: false,
    });
    const own = { ...store, S3_ENDPOINT: 'https://s3.company.com', S3_REGION: 'x' };
    expect(readConfig(own).s3).toMatchObject({
      endpoint: 'https://s3.company.com',
      region: 'x',
      forcePathStyle: true,
    });
    expect(readConfig({ ...own, S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle).toBe(false);
  });

  it('are refused in one line that never shows a secret', () => {
    for (const environment of [
      { SECRET_KEY: 'hunter2' },
      { INTERNAL_ACCESS_SECRET: 'hunter2' },
      { DATABASE_URL: 'db://u:hunter2@x' },
    ]) {
      const refusal = expect.objectContaining({ message: expect.stringMatching(/^[A-Z_]+ [^\n]+$/) });
      try {
        readConfig(environment);
        expect.unreachable();
      } catch (error) {
        expect(error).toEqual(refusal);
        expect(String(error)).not.toContain('hunter2');
      }
    }
  });
});
