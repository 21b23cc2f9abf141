import type { Answer } from '@customer-database/testkit/client';
import type { Findings } from './findings.ts';

/** How requests of a load were answered. */
export type Answers = {
  /** Undefined when the connection broke before an answer came. */
  note(kind: string, answer: Answer | undefined, seconds: number): void;
  count(status: number | 'none'): number;
  /** Of those answered so, in seconds. */
  longest(status: number): number;
  /** Such as '201: 17, 503: 2, none: 4'. */
  text(): string;
};

const isTold = ({ status, body, headers }: Answer) =>
  (status === 503 || status === 429) &&
  typeof body?.error === 'string' &&
  body.error.length > 10 &&
  Number(headers.get('retry-after')) > 0;

/** Good is a success, or 429 or 503 with a text and a time to come back; anything else is a promise not kept. */
export function createAnswers(findings: Findings): Answers {
  const counts = new Map<number | 'none', number>();
  const longest = new Map<number | 'none', number>();
  return {
    note(kind, answer, seconds) {
      const status = answer?.status ?? 'none';
      counts.set(status, (counts.get(status) ?? 0) + 1);
      longest.set(status, Math.max(longest.get(status) ?? 0, seconds));
      if (!answer) return;
      const isGood = (answer.status >= 200 && answer.status < 300) || isTold(answer);
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
