import { availableParallelism } from 'node:os';
import { accountSettings } from './account-settings.ts';
import { httpText, key, makeOne, number, type Setting, secret, texts } from './setting-kinds.ts';
import { storageSettings } from './storage-settings.ts';

const s3 = { S3_BUCKET: 'documents' };
const origin = 'https://app.company.com';
const mailText = 'must be a sender such as Name <name@company.com>';

/** Every setting there is. */
export const settings: Record<string, Setting> = {
  ...accountSettings,
  PORT: number('port', 0, 65_535),
  HOST: texts('host', ['localhost', '::1']),
  PUBLIC_URL: {
    good: [
      ['https://a.company.com', { publicUrl: 'https://a.company.com' }],
      ['http://a.company.com:8080//', { publicUrl: 'http://a.company.com:8080' }],
    ],
    wrong: [
      ['a.company.com', httpText],
      ['ftp://a.company.com', httpText],
      ['javascript:alert(1)', httpText],
      ['https://a.company.com/?x=1', 'must be without ?, # and @'],
      ['https://user:pass@a.company.com', 'must be without ?, # and @'],
      [
        'https://a.company.com/base',
        'must be without a path: the pages can only be at the root of an address',
      ],
    ],
  },
  DATA_DIR: texts('dataDir', ['/var/lib/customers']),
  DATABASE_URL: texts(
    'databaseUrl',
    ['postgres://u:p@db/x', 'postgresql://db:5433/x?sslmode=require'],
    ['mysql://db/x', 'db.company.com'],
    'must be an address that starts with postgres:// or postgresql://',
  ),
  SERVER_PROCESSES: {
    good: [
      ['1', { processes: 1 }],
      ['64', { processes: 64, databasePoolSize: 2 }],
      ['3', { processes: 3, databasePoolSize: 5 }],
      ['auto', { processes: Math.max(1, availableParallelism() - 1) }],
    ],
    wrong: ['0', '65', '1.5', 'all'].map((text) => [text, 'must be auto or a whole number from 1 to 64']),
  },
  DATABASE_POOL_SIZE: number('databasePoolSize', 2, 500),
  SECRET_KEY: secret('secretKey', 32, [
    'x'.repeat(64),
    'change-me-change-me-change-me-change-me',
    'CHANGEME0123456789abcdef0123456789abcdef',
    'this-is-an-example-key-0123456789abcdef',
    'please-replace-with-your-own-0123456789',
    'your-secret-key-0123456789abcdef0123456',
  ]),
  ...storageSettings,
  LINK_MODE: {
    good: [
      ['app', { linkMode: 'app' }],
      ['s3', { linkMode: 's3' }, s3],
    ],
    wrong: [
      ['direct', 'must be app or s3'],
      ['S3', 'must be app or s3'],
    ],
  },
  SMTP_URL: {
    good: [
      [
        'smtps://u:p@mail:465',
        { smtp: { url: 'smtps://u:p@mail:465', from: 'a@company.com' } },
        { MAIL_FROM: 'a@company.com' },
      ],
    ],
    wrong: [
      ['mail.company.com', 'must be an address that starts with smtp:// or smtps://'],
      ['https://mail.company.com', 'must be an address that starts with smtp:// or smtps://'],
    ],
  },
  MAIL_FROM: {
    good: ['no-reply@company.com', 'Customers <no-reply@company.com>', '"Müller, Zoë" <a@company.com>'].map(
      (from) => [from, { smtp: { url: 'smtp://mail', from } }, { SMTP_URL: 'smtp://mail' }],
    ),
    wrong: [
      ['Customers', mailText],
      ['Customers <>', mailText],
      ['a@company.com, b@company.com', mailText],
      ['a@company.com\r\nBcc: b@company.com', mailText],
      ['x\nBcc: y <a@company.com>', mailText],
    ],
  },
  DOCX_PREVIEW: {
    good: [
      ['built-in', { docxPreview: 'built-in' }],
      ['libreoffice', { docxPreview: 'libreoffice' }],
    ],
    wrong: [['word', 'must be built-in or libreoffice']],
  },
  OCR: {
    good: [
      ['true', { ocr: { enabled: true, languages: ['eng'] } }],
      ['false', { ocr: { enabled: false, languages: ['eng'] } }],
    ],
    wrong: [['sometimes', 'must be true or false']],
  },
  OCR_LANGUAGES: {
    good: [['eng', { ocr: { enabled: true, languages: ['eng'] } }]],
    wrong: [
      ['English', 'must list languages such as eng,deu'],
      ['eng;deu', 'must list languages such as eng,deu'],
      ['../eng', 'must list languages such as eng,deu'],
      [
        'eng,deu,chi_sim',
        'needs a package that is not installed: npm install @tesseract.js-data/deu @tesseract.js-data/chi_sim',
      ],
    ],
  },
  CLAMD_URL: texts(
    'clamdUrl',
    [
      'tcp://127.0.0.1:3310',
      'tcp://scanner.company.com/',
      'tcp://[::1]:3310',
      'unix:///run/clamav/clamd.ctl',
    ],
    [
      ...['127.0.0.1:3310', '/run/clamav/clamd.ctl', 'http://scanner:3310'],
      ...['tcp://', 'tcp://scanner:99999', 'tcp://scanner:3310/path'],
      ...['unix://', 'unix:///', 'unix://run/clamav/clamd.ctl'],
    ],
    'must be an address such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl',
  ),
  METRICS_TOKEN: secret('metricsToken', 16, ['change-me-change-me']),
  TIME_ZONE: texts(
    'timeZone',
    ['Europe/Berlin', 'UTC'],
    ['Mars/Phobos', '+02:00', '-0500', 'Berlin'],
    'must be a time zone such as Europe/Berlin',
  ),
  TRUST_PROXY: {
    good: [
      ['false', { trustProxy: false }],
      ['127.0.0.1', { trustProxy: ['127.0.0.1'] }],
      [' 10.0.0.0/8 , ::1,fd00::/8 ', { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8'] }],
    ],
    wrong: [
      [
        'true',
        'must list the IP addresses of your proxies: with true, any client could forge its IP address',
      ],
      ...['1', 'nginx', '10.0.0.0/0', '10.0.0.0/33', '::/129', '10.0.0', '10.0.0.0/8/8'].map(
        (proxy): [string, string] => [
          proxy,
          `must list addresses or networks such as 10.0.0.0/8, not ${proxy}`,
        ],
      ),
    ],
  },
  CORS_ORIGINS: {
    good: [[` ${origin} ,http://localhost:5173`, { corsOrigins: [origin, 'http://localhost:5173'] }]],
    wrong: ['*', 'null', 'app.company.com', `${origin}/`, `${origin}/path`].map((wrong) => [
      wrong,
      `must list origins such as https://app.example.com, not ${wrong}`,
    ]),
  },
  LOG_LEVEL: texts(
    'logLevel',
    ['debug', 'silent'],
    ['verbose'],
    'must be fatal, error, warn, info, debug, trace or silent',
  ),
  ACTIVITY_KEEP_DAYS: number('activityKeepDays', 1, 36_500),
  ACTIVITY_WEBHOOK: {
    good: [
      [
        'https://siem.company.com/log?source=customers',
        { activityWebhook: { url: 'https://siem.company.com/log?source=customers', secret: key } },
        { ACTIVITY_WEBHOOK_SECRET: key },
      ],
    ],
    wrong: [
      ['siem.company.com', httpText],
      ['ftp://siem.company.com', httpText],
      ['https://user:secret@siem.company.com', 'must be without a user name and a password'],
    ],
  },
  ACTIVITY_WEBHOOK_SECRET: {
    good: [[key, {}, { ACTIVITY_WEBHOOK: 'https://siem.company.com' }]],
    wrong: [['short', `must have at least 32 characters; ${makeOne}`]],
  },
  SEAL_COPY_TO: texts(
    'sealCopyTo',
    ['/var/log/seals.txt', 's3://audit/seals'],
    ['seals.txt', '/var/log/', 's3://', 'mailto:audit'],
    'must be /folder/file, s3://bucket/folder or mailto:name@company.com',
  ),
  UNUSUAL_READS_PER_HOUR: number('unusualReadsPerHour', 0, 1_000_000),
  REQUEST_TIMEOUT_SECONDS: number('requestTimeoutMs', 1, 3_600, 1_000),
  SHUTDOWN_DELAY_SECONDS: number('shutdownDelayMs', 0, 10, 1_000),
  VITE_API_URL: {
    good: [
      ['https://api.company.com', { apiUrl: 'https://api.company.com' }],
      ['http://localhost:3000/base', { apiUrl: 'http://localhost:3000/base' }],
    ],
    wrong: [
      ['api.company.com', httpText],
      ['https://api.company.com/?x=1', 'must be without ?, # and @'],
      ['https://user:pass@api.company.com', 'must be without ?, # and @'],
    ],
  },
  VITE_INTERNAL_ACCESS_SECRET: {
    good: [
      [key, {}],
      [key, {}, { INTERNAL_ACCESS_SECRET: key }],
      [key, {}, { INTERNAL_ACCESS_SECRET: `other-${key}`, VITE_API_URL: 'https://api.company.com' }],
    ],
    wrong: [
      ['short', `must have at least 16 characters; ${makeOne}`],
      ['change-me-change-me', `is a placeholder; ${makeOne}`],
    ],
  },
};
