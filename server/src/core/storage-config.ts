import { resolve } from 'node:path';
import { refuse, requireTogether } from './config-rules.ts';
import type { Settings } from './settings.ts';

export type S3Access = {
  endpoint: string | undefined;
  region: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  forcePathStyle: boolean;
};
export type S3Config = S3Access & { bucket: string };

export type BackupConfig = {
  /** The backup target of daily backups; undefined turns them off. */
  to: string | undefined;
  at: string;
  keep: number;
  s3: S3Access;
};

export function s3Config(env: Settings): S3Config | undefined {
  requireTogether(env, 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
  if (!env.S3_BUCKET) {
    if (env.S3_ENDPOINT || env.S3_ACCESS_KEY_ID)
      refuse('S3_BUCKET', 'must be set when other S3 settings are');
    if (env.LINK_MODE === 's3') refuse('LINK_MODE', 'can only be s3 when S3_BUCKET is set');
    return undefined;
  }
  return { bucket: env.S3_BUCKET, ...s3Access(env) };
}

function s3Access(env: Settings): S3Access {
  return {
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? env.S3_ENDPOINT !== undefined,
  };
}

/** Defaults to the store of the documents. Another store shares only its region. */
export function backupConfig(env: Settings): BackupConfig {
  requireTogether(env, 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY');
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_ACCESS_KEY_ID: accessKeyId } = env;
  const isOtherStore = endpoint !== undefined || accessKeyId !== undefined;
  const otherStore = {
    endpoint,
    region: env.BACKUP_S3_REGION ?? env.S3_REGION,
    accessKeyId,
    secretAccessKey: env.BACKUP_S3_SECRET_ACCESS_KEY,
    forcePathStyle: env.BACKUP_S3_FORCE_PATH_STYLE ?? endpoint !== undefined,
  };
  return {
    // Resolved, because the name is compared with that in activity rows.
    to: env.BACKUP_TO && !env.BACKUP_TO.startsWith('s3://') ? resolve(env.BACKUP_TO) : env.BACKUP_TO,
    at: env.BACKUP_AT,
    keep: env.BACKUP_KEEP,
    s3: isOtherStore ? otherStore : s3Access(env),
  };
}
