import { accountCommands } from './account-commands.ts';
import { activityCommands } from './activity-commands.ts';
import { checkCommand } from './check-command.ts';
import type { Program } from './command.ts';
import { exportCommand } from './export-command.ts';
import { extractCommand } from './extract-command.ts';
import { importCommand } from './import-command.ts';
import { runProgram } from './run.ts';

export const program: Program = {
  call: 'npm run admin --',
  introduction: 'For operators of this installation. The activity log records every use.',
  commands: {
    ...accountCommands,
    ...activityCommands,
    'import-customers': importCommand,
    'export-customers': exportCommand,
    check: checkCommand,
    extract: extractCommand,
  },
};

if (import.meta.main) process.exitCode = await runProgram(program);
