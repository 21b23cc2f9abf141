import { DataFolderInUseError, EmbeddedStartError } from '@customer-database/embedded-postgres/errors';
import { BackupDamaged, BackupRefused } from '../backup/layout.ts';
import { ConverterUnavailable } from '../converter/port.ts';
import { ConfigError } from '../core/config-rules.ts';
import { reasonOf } from '../core/log.ts';
import { MigrationError } from '../db/migrate.ts';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import { AppError } from '../http/errors.ts';
import { StorageUnavailableError } from '../storage/port.ts';

const readableErrors = [
  BackupDamaged,
  BackupRefused,
  ConfigError,
  ConverterUnavailable,
  DataFolderInUseError,
  EmbeddedStartError,
  MigrationError,
  AppError,
];

function osErrorText(
  error: Error & { code: string; port?: number; address?: string; path?: string },
): string | undefined {
  switch (error.code) {
    case 'EADDRINUSE':
      return `PORT ${error.port} is already in use. Stop what uses it, or start with another one: PORT=3001 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${error.address ?? ''} is not an address of this machine`;
    case 'EACCES':
    case 'EROFS':
    case 'ENOTDIR':
    case 'ENOENT':
    case 'EEXIST':
    case 'EPERM':
    case 'ENOSPC':
      return error.path
        ? `DATA_DIR cannot be used (${error.code} at ${error.path}). Choose a folder that can be written.`
        : `PORT cannot be opened (${error.code}). Ports below 1024 need special rights: choose another one.`;
    default:
      return undefined;
  }
}

const untrustedCertificate =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

function databaseErrorText(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (untrustedCertificate.test(code)) {
    return (
      `DATABASE_URL: the certificate of the database is not trusted (${error.message}). Add the certificate ` +
      'of its authority to the URL: sslmode=verify-full&sslrootcert=/path/ca.pem'
    );
  }
  if (isDatabaseUnavailable(error) || /^(28|3D)/.test(code) || /does not support SSL/.test(error.message)) {
    return `DATABASE_URL: the database cannot be reached or refuses the connection (${error.message})`;
  }
  return undefined;
}

/** For common failures, one line that says what is wrong and what to do. */
export function startupText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StorageUnavailableError) return `The storage cannot be used: ${reasonOf(error)}`;
  if (readableErrors.some((type) => error instanceof type)) return error.message;
  const text = 'code' in error && typeof error.code === 'string' ? osErrorText(error as never) : undefined;
  if (text) return text;
  return databaseErrorText(error) ?? error.stack ?? error.message;
}
