import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { escapeFormula, unescapeFormula } from '../../../core/csv-formulas.ts';
import { AppError } from '../../../http/errors.ts';

const maxListed = 20;

export type RefusedLine = { line: number; reason: string };

export type RefusedLines = {
  readonly count: number;
  /** The first ones; the others are only counted, and written into the report. */
  readonly first: RefusedLine[];
  add(line: number, reason: string, values: string[]): void;
  /** Backpressure: waits while the report is written slower than the lines are read. */
  drain(): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
};

export async function refuseExistingReport(path: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  if (exists)
    throw new AppError('VALIDATION_FAILED', `${path} exists already. Give the report another name.`);
}

/** Contains personal data; created with the first refused line. */
function openReport(path: string, header: string[]) {
  const rows = stringify();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const done = finished(rows.pipe(file)).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new AppError('VALIDATION_FAILED', `${path} cannot be written (${code})`);
  });
  // Awaited when the report is closed; until then a failure must not end the process.
  done.catch(() => undefined);
  rows.write(['line', 'reason', ...header]);
  return {
    write: (cells: string[]) => rows.write(cells),
    drained: () => Promise.race([once(rows, 'drain'), done]),
    close: () => {
      rows.end();
      return done;
    },
  };
}

/** With a path, every refused line is also written there, with its reason. */
export function collectRefusedLines(header: string[], path: string | undefined): RefusedLines {
  const first: RefusedLine[] = [];
  let count = 0;
  let report: ReturnType<typeof openReport> | undefined;
  let needsDrain = false;
  return {
    get count() {
      return count;
    },
    first,
    add(line, reason, values) {
      count += 1;
      if (count <= maxListed) first.push({ line, reason });
      if (!path) return;
      report ??= openReport(path, header);
      // As in an export, so that a report can be corrected in a spreadsheet and imported.
      const cells = values.map((value) => escapeFormula(unescapeFormula(value)));
      needsDrain = !report.write([String(line), reason, ...cells]);
    },
    async drain() {
      if (needsDrain) await report?.drained();
      needsDrain = false;
    },
    close: async () => report?.close(),
    async discard() {
      const isOurs = await report?.close().then(
        () => true,
        () => false,
      );
      if (isOurs && path) await rm(path, { force: true });
    },
  };
}
