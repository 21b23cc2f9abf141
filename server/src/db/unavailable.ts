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
const clientMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** The database took a query and never answered it. */
function isQueryTimeout(error: Error): boolean {
  return error.message === 'Query read timeout';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The peer is silent or read-only: a new connection may reach a better one. */
export function isConnectionUnusable(error: Error): boolean {
  return isQueryTimeout(error) || codeOf(error) === readOnly;
}

/** A standby, or set to read-only. */
export class ReadOnlyDatabase extends Error {
  override name = 'ReadOnlyDatabase';
  readonly code = readOnly;

  constructor() {
    super('it can only be read: it is a standby, or its administrator has set it so');
  }
}

/** The database cancelled the search at its timeout. */
export class SearchTooSlow extends Error {
  override name = 'SearchTooSlow';
}

/** Down, starting, stopping, busy or out of space: not the fault of the caller. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    unavailableStates.test(code) ||
    networkCodes.has(code) ||
    clientMessages.test(error.message) ||
    isQueryTimeout(error)
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

/** It ran into statement_timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014';
}

/** The lock was not free within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03';
}
