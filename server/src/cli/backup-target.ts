import { isBackupId } from '../backup/layout.ts';
import { type BackupTarget, openTarget } from '../backup/target.ts';
import type { Config } from '../core/config.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { pathOf } from './files.ts';

const nameOf = (text: string) => (text.startsWith('s3://') ? text : pathOf(text));

/** The name of the backup target, undefined for the configured one, and the backup if one is named. */
export function targetAndId({ operands }: ParsedArgs): {
  target: string | undefined;
  id: string | undefined;
} {
  const id = operands.find(isBackupId);
  const [target, surplus] = operands.filter((operand) => operand !== id);
  if (surplus !== undefined)
    throw new UsageError(`${surplus} is not a backup such as npm run backup -- list shows`);
  return { target, id };
}

export async function withTarget<T>(
  config: Config,
  name: string | undefined,
  purpose: 'writing' | 'reading',
  work: (target: BackupTarget) => Promise<T>,
): Promise<T> {
  const wanted = name === undefined ? config.backup.to : nameOf(name);
  if (wanted === undefined) throw new UsageError('Name the backup target, or set BACKUP_TO');
  const target = await openTarget(config, wanted, purpose);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}
