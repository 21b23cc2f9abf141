import { readFile, writeFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Statement } from './recorded.ts';

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
};

/** Tables that grow with the company; the others hold a few rows for each user at most. */
const largeTables = new Set(['customers', 'documents', 'activity', 'record_counts', 'sessions']);

const explained = /^(select|insert|update|delete|with)\b/;

function linesOf(node: PlanNode, depth: number): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: below = [] } = node;
  // A cache for what lies below, which comes and goes with the rows that statistics are sampled from.
  if (type === 'Memoize') return below.flatMap((child) => linesOf(child, depth));
  const words = [type, index && `by ${index}`, table && `on ${table}`].filter(Boolean).join(' ');
  return [`${'  '.repeat(depth)}${words}`, ...below.flatMap((child) => linesOf(child, depth + 1))];
}

function scansOf(node: PlanNode): string[] {
  const table = node['Relation Name'] ?? '';
  const own = node['Node Type'] === 'Seq Scan' && largeTables.has(table) ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

export type CasePlan = { text: string; scannedTables: string[] };

/** How the database goes about the statements of one request: nodes, indexes and tables, no values and no costs. */
export async function planOf(client: pg.ClientBase, statements: Statement[]): Promise<CasePlan> {
  const parts: string[] = [];
  const scannedTables: string[] = [];
  for (const { text, values } of statements) {
    if (!explained.test(text.trimStart())) continue;
    const { rows } = await client.query(`explain (format json) ${text}`, values);
    const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
    parts.push(`${text.replace(/\s+/g, ' ').trim()}\n${linesOf(plan, 1).join('\n')}`);
    scannedTables.push(...scansOf(plan));
  }
  return { text: `${parts.join('\n\n')}\n`, scannedTables };
}

const fileOf = (name: string) =>
  new URL(
    `plans/${name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '')}.txt`,
    import.meta.url,
  );

export async function keptPlan(name: string): Promise<string | undefined> {
  return readFile(fileOf(name), 'utf8').catch(() => undefined);
}

export async function keepPlan(name: string, text: string): Promise<void> {
  await writeFile(fileOf(name), text);
}
