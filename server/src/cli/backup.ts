import { listCommand, makeCommand, verifyCommand } from './backup-commands.ts';
import type { Program } from './command.ts';
import { runProgram } from './run.ts';

export const program: Program = {
  call: 'npm run backup --',
  introduction:
    'Copies the whole installation, also while the server runs. TARGET is a folder or s3://bucket/folder;\n' +
    'left out, it is the setting BACKUP_TO.',
  commands: { '': makeCommand, verify: verifyCommand, list: listCommand },
};

if (import.meta.main) process.exitCode = await runProgram(program);
