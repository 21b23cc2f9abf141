import type { Answer } from '@customer-database/testkit/client';
import type { Findings } from './findings.ts';

/** Counts how the requests of a load were answered. */
export type Answers = {
  /** The answer is undefined when the connection broke before it came. */
  note(kind: string, answer: Answer | undefined, seconds: number): void;
  count(status: number | 'none'): number;
  /** The longest wait for this status, in seconds. */
  longest(status: number): number;
  /** Such as '201: 17, 503: 2, none: 4'. */
  text(): string;
};

const saysWhenToRetry = ({ status, body, headers }: Answer) =>
  (status === 503 || status === 429) &&
  typeof body?.error === 'string' &&
  body.error.length > 10 &&
  Number(headers.get('retry-after')) > 0;

/** Expects a success, or 429 or 503 with a message and Retry-After; anything else is a broken promise. */
export function createAnswers(findings: Findings): Answers {
  const counts = new Map<number | 'none', number>();
  const longest = new Map<number | 'none', number>();
  return {
    note(kind, answer, seconds) {
      const status = answer?.status ?? 'none';
      counts.set(status, (counts.get(status) ?? 0) + 1);
      longest.set(status, Math.max(longest.get(status) ?? 0, seconds));
      if (!answer) return;
      const isGood = (answer.status >= 200 && answer.status < 300) || saysWhenToRetry(answer);
      const { code, error } = answer.body ?? {};
      findings.expect(isGood, `${kind} was answered ${answer.status} ${code} (${error})`);
    },
    count: (status) => counts.get(status) ?? 0,
    longest: (status) => longest.get(status) ?? 0,
    text: () =>
      [...counts]
        .sort(([one], [other]) => String(one).localeCompare(String(other)))
        .map(([status, count]) => `${status === 'none' ? 'no answer' : status}: ${count}`)
        .join(', '),
  };
}

/** The outage had an effect, and the requests that failed were refused in time. */
export function expectRefusedInTime(answers: Answers, maxSeconds: number, findings: Findings): void {
  findings.expect(answers.count(503) > 0, 'no request was answered 503: nothing was broken');
  const slowest = answers.longest(503);
  findings.expect(slowest < maxSeconds, `a 503 came after ${slowest.toFixed(1)} s`);
}

export const refusalsText = (answers: Answers) =>
  `${answers.count(503)} requests got 503, the slowest after ${answers.longest(503).toFixed(1)} s`;
