import { chooseBackup } from '../backup/catalogue.ts';
import { BackupDamaged, BackupRefused, type Manifest } from '../backup/layout.ts';
import { refuseNonEmptyDatabase } from '../backup/load.ts';
import { readPart } from '../backup/parts.ts';
import type { Place } from '../backup/place.ts';
import { refuseUnknownSchema, restoreBackup } from '../backup/restore.ts';
import { verifyBackup } from '../backup/verify.ts';
import type { Config } from '../core/config.ts';
import { systemContext } from '../core/context.ts';
import { createLog } from '../core/log.ts';
import { countText } from '../core/text.ts';
import { deriveKeys, keyFingerprint } from '../crypto/keys.ts';
import { acceptActivity } from '../modules/activity/seals/accept.ts';
import { sealActivity } from '../modules/activity/seals/seal.ts';
import { checkDocuments, problemsIn } from '../modules/documents/consistency/check.ts';
import { openDeps } from '../start/open-deps.ts';
import { contentsOf } from './backup-commands.ts';
import { placeAndId, withPlace } from './backup-place.ts';
import { type Command, CommandFailed, interruptible, type StandaloneEnv } from './command.ts';
import { withProgress } from './progress.ts';
import { commandLineActor } from './run.ts';

type Options = { place: string | undefined; id: string | undefined; withoutMfa: boolean };

const isKeyOf = (backup: Manifest, key: string) => keyFingerprint(deriveKeys(key)) === backup.key_fingerprint;

/** The key to save in the data folder; undefined when the configured one is right. */
async function keyToSave(
  config: Config,
  place: Place,
  backup: Manifest,
  withoutMfa: boolean,
): Promise<string | undefined> {
  if (config.secretKey === undefined && backup.secret_key) {
    const key = (await readPart(place.storage, backup.secret_key)).toString('utf8');
    if (!isKeyOf(backup, key))
      throw new BackupDamaged('The secret key in the backup is not that of its data');
    return key;
  }
  if (withoutMfa || (config.secretKey !== undefined && isKeyOf(backup, config.secretKey))) return undefined;
  if (backup.secret_key) {
    throw new BackupRefused(
      'SECRET_KEY is not the one that the backup was made with. That one is in the backup: leave SECRET_KEY ' +
        'out, and it is kept in DATA_DIR from now on.',
    );
  }
  throw new BackupRefused(
    'SECRET_KEY is not the one that the backup was made with, and it is not in the backup. Set that one; or, ' +
      'if it is lost, add --without-mfa: MFA is then switched off for everybody and must be set up again.',
  );
}

async function verifyFirst(place: Place, id: string, signal: AbortSignal, show: (text: string) => void) {
  const { problems } = await verifyBackup(place.storage, id, {
    signal,
    show: (text) => show(`Verifying: ${text}`),
  });
  if (problems.length === 0) return;
  throw new CommandFailed(
    `The backup is damaged, and nothing was restored: ${problems[0]}. ` +
      'All that is wrong: npm run backup -- verify PLACE',
  );
}

async function restoreFrom(place: Place, { config, signal }: StandaloneEnv, options: Options): Promise<void> {
  const backup = await chooseBackup(place.storage, options.id);
  await refuseUnknownSchema(backup);
  const secretKey = await keyToSave(config, place, backup, options.withoutMfa);
  const { result, seconds } = await withProgress(async (show) => {
    const restoreAborted = 'Interrupted: run the same restore again to finish it.';
    await interruptible(signal, restoreAborted, () => verifyFirst(place, backup.id, signal, show));
    // Rows are signed with the key of the backup from the beginning.
    const target = { ...config, secretKey: secretKey ?? config.secretKey };
    const { deps, close } = await openDeps(target, createLog('error'), {
      asTool: true,
      migrateUpTo: backup.schema_version,
      beforeMigrate: refuseNonEmptyDatabase,
    });
    try {
      const ctx = systemContext(deps, commandLineActor());
      const { withoutMfa } = options;
      const lost = await interruptible(signal, restoreAborted, () =>
        restoreBackup(ctx, { place, backup, secretKey, withoutMfa, signal, show }),
      );
      const checkAborted =
        'Interrupted: all was restored, but not all read again. To do that: npm run admin -- check';
      const check = await interruptible(signal, checkAborted, () => checkDocuments(ctx, { signal, show }));
      if (withoutMfa) await acceptActivity(ctx);
      const sealed = await sealActivity(deps).catch((error: Error) => error);
      return { lost, check, sealed };
    } finally {
      await close();
    }
  });
  const { check, lost, sealed } = result;
  if (problemsIn(check) > lost) {
    throw new CommandFailed('Documents are not as they should be after the restore: npm run admin -- check');
  }
  console.log(`Restored backup ${backup.id} in ${seconds.toFixed(1)} s: ${contentsOf(backup)}.`);
  if (lost > 0) {
    console.log(`The files of ${countText(lost, 'document')} had gone bad before the backup was made.`);
  }
  if (sealed instanceof Error) {
    console.log(`The activity log could not be sealed (${sealed.message}): npm run admin -- verify-activity`);
  }
  console.log(
    `Every ${lost > 0 ? 'other ' : ''}document was read again and is as it was. Everybody has to sign in again.`,
  );
}

export const restoreCommand: Command = {
  synopsis: '[PLACE] [BACKUP] [--without-mfa]',
  purpose: 'the newest backup unless one is named',
  operands: 2,
  options: { 'without-mfa': { type: 'boolean' } },
  prepareStandalone: (args) => {
    const options = { ...placeAndId(args), withoutMfa: args.options['without-mfa'] === true };
    return (env) =>
      withPlace(env.config, options.place, 'reading', (place) => restoreFrom(place, env, options));
  },
};
