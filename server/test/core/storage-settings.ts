import { resolve } from 'node:path';
import type { Config } from '../../src/core/config.ts';
import { httpText, numberAs, type Setting, timeOfDay } from './setting-kinds.ts';

const s3 = { S3_BUCKET: 'documents' };
const credentials = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
const backup = (config: Partial<Config['backup']>) => ({ backup: config as Config['backup'] });
const backupStore = (config: Partial<Config['backup']['s3']>) =>
  backup({ s3: config as Config['backup']['s3'] });
const backupCredentials = { BACKUP_S3_ACCESS_KEY_ID: 'id', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' };
const check = (config: Partial<Config['check']>) => ({ check: config as Config['check'] });

/** Settings for stored documents, backups and checks. */
export const storageSettings: Record<string, Setting> = {
  S3_BUCKET: { good: [['documents', { linkMode: 'app' }]], wrong: [] },
  S3_ENDPOINT: {
    good: [
      ['http://127.0.0.1:9000', {}, s3],
      ['https://s3.company.com', {}, s3],
    ],
    wrong: [
      ['s3.company.com', httpText],
      ['s3://bucket', httpText],
    ],
  },
  S3_REGION: { good: [['eu-central-1', {}, s3]], wrong: [] },
  S3_ACCESS_KEY_ID: { good: [['id', {}, { ...s3, ...credentials }]], wrong: [] },
  S3_SECRET_ACCESS_KEY: {
    good: [['secret', {}, { ...s3, ...credentials }]],
    wrong: [['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'is a placeholder']],
  },
  S3_FORCE_PATH_STYLE: {
    good: ['true', 'false', '1', '0'].map((value) => [value, {}, s3]),
    wrong: [
      ['yes', 'must be true or false'],
      ['TRUE', 'must be true or false'],
    ],
  },
  BACKUP_TO: {
    good: [
      ['/mnt/backups', backup({ to: '/mnt/backups' })],
      ['./backups', backup({ to: resolve('backups') })],
      ['s3://bucket/folder', backup({ to: 's3://bucket/folder' })],
    ],
    wrong: [],
  },
  BACKUP_AT: timeOfDay((at) => backup({ at })),
  BACKUP_KEEP: numberAs((keep) => backup({ keep }), 1, 400),
  BACKUP_S3_ENDPOINT: {
    good: [
      ['http://127.0.0.1:9000', backupStore({ endpoint: 'http://127.0.0.1:9000', forcePathStyle: true })],
      ['https://s3.company.com', backupStore({ accessKeyId: undefined }), { ...s3, ...credentials }],
    ],
    wrong: [['s3.company.com', httpText]],
  },
  BACKUP_S3_REGION: {
    good: [['eu-central-1', backupStore({ region: 'eu-central-1' }), backupCredentials]],
    wrong: [],
  },
  BACKUP_S3_ACCESS_KEY_ID: {
    good: [['id', backupStore({ accessKeyId: 'id' }), backupCredentials]],
    wrong: [],
  },
  BACKUP_S3_SECRET_ACCESS_KEY: {
    good: [['secret', backupStore({ secretAccessKey: 'secret' }), backupCredentials]],
    wrong: [['your-secret-key', 'is a placeholder']],
  },
  BACKUP_S3_FORCE_PATH_STYLE: {
    good: [['true', backupStore({ forcePathStyle: true }), backupCredentials]],
    wrong: [['yes', 'must be true or false']],
  },
  CHECK_AT: timeOfDay((at) => check({ at })),
  CHECK_EVERY_DAYS: numberAs((everyDays) => check({ everyDays }), 0, 365),
};
