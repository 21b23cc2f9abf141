import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@customer-database/testkit/backups';

/** A script that takes the place of soffice. Returns its path. */
export async function programOf(script: string): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const program = join(folder, 'program', 'soffice');
  await mkdir(join(folder, 'program'));
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}
