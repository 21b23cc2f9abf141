import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Masked in every logged object. */
const secretFields = new Set([
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

/** Errors of libraries contain URLs, whose queries may contain a signature. */
const hideQueries = (text: string) => text.replace(/\?[^\s'"]*=[^\s'"]*/g, '?[hidden]');

function innermost(error: Error): Error {
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const found = inner instanceof Error ? innermost(inner) : error;
  return found.message === '' ? error : found;
}

/** The message of the innermost error: the outer one often says what failed, but not why. */
export const reasonOf = (error: unknown): string =>
  hideQueries(error instanceof Error ? innermost(error).message : String(error));

/** Fastify logs whole requests on unexpected errors. */
function serializeRequest({ method, url }: { method?: string; url?: string }): Record<string, unknown> {
  return { method, path: url?.split('?', 1)[0] };
}

function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  // Selected fields only, because database errors contain values of the rejected row.
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause ? serializeError(error.cause) : undefined;
  const stack = error.stack && hideQueries(error.stack);
  return { type: error.name, message: hideQueries(error.message), code, stack, cause };
}

/** Other objects have a serializer or a toJSON. */
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const maxDepth = 4;

/** Written by hand for speed: each request logs a line. */
function hideSecrets(line: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let shown = line;
  for (const name of Object.keys(line)) {
    const value = line[name];
    const masked = secretFields.has(name)
      ? '[hidden]'
      : depth < maxDepth && isPlainObject(value)
        ? hideSecrets(value, depth + 1)
        : value;
    if (masked === value) continue;
    if (shown === line) shown = { ...line };
    shown[name] = masked;
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

const maxBufferedBytes = 1024 * 1024;

/**
 * Buffers lines for up to 250 ms and flushes them on exit. Drops them if they cannot be written, for example on a full
 * disk, so that logging never blocks a request.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: 3072,
    // A pipe takes this much in one piece: lines of several processes do not mix.
    maxWrite: 4096,
    maxLength: maxBufferedBytes,
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
  // flushSync retries until it succeeds, which would block the exit.
  stream.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return stream;
}

/** Readable lines on a terminal, JSON everywhere else. */
export function terminalStream(): DestinationStream | undefined {
  return process.stdout.isTTY
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
    : undefined;
}
