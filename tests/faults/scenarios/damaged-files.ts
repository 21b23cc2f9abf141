import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ProgramResult, startProgram } from '@customer-database/testkit/admin';
import { issueLink } from '@customer-database/testkit/documents';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Findings, plural, type Scenario } from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { countsText, type LedgerDocument } from '../harness/ledger.ts';
import { openLedger } from '../harness/load.ts';
import { withDatabase } from '../harness/postgres.ts';
import { sha256Of, uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

const dayMs = 24 * 3_600_000;

async function pathOf({ folder }: Installation, { id }: LedgerDocument): Promise<string> {
  const key = await withDatabase(folder, async (client) => {
    const { rows } = await client.query('select storage_key from documents where id = $1', [id]);
    return String(rows[0]?.storage_key);
  });
  return join(folder, 'objects', key);
}

/** Like a failing disk: size and times of the file stay the same. */
async function flipBit(path: string, random: () => number): Promise<void> {
  const { atime, mtime } = await stat(path);
  const bytes = await readFile(path);
  const at = wholeNumber(0, bytes.length - 1, random);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << wholeNumber(0, 7, random)), at);
  await writeFile(path, bytes);
  await utimes(path, atime, mtime);
}

async function putStray(installation: Installation, number: number): Promise<string> {
  const key = `documents/2026/01/stray-${number}`;
  const path = join(installation.folder, 'objects', key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'x');
  const longAgo = new Date(Date.now() - 2 * dayMs);
  await utimes(path, longAgo, longAgo);
  return key;
}

/** Requests it whole, in part and again: what arrives with a success status must be intact. */
async function expectNotServed(installation: Installation, document: LedgerDocument, findings: Findings) {
  for (const range of [undefined, 'bytes=0-99', 'bytes=-100', undefined]) {
    const url = await issueLink(installation.admin, document.id ?? 0, 'download');
    const response = await fetch(url, { headers: range ? { range } : {} });
    const bytes = await response.arrayBuffer().then(Buffer.from, () => undefined);
    findings.expect(
      !response.ok || bytes === undefined,
      `${document.filename} was served as good (${range ?? 'whole'}, ${response.status})`,
    );
  }
}

async function expectServed(installation: Installation, document: LedgerDocument, findings: Findings) {
  const response = await fetch(await issueLink(installation.admin, document.id ?? 0, 'view'));
  const isSame = response.ok && sha256Of(Buffer.from(await response.arrayBuffer())) === document.sha256;
  if (!isSame) findings.lost.push(`${document.filename}: not served although nothing was done to it`);
}

function runTool({ folder }: Installation, name: 'admin' | 'backup', args: string[]): Promise<ProgramResult> {
  return startProgram(name, args, { DATA_DIR: folder }).result;
}

/** A flipped bit, a deleted object, a stray file: found by the check, never served as good, repaired. */
export const damagedFiles: Scenario = {
  name: 'damaged-files',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'damaged-files');
    const ledger = await openLedger(installation);
    const points = random('points');
    const customerId = ledger.customers[0]?.id ?? 0;
    const rounds = times(20, 2);
    const place = join(folder, 'damaged-files-backup');
    for (let count = 0; count < 3 * rounds; count += 1) {
      const size = Math.round(1_000 * 5_000 ** points());
      await uploadOrThrow(ledger, installation.admin, customerId, size);
    }
    const backup = await runTool(installation, 'backup', [place]);
    findings.expect(backup.code === 0, `the backup failed: ${backup.output}`);

    const expected: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [flipped, deleted] = ledger.documents.slice(3 * round, 3 * round + 2);
      if (!flipped || !deleted) throw new Error('There are not enough documents');
      await flipBit(await pathOf(installation, flipped), points);
      await rm(await pathOf(installation, deleted));
      expected.push(
        `Document ${flipped.id} `,
        `Document ${deleted.id} `,
        await putStray(installation, round),
      );
    }
    const check = await runTool(installation, 'admin', ['check']);
    findings.expect(check.code === 1, 'the check did not fail');
    for (const name of expected) {
      findings.expect(check.output.includes(name), `the check did not name ${name.trim()}`);
    }
    const found = `Found: ${rounds} missing, ${rounds} damaged, ${rounds} leftover.`;
    findings.expect(check.output.includes(found), `the check found something else:\n${check.output}`);
    progress(found);
    for (const [index, document] of ledger.documents.entries()) {
      if (index % 3 === 2) await expectServed(installation, document, findings);
      else await expectNotServed(installation, document, findings);
    }

    const began = performance.now();
    const repair = await runTool(installation, 'admin', ['check', '--repair', '--from', place]);
    const seconds = (performance.now() - began) / 1000;
    findings.expect(repair.code === 0, `not everything was repaired:\n${repair.output}`);
    const { leftovers } = await verify(installation, ledger, findings, 'all');
    findings.expect(leftovers.length === 0, `${leftovers.length} strays are still there`);
    await installation.close();
    return [
      {
        what: 'a flipped bit, a deleted object, a file from nowhere in the data folder',
        times: 3 * rounds,
        checked: countsText(ledger),
        recoveries: [seconds],
        seen: `all ${plural(3 * rounds, 'fault')} named by the check, none served as good; a repair from a backup brought everything back`,
        findings,
      },
    ];
  },
};
