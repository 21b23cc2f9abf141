const readOnly = '25006';
const unavailableStates = /^(08|53|57P0[1-5]|57014|25P03|55P03|25006)/;
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const clientTexts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** The database took a query and never answered it. */
function isSilence(error: Error): boolean {
  return error.message === 'Query read timeout';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The connection leads to nobody, or to a database that cannot be written: another one may do better. */
export function isConnectionSpent(error: Error): boolean {
  return isSilence(error) || codeOf(error) === readOnly;
}

/** A standby, or one that was set to be read only. */
export class ReadOnlyDatabase extends Error {
  override name = 'ReadOnlyDatabase';
  readonly code = readOnly;

  constructor() {
    super('it can only be read: it is a standby, or its administrator has set it so');
  }
}

/** Others kept the database busy for as long as anybody should wait. */
export class SearchesBusy extends Error {
  override name = 'SearchesBusy';
}

/** Whether the database is away, starting, stopping, busy or out of room: nothing the caller did. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    unavailableStates.test(code) ||
    networkCodes.has(code) ||
    clientTexts.test(error.message) ||
    isSilence(error) ||
    error instanceof SearchesBusy
  );
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    codeOf(error) === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  );
}

/** Somebody else held a lock for longer than we were willing to wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03';
}
