import type { Deps } from '../../core/deps.ts';
import type { Mail } from '../../mail/mailer.ts';

/** For jobs: counts a failure and lets the job retry. */
export async function sendMail(deps: Deps, mail: Mail): Promise<void> {
  try {
    await deps.mailer?.send(mail);
    deps.metrics.mails.inc({ outcome: 'sent' });
  } catch (error) {
    deps.metrics.mails.inc({ outcome: 'failed' });
    throw error;
  }
}
