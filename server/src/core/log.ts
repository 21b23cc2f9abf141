import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** What must never reach a log, should an object that holds it ever be logged. */
const secrets = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'temporary_password',
  'token',
  'mfa_token',
  'secret',
  'setup_code',
  'recovery_codes',
  'signature',
  'file_data',
  'authorization',
  'headers',
  'sealed_password',
]);

/** Libraries repeat addresses in their errors, and a query may hold a signature. */
const withoutQueries = (text: string) => text.replace(/\?[^\s'"]*=[^\s'"]*/g, '?[hidden]');

function innermost(error: Error): Error {
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const found = inner instanceof Error ? innermost(inner) : error;
  return found.message === '' ? error : found;
}

/** A line for people: what lies around an error often says only what could not be done, and not why. */
export const reasonOf = (error: unknown): string =>
  withoutQueries(error instanceof Error ? innermost(error).message : String(error));

/** The framework logs whole requests where something went wrong that should not. */
function serializeRequest({ method, url }: { method?: string; url?: string }): Record<string, unknown> {
  return { method, path: url?.split('?', 1)[0] };
}

function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  // Chosen fields only: errors of the database carry the values of the row that was refused.
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause ? serializeError(error.cause) : undefined;
  const stack = error.stack && withoutQueries(error.stack);
  return { type: error.name, message: withoutQueries(error.message), code, stack, cause };
}

/** Others print themselves, by a serializer or as nothing. */
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const deepest = 4;

/** In what is logged and in what that holds. By hand, as there is a line for every request. */
function hideSecrets(line: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let shown = line;
  for (const name of Object.keys(line)) {
    const value = line[name];
    const kept = secrets.has(name)
      ? '[hidden]'
      : depth < deepest && isPlainObject(value)
        ? hideSecrets(value, depth + 1)
        : value;
    if (kept === value) continue;
    if (shown === line) shown = { ...line };
    shown[name] = kept;
  }
  return shown;
}

export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: hideSecrets },
      serializers: { err: serializeError, error: serializeError, req: serializeRequest },
    },
    destination ?? standardOutput(),
  );
}

const mostWaiting = 1024 * 1024;

/**
 * Lines are written together, a quarter of a second later at the most, and all of them before the end. Where they
 * cannot be written, as on a full disk, they are dropped: nobody's work may end or wait because of the log.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    maxLength: mostWaiting,
    periodicFlush: 250,
  });
  let isFailing = false;
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('write', () => {
    isFailing = false;
  });
  const flushSync = stream.flushSync.bind(stream);
  // Called at the end of the process, it would try until it succeeds.
  stream.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return stream;
}

/** Lines to read on a terminal, JSON everywhere else. */
export function terminalStream(): DestinationStream | undefined {
  return process.stdout.isTTY
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
    : undefined;
}
