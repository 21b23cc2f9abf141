import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Role, roles } from '@customer-database/contract/permissions';
import { missingPackages } from '@customer-database/extractor/ocr-data';
import { refuse, requireTogether, splitList } from './config-rules.ts';
import { type Settings, settings } from './settings.ts';
import { type FirstAdmin, firstAdmin, type OidcConfig, oidc, passwordSignIn } from './sign-in-config.ts';
import { type BackupConfig, backupConfig, type S3Config, s3Config } from './storage-config.ts';

export type Config = {
  port: number;
  host: string;
  /** Without a trailing slash. Undefined: the URL that the server listens on. */
  publicUrl: string | undefined;
  /** How many processes serve requests. */
  processes: number;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  secretKey: string | undefined;
  firstAdmin: FirstAdmin | undefined;
  s3: S3Config | undefined;
  backup: BackupConfig;
  /** The check of all documents; never if `everyDays` is 0. */
  check: { at: string; everyDays: number };
  linkMode: 'app' | 's3';
  smtp: { url: string; from: string } | undefined;
  clamdUrl: string | undefined;
  ocr: { enabled: boolean; languages: string[] };
  /** Who makes what the viewer shows of Word documents: the pages, or LibreOffice on the server. */
  docxPreview: Settings['DOCX_PREVIEW'];
  internalAccessSecret: string | undefined;
  metricsToken: string | undefined;
  timeZone: string;
  trustProxy: boolean | string[];
  corsOrigins: string[];
  logLevel: Settings['LOG_LEVEL'];
  sessionIdleMs: number;
  sessionMaxMs: number;
  oidc: OidcConfig | undefined;
  /** If off, only OIDC signs users in, except with a temporary password from the command line. */
  passwordSignIn: boolean;
  passwordMinLength: number;
  /** The roles that must use a second factor. */
  requireMfa: readonly Role[];
  /** The age at which rows of the activity log are removed; undefined keeps all. */
  activityKeepDays: number | undefined;
  /** Receives the rows of the activity log. */
  activityWebhook: { url: string; secret: string } | undefined;
  /** Receives a copy of each seal of the activity log: a file, s3://bucket/folder or mailto:. */
  sealCopyTo: string | undefined;
  /** More views and downloads by one user are reported; 0 reports nothing. */
  unusualReadsPerHour: number;
  requestTimeoutMs: number;
  /** How long the server keeps serving after SIGTERM, so that a proxy can redirect traffic. */
  shutdownDelayMs: number;
  /** The API that the pages call, if another server provides it. */
  apiUrl: string | undefined;
  /** The folder of the built pages. */
  webDir: string;
};

/** The workers and the process of the jobs share the connections of the setting. */
function poolSize({ SERVER_PROCESSES: processes, DATABASE_POOL_SIZE: size }: Settings): number {
  return processes === 1 ? size : Math.max(2, Math.floor(size / (processes + 1)));
}

function smtpConfig(env: Settings): Config['smtp'] {
  if (!env.SMTP_URL) return undefined;
  return { url: env.SMTP_URL, from: env.MAIL_FROM ?? refuse('MAIL_FROM', 'must be set when SMTP_URL is') };
}

function activityWebhook(env: Settings): Config['activityWebhook'] {
  requireTogether(env, 'ACTIVITY_WEBHOOK', 'ACTIVITY_WEBHOOK_SECRET');
  const { ACTIVITY_WEBHOOK: url, ACTIVITY_WEBHOOK_SECRET: secret } = env;
  return url && secret ? { url, secret } : undefined;
}

function sealCopyTo(env: Settings): string | undefined {
  if (env.SEAL_COPY_TO?.startsWith('mailto:') && !env.SMTP_URL) {
    refuse('SEAL_COPY_TO', 'can only be an email address when SMTP_URL is set');
  }
  return env.SEAL_COPY_TO;
}

function ocrConfig(env: Settings): Config['ocr'] {
  const languages = splitList(env.OCR_LANGUAGES);
  const missing = missingPackages(languages);
  if (missing.length > 0) {
    refuse('OCR_LANGUAGES', `needs a package that is not installed: npm install ${missing.join(' ')}`);
  }
  return { enabled: env.OCR, languages };
}

function trustProxy(text: string | undefined): boolean | string[] {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') {
    refuse(
      'TRUST_PROXY',
      'must list the IP addresses of your proxies: with true, any client could forge its IP address',
    );
  }
  const proxies = splitList(text);
  const invalid = proxies.find((proxy) => !isIpNetwork(proxy));
  if (invalid !== undefined)
    refuse('TRUST_PROXY', `must list addresses or networks such as 10.0.0.0/8, not ${invalid}`);
  return proxies;
}

function isIpNetwork(text: string): boolean {
  const [address = '', size, ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || more.length > 0) return false;
  return size === undefined || (/^[1-9]\d{0,2}$/.test(size) && Number(size) <= bits);
}

function corsOrigins(text: string | undefined): string[] {
  const origins = splitList(text);
  const invalid = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (invalid !== undefined)
    refuse('CORS_ORIGINS', `must list origins such as https://app.example.com, not ${invalid}`);
  return origins;
}

/** Links in mails use PUBLIC_URL; only a server on a loopback address works without it. */
function publicUrl(env: Settings): string | undefined {
  const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(env.HOST);
  if (!env.PUBLIC_URL && !isLoopback) {
    refuse('PUBLIC_URL', `must be set when HOST is ${env.HOST}: it is the URL that users open`);
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

/** No other code reads the environment. An empty setting counts as not set. */
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
    processes: env.SERVER_PROCESSES,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: poolSize(env),
    secretKey: env.SECRET_KEY,
    firstAdmin: firstAdmin(env),
    s3: s3Config(env),
    backup: backupConfig(env),
    check: { at: env.CHECK_AT, everyDays: env.CHECK_EVERY_DAYS },
    linkMode: env.LINK_MODE,
    smtp: smtpConfig(env),
    clamdUrl: env.CLAMD_URL,
    ocr: ocrConfig(env),
    docxPreview: env.DOCX_PREVIEW,
    internalAccessSecret: env.INTERNAL_ACCESS_SECRET,
    metricsToken: env.METRICS_TOKEN,
    timeZone: env.TIME_ZONE,
    trustProxy: trustProxy(env.TRUST_PROXY),
    corsOrigins: corsOrigins(env.CORS_ORIGINS),
    logLevel: env.LOG_LEVEL,
    sessionIdleMs: env.SESSION_IDLE_MINUTES * 60_000,
    sessionMaxMs: env.SESSION_MAX_HOURS * 3_600_000,
    oidc: oidc(env),
    passwordSignIn: passwordSignIn(env),
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    requireMfa: { none: [], admins: ['admin' as const], all: roles }[env.REQUIRE_MFA],
    activityKeepDays: env.ACTIVITY_KEEP_DAYS,
    activityWebhook: activityWebhook(env),
    sealCopyTo: sealCopyTo(env),
    unusualReadsPerHour: env.UNUSUAL_READS_PER_HOUR,
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    apiUrl: apiUrl(env),
    webDir: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
  };
}
