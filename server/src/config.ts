import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { bareWebUrl, flag, isTimeZone, secret, urlOf, webUrl, wholeNumber } from './setting-kinds.ts';

/** A setting that is wrong; its message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const settings = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: bareWebUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(20),
  SECRET_KEY: secret(32).optional(),
  ADMIN_EMAIL: z.email({ error: 'must be an email address' }).optional(),
  ADMIN_PASSWORD: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: webUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  LINK_MODE: z.enum(['app', 's3'], { error: 'must be app or s3' }).default('app'),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(\P{Cc}*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be a sender such as Name <name@company.com>',
    )
    .optional(),
  INTERNAL_ACCESS_SECRET: secret(16).optional(),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone such as Europe/Berlin' })
    .default(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
  TRUST_PROXY: z.string().optional(),
  CORS_ORIGINS: z.string().optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  SESSION_IDLE_MINUTES: wholeNumber(1, 525_600).default(8 * 60),
  SESSION_MAX_HOURS: wholeNumber(1, 8760).default(7 * 24),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 128).default(6),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(1, 3600).default(120),
  // Built into the pages; here they are only checked, and the pages are allowed to call that address.
  VITE_API_URL: bareWebUrl.optional(),
  VITE_INTERNAL_ACCESS_SECRET: secret(16).optional(),
});
type Settings = z.infer<typeof settings>;

export type S3Config = {
  bucket: string;
  endpoint: string | undefined;
  region: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  forcePathStyle: boolean;
};

export type Config = {
  port: number;
  host: string;
  /** Without a slash at the end. Undefined means: whatever address the server ends up listening on. */
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  secretKey: string | undefined;
  firstAdmin: { email: string; password: string } | undefined;
  s3: S3Config | undefined;
  linkMode: 'app' | 's3';
  smtp: { url: string; from: string } | undefined;
  internalAccessSecret: string | undefined;
  timeZone: string;
  trustProxy: boolean | string[];
  corsOrigins: string[];
  logLevel: Settings['LOG_LEVEL'];
  sessionIdleMs: number;
  sessionMaxMs: number;
  passwordMinLength: number;
  requestTimeoutMs: number;
  /** Where the pages find the API when it is not here. */
  apiUrl: string | undefined;
  /** The folder of the built pages. */
  webDir: string;
};

function refuse(name: string, reason: string): never {
  throw new ConfigError(`${name} ${reason}`);
}

function together(env: Settings, first: keyof Settings, second: keyof Settings): void {
  if (env[first] !== undefined && env[second] === undefined) refuse(second, `must be set when ${first} is`);
  if (env[second] !== undefined && env[first] === undefined) refuse(first, `must be set when ${second} is`);
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((part) => part.trim() || []);
}

function s3Config(env: Settings): S3Config | undefined {
  together(env, 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
  if (!env.S3_BUCKET) {
    if (env.S3_ENDPOINT || env.S3_ACCESS_KEY_ID)
      refuse('S3_BUCKET', 'must be set when other S3 settings are');
    if (env.LINK_MODE === 's3') refuse('LINK_MODE', 'can only be s3 when S3_BUCKET is set');
    return undefined;
  }
  return {
    bucket: env.S3_BUCKET,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? env.S3_ENDPOINT !== undefined,
  };
}

function smtpConfig(env: Settings): Config['smtp'] {
  if (!env.SMTP_URL) return undefined;
  return { url: env.SMTP_URL, from: env.MAIL_FROM ?? refuse('MAIL_FROM', 'must be set when SMTP_URL is') };
}

function firstAdmin(env: Settings): Config['firstAdmin'] {
  together(env, 'ADMIN_EMAIL', 'ADMIN_PASSWORD');
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (password && [...password].length < env.PASSWORD_MIN_LENGTH) {
    refuse('ADMIN_PASSWORD', `must have at least ${env.PASSWORD_MIN_LENGTH} characters`);
  }
  return email && password ? { email, password } : undefined;
}

function trustProxy(text: string | undefined): boolean | string[] {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') {
    refuse('TRUST_PROXY', 'must list the addresses of your proxies: true would believe anybody');
  }
  const proxies = listOf(text);
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong !== undefined)
    refuse('TRUST_PROXY', `must list addresses or networks such as 10.0.0.0/8, not ${wrong}`);
  return proxies;
}

function isProxy(text: string): boolean {
  const [address = '', size, ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || more.length > 0) return false;
  return size === undefined || (/^[1-9]\d{0,2}$/.test(size) && Number(size) <= bits);
}

function corsOrigins(text: string | undefined): string[] {
  const origins = listOf(text);
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined)
    refuse('CORS_ORIGINS', `must list origins such as https://app.example.com, not ${wrong}`);
  return origins;
}

/** Links in mails are built from PUBLIC_URL; only a server for this machine alone can guess it. */
function publicUrl(env: Settings): string | undefined {
  const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(env.HOST);
  if (!env.PUBLIC_URL && !isLoopback) {
    refuse('PUBLIC_URL', `must be set when HOST is ${env.HOST}: it is the address that people open`);
  }
  return env.PUBLIC_URL?.replace(/\/+$/, '');
}

function apiUrl(env: Settings): string | undefined {
  const { VITE_INTERNAL_ACCESS_SECRET: sent, INTERNAL_ACCESS_SECRET: expected } = env;
  if (!env.VITE_API_URL && sent && expected && sent !== expected) {
    refuse('VITE_INTERNAL_ACCESS_SECRET', 'must be the same as INTERNAL_ACCESS_SECRET');
  }
  return env.VITE_API_URL;
}

/** The only reader of the environment. An empty setting counts as not set. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    refuse(String(issue?.path[0]), issue?.message ?? 'is wrong');
  }
  const env = parsed.data;
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: publicUrl(env),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    secretKey: env.SECRET_KEY,
    firstAdmin: firstAdmin(env),
    s3: s3Config(env),
    linkMode: env.LINK_MODE,
    smtp: smtpConfig(env),
    internalAccessSecret: env.INTERNAL_ACCESS_SECRET,
    timeZone: env.TIME_ZONE,
    trustProxy: trustProxy(env.TRUST_PROXY),
    corsOrigins: corsOrigins(env.CORS_ORIGINS),
    logLevel: env.LOG_LEVEL,
    sessionIdleMs: env.SESSION_IDLE_MINUTES * 60_000,
    sessionMaxMs: env.SESSION_MAX_HOURS * 3_600_000,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    apiUrl: apiUrl(env),
    webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
  };
}
