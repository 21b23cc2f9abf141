import { sql } from 'kysely';
import type { Deps } from '../../server/src/core/deps.ts';

/** What the cases ask for, chosen so that answers have the same size at every size of the data. */
export type Facts = {
  customers: number;
  documents: number;
  customerIds: number[];
  /** Customers with about twenty documents. */
  ownerIds: number[];
  documentIds: number[];
  /** Full names that a handful of customers share. */
  selectiveNames: string[];
  /** A name and the city of one of its customers. */
  nameAndCity: { name: string; city: string }[];
  /** Parts of the names of about one customer in twenty. */
  broadNames: string[];
  /** Nearly as many, most of which start with it and so are neighbours in the index: the harder case. */
  broadBeginning: string;
  commonLetters: string;
  rareLetters: string;
  phoneDigits: string[];
  filenames: string[];
  /** A range of days with about a thousand documents. */
  days: { date_from: string; date_to: string };
  /** A customer's name, one of their documents, and the day of its upload. */
  papers: { customer_name: string; filename: string; date_from: string; date_to: string }[];
};

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** Sorts the terms by how close their number of matching names is to `wanted`. */
async function closestTerms({ db }: Deps, terms: string[], wanted: number): Promise<string[]> {
  const counts = terms.map((term) => sql`count(*) filter (where name_search like ${`%${term}%`})`);
  const { rows } = await sql<{ counts: string[] }>`
    select array[${sql.join(counts)}] as counts from customers`.execute(db);
  const distance = (term: string) => Math.abs(Number(rows[0]?.counts[terms.indexOf(term)]) - wanted);
  return terms.toSorted((left, right) => distance(left) - distance(right));
}

export async function gatherFacts(deps: Deps): Promise<Facts> {
  const { db } = deps;
  const { customers, documents } = await sql<{ customers: number; documents: number }>`
    select (select count(*) from customers) as customers, (select count(*) from documents) as documents`
    .execute(db)
    .then(({ rows }) => rows[0] ?? { customers: 0, documents: 0 });

  // Evenly over the whole table, and the same in every run.
  const spread = (count: number, of: number) =>
    Array.from({ length: count }, (_, index) => 1 + Math.floor(((index + 0.5) * of) / count));
  const customerIds = spread(50, customers);

  const selective = await sql<{ name: string; city: string }>`
    select min(name) as name, min(city) as city from customers
    where city is not null and name_search in (
      select name_search from customers where id between ${Math.floor(customers / 3)} and ${Math.floor(customers / 3) + 1500}
    )
    group by name_search having count(*) between 2 and 12 and max(length(name)) > 11
    order by abs(count(*) - 5), name_search limit 20`.execute(db);

  const owners = await sql<{ id: number }>`
    select customer_id as id from documents where customer_id <= ${Math.max(2_000, Math.floor(customers / 50))}
    group by customer_id having count(*) between 15 and 25 order by 1 limit 20`.execute(db);

  const papers = await sql<{ customer_name: string; filename: string; uploaded_at: Date }>`
    select customers.name as customer_name, documents.filename, documents.uploaded_at
    from documents join customers on customers.id = documents.customer_id
    where documents.id = any(${spread(20, documents)}::bigint[])`.execute(db);

  const numbered = await sql<{ filename: string }>`
    select filename from documents
    where id = any(${spread(1000, documents)}::bigint[]) and filename ~ '[0-9]{5}' order by id limit 20`.execute(
    db,
  );

  const newest = await sql<{ first: Date; last: Date }>`
    select min(uploaded_at) as first, max(uploaded_at) as last
    from (select uploaded_at from documents order by uploaded_at desc offset 1000 limit 1000) as newer`.execute(
    db,
  );
  const phones = await sql<{ digits: string }>`
    select right(regexp_replace(phone_number, '\\D', '', 'g'), 7) as digits
    from customers where id = any(${customerIds}::bigint[]) and phone_number is not null limit 20`.execute(
    db,
  );

  return {
    customers,
    documents,
    customerIds,
    ownerIds: owners.rows.map((row) => row.id),
    documentIds: spread(50, documents),
    selectiveNames: selective.rows.map((row) => row.name),
    nameAndCity: selective.rows,
    broadNames: (
      await closestTerms(
        deps,
        'ame ann bro cam cha emi her ill ler lia lin lle mar mic mil oli son tre wil'.split(' '),
        customers / 20,
      )
    ).slice(0, 4),
    broadBeginning: 'oli',
    commonLetters: 'an',
    rareLetters: (await closestTerms(deps, 'tn kz pf wy yk uj bz cz yg ej'.split(' '), 30))[0] ?? '',
    phoneDigits: phones.rows.map((row) => row.digits),
    filenames: numbered.rows.map((row) => row.filename),
    days: {
      date_from: dayOf(newest.rows[0]?.first ?? new Date()),
      date_to: dayOf(newest.rows[0]?.last ?? new Date()),
    },
    papers: papers.rows.map(({ uploaded_at, ...paper }) => {
      const day = dayOf(uploaded_at);
      return { ...paper, date_from: day, date_to: day };
    }),
  };
}
