import { systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { countText } from '../../../core/text.ts';
import { wake } from '../../../jobs/queue.ts';
import { recordActivity } from '../commands.ts';
import { forwardActivityJob } from '../jobs.ts';
import { ChainBroken, type Link } from './chain.ts';
import { RetentionRefused, removeOldActivity } from './retention.ts';
import { sealActivity } from './seal.ts';

const intervalMs = 60_000;
const stalledAfterMs = 5 * 60_000;
const retentionIntervalMs = 3_600_000;
const alarmIntervalMs = 6 * 3_600_000;
const lastPassMs = 2_000;
const maxUncopied = 10_000;

export type SealerOptions = {
  /** Copies new seals out of the database and the data folder. After a failure, the next call gets them again. */
  copySeals: ((seals: Link[]) => Promise<void>) | undefined;
  /** Warns administrators. */
  alarm: (text: string) => Promise<void>;
};

export type Sealer = {
  /** The work of one interval: seals, and raises an alarm if sealing has stalled. */
  tick(): Promise<void>;
  stop(): Promise<void>;
};

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Seals the log every minute, by a timer in this process: an attacker could delete a job in the database, or block it
 * with a lock, without a trace.
 */
export function startSealing(deps: Deps, options: SealerOptions): Sealer {
  const { clock, config, log, metrics } = deps;
  let passedAt = clock.now();
  let stalledSince: Date | undefined;
  let running: Promise<void> | undefined;
  let retainedAt = 0;
  let uncopied: Link[] = [];
  const alarmedAt = new Map<string, number>();
  metrics.watch(
    'activity_last_sealed_timestamp_seconds',
    'Unix time of the last pass that sealed all rows',
    () => passedAt.getTime() / 1000,
  );

  async function raise(kind: string, text: string): Promise<void> {
    const now = clock.now().getTime();
    if (now - (alarmedAt.get(kind) ?? 0) < alarmIntervalMs) return;
    alarmedAt.set(kind, now);
    log.error(text);
    await options.alarm(text).catch((err: unknown) => log.error({ err }, 'administrators were not warned'));
  }

  async function recordStall(): Promise<void> {
    if (!stalledSince) return;
    const subject = { type: 'activity', id: null, label: null } as const;
    await recordActivity(systemContext(deps), 'activity.sealing_resumed', subject, { since: stalledSince });
    stalledSince = undefined;
  }

  async function copy(seals: Link[]): Promise<void> {
    if (!options.copySeals) return;
    uncopied = [...uncopied, ...seals].slice(-maxUncopied);
    if (uncopied.length === 0) return;
    await options.copySeals(uncopied);
    uncopied = [];
  }

  async function removeOld(): Promise<void> {
    const now = clock.now().getTime();
    if (now - retainedAt < retentionIntervalMs) return;
    retainedAt = now;
    await removeOldActivity(deps);
  }

  async function pass(): Promise<void> {
    const { seals, forged } = await sealActivity(deps);
    passedAt = clock.now();
    await recordStall();
    const [first] = forged;
    if (first) {
      await raise(
        'forged',
        `Left out of the seals of the activity log: ${countText(forged.length, 'row')}, ${first}`,
      );
    }
    if (config.activityWebhook) await wake(deps.db, forwardActivityJob);
    await copy(seals).catch((error) => raise('copy', `SEAL_COPY_TO: ${textOf(error)}`));
    await removeOld();
  }

  async function explain(error: unknown): Promise<void> {
    if (deps.stopping.aborted) return;
    if (error instanceof ChainBroken)
      await raise('chain', `The activity log was tampered with: ${error.message}`);
    else if (error instanceof RetentionRefused) await raise('retention', error.message);
    else log.warn({ err: error }, 'the activity log was not sealed; the next attempt follows in a minute');
  }

  async function tick(): Promise<void> {
    if (clock.now().getTime() - passedAt.getTime() > stalledAfterMs) {
      stalledSince ??= passedAt;
      await raise('stalled', `The activity log has not been sealed since ${passedAt.toISOString()}`);
    }
    running ??= pass()
      .catch(explain)
      .finally(() => {
        running = undefined;
      });
    await running;
  }

  const timer = setInterval(() => void tick(), intervalMs);
  void tick();
  return {
    tick,
    async stop() {
      clearInterval(timer);
      await running;
      await sealActivity({ ...deps, stopping: AbortSignal.timeout(lastPassMs) }).catch((err: unknown) =>
        log.warn({ err }, 'the newest rows of the activity log are sealed with the next start'),
      );
    },
  };
}
