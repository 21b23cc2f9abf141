import { z } from 'zod';
import {
  bareWebUrl,
  callableUrl,
  clamdUrl,
  flag,
  issuedSecret,
  isTimeZone,
  rootWebUrl,
  sealCopyTarget,
  secret,
  serverProcesses,
  timeOfDay,
  urlOf,
  webUrl,
  wholeNumber,
} from './setting-kinds.ts';

// Removing old backups reads the lists of all kept backups in parallel.
export const maxBackupsKept = 400;

/** Validates single settings; config.ts checks combinations. */
export const settings = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: rootWebUrl.optional(),
  SERVER_PROCESSES: serverProcesses.default(1),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(20),
  SECRET_KEY: secret(32).optional(),
  ADMIN_EMAIL: z.email({ error: 'must be an email address' }).optional(),
  ADMIN_PASSWORD: issuedSecret.optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: webUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: issuedSecret.optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  BACKUP_TO: z.string().optional(),
  BACKUP_AT: timeOfDay.default('02:00'),
  BACKUP_KEEP: wholeNumber(1, maxBackupsKept).default(14),
  BACKUP_S3_ENDPOINT: webUrl.optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: issuedSecret.optional(),
  BACKUP_S3_FORCE_PATH_STYLE: flag.optional(),
  CHECK_AT: timeOfDay.default('04:00'),
  CHECK_EVERY_DAYS: wholeNumber(0, 365).default(7),
  LINK_MODE: z.enum(['app', 's3'], { error: 'must be app or s3' }).default('app'),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(\P{Cc}*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be a sender such as Name <name@company.com>',
    )
    .optional(),
  CLAMD_URL: clamdUrl.optional(),
  DOCX_PREVIEW: z
    .enum(['built-in', 'libreoffice'], { error: 'must be built-in or libreoffice' })
    .default('built-in'),
  OCR: flag.default(true),
  OCR_LANGUAGES: z
    .string()
    .regex(/^[a-z]{3}(_[a-z]{1,10})*(,[a-z]{3}(_[a-z]{1,10})*)*$/, 'must list languages such as eng,deu')
    .default('eng'),
  INTERNAL_ACCESS_SECRET: secret(16).optional(),
  METRICS_TOKEN: secret(16).optional(),
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
  REQUIRE_MFA: z.enum(['none', 'admins', 'all'], { error: 'must be none, admins or all' }).default('none'),
  OIDC_ISSUER: bareWebUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: issuedSecret.optional(),
  OIDC_NAME: z.string().max(60, { error: 'must have at most 60 characters' }).default('your company'),
  OIDC_PROVISION: z.enum(['none', 'staff'], { error: 'must be none or staff' }).default('none'),
  OIDC_ADMIN_GROUP: z.string().optional(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 128).default(6),
  ACTIVITY_KEEP_DAYS: wholeNumber(1, 36_500).optional(),
  ACTIVITY_WEBHOOK: callableUrl.optional(),
  ACTIVITY_WEBHOOK_SECRET: secret(32).optional(),
  SEAL_COPY_TO: sealCopyTarget.optional(),
  UNUSUAL_READS_PER_HOUR: wholeNumber(0, 1_000_000).default(200),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(1, 3600).default(120),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 10).default(0),
  // The build puts these into the pages; the server only validates them and allows the URL in the CSP.
  VITE_API_URL: bareWebUrl.optional(),
  VITE_INTERNAL_ACCESS_SECRET: secret(16).optional(),
});
export type Settings = z.infer<typeof settings>;
