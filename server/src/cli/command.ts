import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../core/config.ts';
import type { Context } from '../core/context.ts';

/** What a command works with. */
export type Tool = {
  ctx: Context;
  /** Aborted by Ctrl-C; a command that takes its time listens. */
  signal: AbortSignal;
};

/** What a command works with that opens what it needs by itself, if anything. */
export type Alone = Pick<Tool, 'signal'> & { config: Config };

export type Given = {
  /** The name of the command. */
  command: string;
  operands: string[];
  options: Record<string, unknown>;
};

export type Command = {
  /** How it is called, as the usage shows it: 'EMAIL [--name NAME]'. */
  synopsis: string;
  purpose: string;
  /** How many operands it takes at most; the rest of the synopsis is options. */
  operands: number;
  options?: ParseArgsConfig['options'];
} & (
  | {
      /** Refuses wrong arguments, before anything is opened; the answer does the work. */
      prepare(given: Given): (tool: Tool) => Promise<void>;
    }
  | { prepareAlone(given: Given): (alone: Alone) => Promise<void> }
);

/** The commands of one program; the one without a name is meant when none is named. */
export type Program = {
  /** How it is called: 'npm run admin --'. */
  call: string;
  /** Above the list of commands. */
  introduction: string;
  commands: Record<string, Command>;
};

/** '1 document', '2,000 documents'. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

// As shells have it for SIGINT.
export const interruptedExitCode = 130;

/** Called wrongly: the usage is shown too. */
export class UsageError extends Error {}

/** Has done what it could and says what came of it. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(text: string, exitCode = 1) {
    super(text);
    this.exitCode = exitCode;
  }
}

/** Whatever fails after Ctrl-C has failed because of it. */
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

const purposesAt = 54;

function usageLine(start: string, name: string, { synopsis, purpose }: Command): string {
  const call = `  ${[start, name, synopsis].filter(Boolean).join(' ')}`;
  if (!purpose) return call;
  const gap = call.length < purposesAt ? ' '.repeat(purposesAt - call.length) : `\n${' '.repeat(purposesAt)}`;
  return call + gap + purpose;
}

export function usageOf({ call, introduction, commands }: Program): string {
  const lines = Object.entries(commands).map(([name, command]) => usageLine(call, name, command));
  return `${introduction}\n\n${lines.join('\n')}`;
}
