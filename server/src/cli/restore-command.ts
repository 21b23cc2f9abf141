import { chooseBackup } from '../backup/catalogue.ts';
import { BackupDamaged, BackupRefused, type Manifest } from '../backup/layout.ts';
import { refuseNonEmptyDatabase } from '../backup/load.ts';
import { readPart } from '../backup/parts.ts';
import { refuseUnknownSchema, restoreBackup } from '../backup/restore.ts';
import type { BackupTarget } from '../backup/target.ts';
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
import { targetAndId, withTarget } from './backup-target.ts';
import { type Command, CommandFailed, interruptible, type StandaloneEnv } from './command.ts';
import { withProgress } from './progress.ts';
import { commandLineActor } from './run.ts';

type Options = { target: string | undefined; id: string | undefined; withoutMfa: boolean };

const isKeyOf = (backup: Manifest, key: string) => keyFingerprint(deriveKeys(key)) === backup.key_fingerprint;

/** The key to save in the data folder; undefined when the configured one is right. */
async function keyToSave(
  config: Config,
  target: BackupTarget,
  backup: Manifest,
  withoutMfa: boolean,
): Promise<string | undefined> {
  if (config.secretKey === undefined && backup.secret_key) {
    const key = (await readPart(target, backup.secret_key)).toString('utf8');
    if (!isKeyOf(backup, key))
      throw new BackupDamaged('The secret key in the backup is not that of its data');
    return key;
  }
  if (withoutMfa || (config.secretKey !== undefined && isKeyOf(backup, config.secretKey))) return undefined;
  if (backup.secret_key) {
    throw new BackupRefused(
      'SECRET_KEY differs from the key of the backup, which is in the backup: leave SECRET_KEY out, and the ' +
        'restore saves that key in DATA_DIR.',
    );
  }
  throw new BackupRefused(
    'SECRET_KEY differs from the key of the backup, which is not in the backup. Set that key; if it is lost, ' +
      'add --without-mfa: this switches MFA off for all users, who must set it up again.',
  );
}

async function verifyFirst(
  target: BackupTarget,
  id: string,
  signal: AbortSignal,
  show: (text: string) => void,
) {
  const { problems } = await verifyBackup(target, id, {
    signal,
    show: (text) => show(`Verifying: ${text}`),
  });
  if (problems.length === 0) return;
  throw new CommandFailed(
    `The backup is damaged, and nothing was restored: ${problems[0]}. ` +
      'To list all damage: npm run backup -- verify TARGET',
  );
}

async function restoreFrom(
  target: BackupTarget,
  { config, signal }: StandaloneEnv,
  options: Options,
): Promise<void> {
  const backup = await chooseBackup(target, options.id);
  await refuseUnknownSchema(backup);
  const secretKey = await keyToSave(config, target, backup, options.withoutMfa);
  const { result, seconds } = await withProgress(async (show) => {
    const restoreAborted = 'Interrupted: run the same restore again to finish it.';
    await interruptible(signal, restoreAborted, () => verifyFirst(target, backup.id, signal, show));
    // The restore signs activity rows with the key of the backup.
    const withKey = { ...config, secretKey: secretKey ?? config.secretKey };
    const { deps, close } = await openDeps(withKey, createLog('error'), {
      asTool: true,
      migrateUpTo: backup.schema_version,
      beforeMigrate: refuseNonEmptyDatabase,
    });
    try {
      const ctx = systemContext(deps, commandLineActor());
      const { withoutMfa } = options;
      const lost = await interruptible(signal, restoreAborted, () =>
        restoreBackup(ctx, { target, backup, secretKey, withoutMfa, signal, show }),
      );
      const checkAborted =
        'Interrupted: everything was restored, but not yet checked. To check it: npm run admin -- check';
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
    throw new CommandFailed('Documents are damaged after the restore. To list them: npm run admin -- check');
  }
  console.log(`Restored backup ${backup.id} in ${seconds.toFixed(1)} s: ${contentsOf(backup)}.`);
  if (lost > 0) {
    console.log(`The files of ${countText(lost, 'document')} were damaged before the backup was made.`);
  }
  if (sealed instanceof Error) {
    console.log(`The activity log could not be sealed (${sealed.message}): npm run admin -- verify-activity`);
  }
  console.log(
    `Every ${lost > 0 ? 'other ' : ''}document was read again and is intact. All users must sign in again.`,
  );
}

export const restoreCommand: Command = {
  synopsis: '[TARGET] [BACKUP] [--without-mfa]',
  purpose: 'restores the newest backup unless one is named',
  operands: 2,
  options: { 'without-mfa': { type: 'boolean' } },
  prepareStandalone: (args) => {
    const options = { ...targetAndId(args), withoutMfa: args.options['without-mfa'] === true };
    return (env) =>
      withTarget(env.config, options.target, 'reading', (target) => restoreFrom(target, env, options));
  },
};
