import type pg from 'pg';
import { type Case, getAs, read } from '../cases.ts';
import { naturalWords, wordsExpected } from './natural-words.ts';
import { maxTexts, pagesPerDocument, wordsPerPage } from './pages.ts';

const perCase = 20;

/** Spread over the list. */
function some<T>(items: readonly T[], count = perCase): T[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0).slice(0, count);
}

async function known(pool: pg.Pool, words: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ word: string }>(
    'select word from known_words where word = any($1) order by word',
    [words],
  );
  return rows.map(({ word }) => word);
}

/** With two letters swapped, and the beginning of no word. */
async function mistyped(pool: pg.Pool, words: string[]): Promise<string[]> {
  const typed = words.map((word) => `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`);
  const { rows } = await pool.query<{ typed: string }>(
    `select typed from unnest($1::text[]) as typed
     where not exists (select from known_words where starts_with(word, typed))`,
    [typed],
  );
  return rows.map((row) => row.typed);
}

/** Pages of documents spread over all different texts. */
async function samplePages(pool: pg.Pool, documents: number, page: number): Promise<string[][]> {
  const texts = Math.min(documents, maxTexts);
  const ids = Array.from({ length: perCase }, (_, index) => Math.ceil(((index + 0.5) * texts) / perCase));
  const { rows } = await pool.query<{ content: string }>(
    'select content from document_pages where document_id = any($1) and page = $2 order by document_id',
    [ids, page],
  );
  return rows.map(({ content }) => content.toLowerCase().replaceAll('.', '').split(' '));
}

/** The ends of long words, with which no word begins. */
async function parts(pool: pg.Pool, words: string[]): Promise<string[]> {
  const ends = [...new Set(words.filter((word) => word.length > 8).map((word) => word.slice(-6)))];
  const { rows } = await pool.query<{ part: string }>(
    `select part from unnest($1::text[]) as part
     where not exists (select from known_words where starts_with(word, part))`,
    [ends],
  );
  return rows.map(({ part }) => part);
}

/** Questions about words inside of documents. */
export async function searchCases(
  pool: pg.Pool,
  { documents, pages, token }: { documents: number; pages: number; token: string },
): Promise<Case[]> {
  /** Words that are expected on so many pages, up to three times as many. */
  const onPages = async (count: number) => {
    const words = wordsExpected(count, 3 * count, pages * wordsPerPage);
    return known(
      pool,
      words.filter((word) => word.length > 5),
    );
  };
  const all = naturalWords.map(({ word }) => word);
  const anywhere = new Set(await known(pool, all));
  const rare = all.filter((word) => anywhere.has(word)).slice(-10 * perCase);
  const fair = await onPages(pages / 200);
  const frequent = await onPages(pages / 30);
  const common = await onPages(pages / 5);
  const pathOf = (q: string) => `/api/search?${new URLSearchParams({ q, in: 'text', limit: '20' })}`;
  const caseOf = (name: string, asked: string[], question = 'text-search'): Case => {
    const requests = asked.map((q) => getAs({ token }, question, pathOf(q)));
    return { ...read(name, { ratio: 0, mayGrow: true }, requests), connections: 1 };
  };
  const pairs = some(fair).map((word, index) => `${word} ${frequent[index % frequent.length]}`);
  const exclusions = some(fair).map((word, index) => `${word} -${common[index % common.length]}`);
  const quoted = (await samplePages(pool, documents, 2)).map((words) => `"${words.slice(13, 16).join(' ')}"`);
  const [firstPages, lastPages] = [
    await samplePages(pool, documents, 1),
    await samplePages(pool, documents, pagesPerDocument),
  ];
  const longest = (words: string[] = []) =>
    words.toSorted((one, other) => other.length - one.length)[0] ?? '';
  const apart = firstPages.map((words, index) => `${longest(words)} ${longest(lastPages[index])}`);
  const long = fair.filter((word) => word.length > 7);
  return [
    caseOf('a rare word', some(rare)),
    caseOf('two words', pairs),
    caseOf('two rare words on different pages', apart),
    caseOf('a word without another', exclusions),
    caseOf('a phrase', quoted, 'text-search-phrase'),
    caseOf('a common word', some(common)),
    caseOf('a word on every tenth to thirtieth page', some(frequent)),
    caseOf('a part of a word', some(await parts(pool, fair)), 'text-search-part'),
    caseOf('a mistyped word', some(await mistyped(pool, long)), 'text-search-mistyped'),
  ];
}
