/** Another server uses this data folder. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';

  constructor(dataDir: string) {
    super(
      `Another server is already running on the data folder ${dataDir}. ` +
        'Stop that server first, or choose another data folder for this one (DATA_DIR).',
    );
  }
}

/** The embedded PostgreSQL cannot run here. The message says why and what to do. */
export class EmbeddedStartError extends Error {
  override readonly name = 'EmbeddedStartError';
}

/** Why PostgreSQL did not start, although it may start a moment later. */
export type RetryReason = 'no answer' | 'port taken' | 'pid file exists' | 'pid file empty' | 'memory in use';

export class RetryableStartError extends EmbeddedStartError {
  readonly reason: RetryReason;

  constructor(reason: RetryReason, text: string, options?: ErrorOptions) {
    super(text, options);
    this.reason = reason;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Turns a file system error into one actionable line. */
export function explainFileError(error: unknown, path: string): EmbeddedStartError {
  if (error instanceof EmbeddedStartError) return error;
  return new EmbeddedStartError(fileErrorText(error, path), { cause: error });
}

function fileErrorText(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return (
        `No permission to use ${path}. Start the server as the user who owns it, ` +
        'give that user the right to write there, or choose another folder (DATA_DIR).'
      );
    case 'EROFS':
      return `${path} is on a read-only disk. Choose another data folder (DATA_DIR).`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} cannot be used as a folder because a file is in its place. Choose another data folder (DATA_DIR).`;
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpaceText(path);
    default:
      return `${path} cannot be used: ${errorText(error)}`;
  }
}

export function noSpaceText(path: string): string {
  return `There is no space left on the disk that holds ${path}. Free some space and start again.`;
}
