import { appendFile } from 'node:fs/promises';
import { openPlace } from '../backup/place.ts';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import type { Link } from '../modules/activity/seals/chain.ts';
import { sealText } from '../modules/activity/seals/seal-text.ts';

const mailIntervalMs = 3_600_000;

type CopySeals = (seals: Link[]) => Promise<void>;

const linesOf = (seals: Link[]) => seals.map((seal) => `${sealText(seal)}\n`).join('');

const toFile =
  (path: string): CopySeals =>
  (seals) =>
    appendFile(path, linesOf(seals), { mode: 0o600, flush: true });

/** Objects cannot grow: each has the seals of one pass and is named by its last one. */
async function toBucket(config: Config, place: string): Promise<CopySeals> {
  const { storage } = await openPlace(config, place, 'writing');
  return (seals) =>
    storage.put(`seals-${String(seals.at(-1)?.id).padStart(12, '0')}.txt`, Buffer.from(linesOf(seals)));
}

/** Once an hour at most: the newest seal vouches for all before it. */
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
      text: `Keep this mail. The line below goes into the file for: npm run admin -- verify-activity --seals FILE\n\n${sealText(newest)}\n`,
    });
    mailedAt = now;
  };
}

/** Where SEAL_COPY_TO says; undefined when it is not set. */
export async function openSealCopy(deps: Deps): Promise<CopySeals | undefined> {
  const target = deps.config.sealCopyTo;
  if (target === undefined) return undefined;
  if (target.startsWith('mailto:')) return toMailbox(deps, target.slice('mailto:'.length));
  return target.startsWith('s3://') ? toBucket(deps.config, target) : toFile(target);
}
