import { sql } from 'kysely';
import type { Database } from './client.ts';
import { type Term, wholeTerm } from './filters.ts';
import { type Commonness, rareParts } from './rare-parts.ts';

/** The texts that PostgreSQL keeps such statistics of. */
export type Text =
  | 'customers_name'
  | 'customers_name_further_on'
  | 'customers_email'
  | 'customers_street_line'
  | 'documents_filename';

export type TermOf = (text: Text, whole: string) => Term;

type Known = Map<string, { commonness: Commonness; records: number; asOf: string }>;

/** When ANALYZE last read the table with this oid. */
export const statisticsMade = (oid: string) => sql<string>`
  coalesce(greatest(pg_stat_get_last_analyze_time(${sql.ref(oid)}), pg_stat_get_last_autoanalyze_time(${sql.ref(oid)}))::text, '')`;

const isThreeLetters = /^[a-z0-9]{3}$/i;

// They change with the data, slowly, and decide about nothing but speed.
const knownForMs = 10 * 60_000;

async function readStatistics(db: Database): Promise<Known> {
  // After those of the elements, the frequencies hold three more numbers.
  const { rows } = await sql<{
    name: string;
    records: number;
    as_of: string;
    trigrams: string[];
    frequencies: number[];
  }>`
    select statistics_name as name, reltuples as records, ${statisticsMade('pg_class.oid')} as as_of,
      most_common_elems::text::text[] as trigrams, most_common_elem_freqs as frequencies
    from pg_stats_ext_exprs join pg_class on pg_class.oid = tablename::regclass
    where schemaname = current_schema and most_common_elems is not null`.execute(db);
  return new Map(
    rows.map(({ name, records, as_of, trigrams, frequencies }) => {
      const known = new Map(trigrams.map((trigram, place) => [trigram, frequencies[place] ?? 0]));
      const rarest = Math.min(...known.values());
      return [name, { records, asOf: as_of, commonness: (trigram: string) => known.get(trigram) ?? rarest }];
    }),
  );
}

const reads = new WeakMap<Database, { at: number; known: Promise<Known> }>();

/** Without statistics, in a new installation, a term is looked for as a whole. */
export async function termsByRarity(db: Database, isOnlyFilter = true): Promise<TermOf> {
  let read = reads.get(db);
  if (!read || performance.now() - read.at > knownForMs) {
    read = { at: performance.now(), known: readStatistics(db) };
    // The next search tries again.
    read.known.catch(() => reads.delete(db));
    reads.set(db, read);
  }
  const known = await read.known;
  return (text, whole) => {
    const statistics = known.get(`${text}_trigrams`);
    if (!statistics) return wholeTerm(whole);
    const { parts, share } = rareParts(whole, statistics.commonness, isOnlyFilter);
    const atMost = share * statistics.records;
    if (!isThreeLetters.test(whole)) return { whole, parts, atMost };
    return { whole, parts, atMost, expected: { matches: atMost, asOf: statistics.asOf } };
  };
}

/** For who finds that there are newer ones. */
export const forgetStatistics = (db: Database) => reads.delete(db);
