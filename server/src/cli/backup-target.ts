import { isBackupId } from '../backup/layout.ts';
import { openPlace, type Place } from '../backup/place.ts';
import type { Config } from '../core/config.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { pathOf } from './files.ts';

/** A folder is relative to the caller's, a bucket is the same everywhere. */
const nameOf = (text: string) => (text.startsWith('s3://') ? text : pathOf(text));

/** The place, or undefined for the configured one, and the backup if one is named. */
export function placeAndId({ operands }: ParsedArgs): { place: string | undefined; id: string | undefined } {
  const id = operands.find(isBackupId);
  const [place, surplus] = operands.filter((operand) => operand !== id);
  if (surplus !== undefined)
    throw new UsageError(`${surplus} is not a backup such as npm run backup -- list shows`);
  return { place, id };
}

export async function withPlace<T>(
  config: Config,
  name: string | undefined,
  purpose: 'writing' | 'reading',
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const target = name === undefined ? config.backup.to : nameOf(name);
  if (target === undefined) throw new UsageError('Say where the backups are, or set BACKUP_TO');
  const place = await openPlace(config, target, purpose);
  try {
    return await work(place);
  } finally {
    await place.storage.close();
  }
}
