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

/** They hand on what other nodes read and sort; a Memoize comes and goes with the sampled statistics. */
const passingNodes = new Set(['Append', 'CTE Scan', 'Hash', 'Limit', 'Memoize', 'Result', 'Subquery Scan']);

const explainable = /^(select|insert|update|delete|with)\b/;

function linesOf(node: PlanNode, depth: number): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: children = [] } = node;
  if (passingNodes.has(type)) return children.flatMap((child) => linesOf(child, depth));
  const words = [type, index && `by ${index}`, table && `on ${table}`].filter(Boolean).join(' ');
  return [`${'  '.repeat(depth)}${words}`, ...children.flatMap((child) => linesOf(child, depth + 1))];
}

function scansOf(node: PlanNode): string[] {
  const table = node['Relation Name'] ?? '';
  const own = node['Node Type'] === 'Seq Scan' && largeTables.has(table) ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

/** `parts` are its statements, each with its plan: nodes, indexes and tables, without values and costs. */
export type CasePlan = { name: string; parts: string[]; scannedTables: string[] };

/** Of one request's statements. */
export async function planOf(
  client: pg.ClientBase,
  name: string,
  statements: Statement[],
): Promise<CasePlan> {
  const parts: string[] = [];
  const scannedTables: string[] = [];
  for (const { text, values } of statements) {
    if (!explainable.test(text.trimStart())) continue;
    const { rows } = await client.query(`explain (format json) ${text}`, values);
    const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
    parts.push(`${text.replace(/\s+/g, ' ').trim()}\n${linesOf(plan, 1).join('\n')}`);
    scannedTables.push(...scansOf(plan));
  }
  return { name, parts, scannedTables };
}

/** Each statement with its plan once, below the cases that send it. */
function textOf(plans: CasePlan[]): string {
  const casesOf = new Map<string, string[]>();
  for (const { name, parts } of plans) {
    for (const part of new Set(parts)) casesOf.set(part, [...(casesOf.get(part) ?? []), name]);
  }
  return `${[...casesOf].map(([part, names]) => `${names.join('; ')}\n${part}`).join('\n\n')}\n`;
}

const file = new URL('plans.txt', import.meta.url);

export const keepPlans = (plans: CasePlan[]) => writeFile(file, textOf(plans));

/** The plans that are not among the kept ones. */
export async function changedPlans(plans: CasePlan[]): Promise<string[]> {
  const kept = (await readFile(file, 'utf8')).trimEnd().split('\n\n');
  const found = textOf(plans).trimEnd().split('\n\n');
  return found.filter((part) => !kept.includes(part));
}
