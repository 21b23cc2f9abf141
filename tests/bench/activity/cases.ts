import type { Case, Request } from '../cases.ts';
import type { Colleague } from '../people.ts';

type People = { reader: Colleague; rare: Colleague; absent: Colleague };

/** `question` names the SQL file with which the baseline answers. */
const ask = ({ token }: Colleague, question: string, path: string): Request => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}`, 'x-question': question },
});

const read = (name: string, requests: Request[]): Case => ({
  name,
  kind: 'read',
  requests,
  expectedStatus: 200,
  connections: 8,
  ratio: 0.6,
  mayGrow: false,
});

export function activityCases({ reader, rare, absent }: People): Case[] {
  const ofPerson = ({ id }: Colleague) => [ask(reader, 'activity-of-person', `/api/activity?person=${id}`)];
  const ofCustomers = Array.from({ length: 50 }, (_, index) =>
    ask(reader, 'activity-of-customer', `/api/activity?customer_id=${1 + index * 37}`),
  );
  return [
    read('first page', [ask(reader, 'activity-page', '/api/activity')]),
    read('a filter that matches 10', ofPerson(rare)),
    read('a filter that matches none', ofPerson(absent)),
    read('history of a customer', ofCustomers),
  ];
}
