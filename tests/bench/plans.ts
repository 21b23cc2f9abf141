import { readFile, writeFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Statement } from './statement-recorder.ts';

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
};

/** Tables that grow with the data; the others hold at most a few rows per user. */
const largeTables = new Set(['customers', 'documents', 'activity', 'record_counts', 'sessions']);

const explainable = /^(select|insert|update|delete|with)\b/;

function linesOf(node: PlanNode, depth: number): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: children = [] } = node;
  // A cache that comes and goes with the sampled statistics.
  if (type === 'Memoize') return children.flatMap((child) => linesOf(child, depth));
  const words = [type, index && `by ${index}`, table && `on ${table}`].filter(Boolean).join(' ');
  return [`${'  '.repeat(depth)}${words}`, ...children.flatMap((child) => linesOf(child, depth + 1))];
}

function scansOf(node: PlanNode): string[] {
  const table = node['Relation Name'] ?? '';
  const own = node['Node Type'] === 'Seq Scan' && largeTables.has(table) ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

export type CasePlan = { text: string; scannedTables: string[] };

/** The query plans of one request's statements: nodes, indexes and tables, without values and costs. */
export async function planOf(client: pg.ClientBase, statements: Statement[]): Promise<CasePlan> {
  const parts: string[] = [];
  const scannedTables: string[] = [];
  for (const { text, values } of statements) {
    if (!explainable.test(text.trimStart())) continue;
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

export async function readPlan(name: string): Promise<string | undefined> {
  return readFile(fileOf(name), 'utf8').catch(() => undefined);
}

export async function writePlan(name: string, text: string): Promise<void> {
  await writeFile(fileOf(name), text);
}
