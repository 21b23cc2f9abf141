import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../core/config.ts';
import { ConfigError } from '../core/config-rules.ts';
import { systemContext } from '../core/context.ts';
import { createLog } from '../core/log.ts';
import { sealActivity } from '../modules/activity/seals/seal.ts';
import { openDeps } from '../start/open-deps.ts';
import { startupText } from '../start/startup-errors.ts';
import {
  type Command,
  type CommandEnv,
  CommandFailed,
  interruptedExitCode,
  type Program,
  type StandaloneEnv,
  UsageError,
  usageOf,
} from './command.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first Ctrl-C requests a graceful shutdown, a later one exits at once. */
function abortOnSignals(): Disposable & { signal: AbortSignal } {
  const stopping = new AbortController();
  let requestedAt = 0;
  const stop = () => {
    // npm and the launcher forward the same Ctrl-C; only a later signal is a second one.
    if (requestedAt > 0 && Date.now() - requestedAt > 1_000) process.exit(interruptedExitCode);
    requestedAt ||= Date.now();
    stopping.abort();
  };
  for (const name of stopSignals) process.on(name, stop);
  return {
    signal: stopping.signal,
    [Symbol.dispose]: () => {
      for (const name of stopSignals) process.off(name, stop);
    },
  };
}

export const commandLineActor = () => ({ id: null, label: `command line (${userInfo().username})` });

async function withInstallation(
  config: Config,
  signal: AbortSignal,
  run: (env: CommandEnv) => Promise<void>,
): Promise<void> {
  const { deps, close } = await openDeps(config, createLog('error'), { asTool: true });
  try {
    if (signal.aborted) throw new CommandFailed('Interrupted.', interruptedExitCode);
    await run({ ctx: systemContext(deps, commandLineActor()), signal });
    // No server may be running to do this. If it fails, the next verification reports it.
    await sealActivity(deps).catch(() => undefined);
  } finally {
    await close();
  }
}

type ChosenCommand = { name: string; command: Command; args: string[] };

function chooseCommand({ commands }: Program, args: string[]): ChosenCommand {
  const [first = '', ...rest] = args;
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (named) return { name: first, command: named, args: rest };
  if (/^--?h/.test(first)) throw new UsageError('');
  const unnamed = commands[''];
  if (unnamed) return { name: '', command: unnamed, args };
  throw new UsageError(first === '' ? '' : `Unknown command: ${first}`);
}

function readArguments(program: Program, argv: string[]): (env: StandaloneEnv) => Promise<void> {
  const { name, command, args } = chooseCommand(program, argv);
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...command.options, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) throw new UsageError('');
  const surplus = positionals[command.operands];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument: ${surplus}`);
  const input = { command: name, operands: positionals, options: values };
  if ('prepareStandalone' in command) return command.prepareStandalone(input);
  const run = command.prepare(input);
  return ({ config, signal }) => withInstallation(config, signal, run);
}

function explain(program: Program, error: unknown): string {
  if (error instanceof UsageError) return [error.message, usageOf(program)].filter(Boolean).join('\n\n');
  if (error instanceof CommandFailed) return error.message;
  if (error instanceof ConfigError) return `Wrong setting: ${error.message}`;
  if (error instanceof TypeError && 'code' in error) return `${error.message}\n\n${usageOf(program)}`;
  return startupText(error);
}

/** Resolves to the exit code; a failure prints what to do. */
export async function runProgram(
  program: Program,
  args = process.argv.slice(2),
  environment = process.env,
): Promise<number> {
  try {
    const run = readArguments(program, args);
    const config = readConfig(environment);
    using interruption = abortOnSignals();
    await run({ config, signal: interruption.signal });
    return 0;
  } catch (error) {
    console.error(explain(program, error));
    return error instanceof CommandFailed ? error.exitCode : 1;
  }
}
