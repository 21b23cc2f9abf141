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
  /** The first refused lines. All are counted and written to the report. */
  readonly first: RefusedLine[];
  add(line: number, reason: string, values: string[]): void;
  /** Backpressure: waits while the report falls behind. */
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

/** Only the user can read the report, because it contains personal data. */
function openReport(path: string, header: string[]) {
  const rows = stringify();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const done = finished(rows.pipe(file)).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new AppError('VALIDATION_FAILED', `${path} cannot be written (${code})`);
  });
  // `close` awaits this. Until then, a failure must not end the process.
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

/** Writes refused lines with their reasons to the report, if there is a path. */
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
      // Escaped as in an export, so that users can correct the report in a spreadsheet and import it.
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
