import { appendFile } from 'node:fs/promises';
import { openTarget } from '../backup/target.ts';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import type { Link } from '../modules/activity/seals/chain.ts';
import { sealText } from '../modules/activity/seals/note.ts';

const mailIntervalMs = 3_600_000;

type CopySeals = (seals: Link[]) => Promise<void>;

const linesOf = (seals: Link[]) => seals.map((seal) => `${sealText(seal)}\n`).join('');

const toFile =
  (path: string): CopySeals =>
  (seals) =>
    appendFile(path, linesOf(seals), { mode: 0o600, flush: true });

/** Objects cannot be appended to: each holds the seals of one pass, and the last of them names it. */
async function toBucket(config: Config, target: string): Promise<CopySeals> {
  const { put } = await openTarget(config, target, 'writing');
  return (seals) =>
    put(`seals-${String(seals.at(-1)?.id).padStart(12, '0')}.txt`, Buffer.from(linesOf(seals)));
}

/** Once an hour at most: the newest seal covers all before it. */
function toMailbox({ clock, mailer }: Deps, to: string): CopySeals {
  let mailedAt = 0;
  return async (seals) => {
    const now = clock.now().getTime();
    const newest = seals.at(-1);
    if (!newest || now - mailedAt < mailIntervalMs) return;
    await mailer?.send({
      to,
      subject: `Seal ${newest.id} of the activity log`,
      messageId: `<seal-${newest.id}-${newest.hash.toString('hex').slice(0, 16)}@customer-database>`,
      text: `Keep this mail. To verify the activity log, put the line below into a file and run: npm run admin -- verify-activity --seals FILE\n\n${sealText(newest)}\n`,
    });
    mailedAt = now;
  };
}

export async function openSealCopy(deps: Deps): Promise<CopySeals | undefined> {
  const target = deps.config.sealCopyTo;
  if (target === undefined) return undefined;
  if (target.startsWith('mailto:')) return toMailbox(deps, target.slice('mailto:'.length));
  return target.startsWith('s3://') ? toBucket(deps.config, target) : toFile(target);
}
