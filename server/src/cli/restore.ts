import type { Program } from './command.ts';
import { restoreCommand } from './restore-command.ts';
import { runProgram } from './run.ts';

export const program: Program = {
  call: 'npm run restore --',
  introduction:
    'Fills an empty installation from a backup. TARGET is a folder or s3://bucket/folder;\n' +
    'left out, it is the setting BACKUP_TO.',
  commands: { '': restoreCommand },
};

if (import.meta.main) process.exitCode = await runProgram(program);
