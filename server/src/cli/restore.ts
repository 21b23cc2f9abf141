import { restoreCommand } from './restore-command.ts';
import { runProgram } from './run.ts';

await runProgram({
  call: 'npm run restore --',
  introduction:
    'Fills an empty installation from a backup. PLACE is a folder or s3://bucket/folder, as npm run backup had it.',
  commands: { '': restoreCommand },
});
