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
  'file_data',
  'authorization',
  'sealed_password',
]);

function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  // Chosen fields only: errors of the database carry the values of the row that was refused.
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause ? serializeError(error.cause) : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Error);

/** In what is logged and one level below. By hand, as there is a line for every request. */
function hideSecrets(line: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let shown = line;
  for (const name of Object.keys(line)) {
    const value = line[name];
    const kept = secrets.has(name)
      ? '[hidden]'
      : depth === 0 && isObject(value)
        ? hideSecrets(value, 1)
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
      serializers: { err: serializeError, error: serializeError },
    },
    // Lines are written together, a quarter of a second later at the most, and all of them before the end.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 }),
  );
}

/** Lines to read on a terminal, JSON everywhere else. */
export function terminalStream(): DestinationStream | undefined {
  return process.stdout.isTTY
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
    : undefined;
}
