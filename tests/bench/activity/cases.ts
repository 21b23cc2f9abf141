import { type Case, getAs, read, short } from '../cases.ts';
import type { Colleague } from '../people.ts';

type People = { reader: Colleague; rare: Colleague; absent: Colleague };

export function activityCases({ reader, rare, absent }: People): Case[] {
  const ofPerson = ({ id }: Colleague) => [getAs(reader, 'activity-of-person', `/api/activity?person=${id}`)];
  const ofCustomers = Array.from({ length: 50 }, (_, index) =>
    getAs(reader, 'activity-of-customer', `/api/activity?customer_id=${1 + index * 37}`),
  );
  return [
    read('first page', short, [getAs(reader, 'activity-page', '/api/activity')]),
    read('a filter that matches 10', short, ofPerson(rare)),
    read('a filter that matches none', short, ofPerson(absent)),
    read('history of a customer', short, ofCustomers),
  ];
}
