import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { systemContext } from '../context.ts';
import { createLog } from '../log.ts';
import { openDeps } from '../open-deps.ts';
import { startupText } from '../startup-errors.ts';
import { accountCommands } from './account-commands.ts';
import {
  type Command,
  CommandFailed,
  interruptedExitCode,
  type Tool,
  UsageError,
  usageOf,
} from './command.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';

const commands: Record<string, Command> = {
  ...accountCommands,
  'import-customers': importCommand,
  'export-customers': exportCommand,
};

function readArguments([name = '', ...args]: string[]): (tool: Tool) => Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(name === '' || /^--?h/.test(name) ? '' : `Unknown command: ${name}`);
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...command.options, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) throw new UsageError('');
  const surplus = positionals[command.operands];
  if (surplus !== undefined) throw new UsageError(`${name} does not know what to do with ${surplus}`);
  return command.prepare({ command: name, operands: positionals, options: values });
}

/** The first Ctrl-C asks for an orderly end, a later one does not. */
function abortOnSignals(): AbortSignal {
  const stopping = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm and the launcher pass on what has arrived here already: only a later one is a second wish.
      if (askedAt > 0 && Date.now() - askedAt > 1_000) process.exit(interruptedExitCode);
      askedAt ||= Date.now();
      stopping.abort();
    });
  }
  return stopping.signal;
}

async function main(): Promise<void> {
  const run = readArguments(process.argv.slice(2));
  const config = readConfig(process.env);
  const signal = abortOnSignals();
  const { deps, pool, close } = await openDeps(config, createLog('error'), { asTool: true });
  try {
    const ctx = systemContext(deps, { id: null, label: `command line (${userInfo().username})` });
    if (signal.aborted) throw new CommandFailed('Interrupted.', interruptedExitCode);
    await run({ ctx, pool, signal });
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return [error.message, usageOf(commands)].filter(Boolean).join('\n\n');
  if (error instanceof CommandFailed) return error.message;
  if (error instanceof ConfigError) return `Wrong setting: ${error.message}`;
  if (error instanceof TypeError && 'code' in error) return `${error.message}\n\n${usageOf(commands)}`;
  return startupText(error);
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
});
