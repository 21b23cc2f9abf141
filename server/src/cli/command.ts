import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../core/config.ts';
import type { Context } from '../core/context.ts';

export type CommandEnv = {
  ctx: Context;
  /** Aborted by Ctrl-C; long-running commands listen to it. */
  signal: AbortSignal;
};

/** For a command that does not need an open installation. */
export type StandaloneEnv = Pick<CommandEnv, 'signal'> & { config: Config };

export type ParsedArgs = {
  /** The name of the command. */
  command: string;
  operands: string[];
  options: Record<string, unknown>;
};

export type Command = {
  /** Such as 'EMAIL [--name NAME]'. */
  synopsis: string;
  purpose: string;
  /** The maximum number of operands; the rest of the synopsis is options. */
  operands: number;
  options?: ParseArgsConfig['options'];
} & (
  | {
      /** Checks the arguments before the installation is opened; the returned function does the work. */
      prepare(args: ParsedArgs): (env: CommandEnv) => Promise<void>;
    }
  | { prepareStandalone(args: ParsedArgs): (env: StandaloneEnv) => Promise<void> }
);

/** The commands of one program; the one without a name is the default. */
export type Program = {
  /** Such as 'npm run admin --'. */
  call: string;
  introduction: string;
  commands: Record<string, Command>;
};

// The convention of shells for SIGINT.
export const interruptedExitCode = 130;

/** Wrong arguments: the program also prints its usage. */
export class UsageError extends Error {}

/** The message says what failed. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(text: string, exitCode = 1) {
    super(text);
    this.exitCode = exitCode;
  }
}

/** Reports any failure after Ctrl-C as an interruption. */
export async function interruptible<T>(
  signal: AbortSignal,
  outcome: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? new CommandFailed(outcome, interruptedExitCode) : error;
  }
}

const helpColumn = 54;

function usageLine(start: string, name: string, { synopsis, purpose }: Command): string {
  const call = `  ${[start, name, synopsis].filter(Boolean).join(' ')}`;
  if (!purpose) return call;
  const gap = call.length < helpColumn ? ' '.repeat(helpColumn - call.length) : `\n${' '.repeat(helpColumn)}`;
  return call + gap + purpose;
}

export function usageOf({ call, introduction, commands }: Program): string {
  const lines = Object.entries(commands).map(([name, command]) => usageLine(call, name, command));
  return `${introduction}\n\n${lines.join('\n')}`;
}
