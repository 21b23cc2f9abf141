import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgramHere, settingsOf } from '@customer-database/testkit/admin';
import { type Filled, filledApp, makeBackupOf, temporaryFolder } from '@customer-database/testkit/backups';
import { download, issueLink, storageKeyOf } from '@customer-database/testkit/documents';
import { makeDocument } from '@customer-database/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

let filled: Filled;
let objects: string;
let ids: number[];

beforeEach(async () => {
  filled = await filledApp();
  objects = join(filled.app.deps.config.dataDir, 'objects');
  ids = [...filled.documents.keys()];
});

const check = (...args: string[]) => runProgramHere('admin', ['check', ...args], settingsOf(filled.app));
const pathOf = async (id = 0) => join(objects, await storageKeyOf(filled.app, id));

async function flipByte(path: string, at = 9): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(path, bytes);
}

async function putLeftover(name: string, ageHours: number): Promise<string> {
  const path = join(objects, 'documents', '2026', '01', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'left behind');
  const then = new Date(Date.now() - ageHours * 3_600_000);
  await utimes(path, then, then);
  return path;
}

const lastCheck = async () => (await filled.admin.client.get('/api/dashboard')).body.maintenance;

describe('npm run admin -- check', () => {
  it('finds nothing wrong in a healthy installation', async () => {
    await putLeftover('young', 1);
    const { code, stdout } = await check();
    expect(stdout).toMatch(/^Read 4 documents \(\S+ MB\)/);
    expect(stdout).toContain('2 files of the last day without a document: an upload or a deletion');
    expect(stdout).toContain('Every document has its file, byte for byte.');
    expect(code).toBe(0);
    expect(await lastCheck()).toMatchObject({ last_check_problems: 0 });
  });

  it('finds a flipped byte, a deleted object, leftovers and stray files, and changes nothing', async () => {
    await flipByte(await pathOf(ids[0]));
    await rm(await pathOf(ids[1]));
    const leftover = await putLeftover('leftover', 25);
    const strays = ['notes.txt', 'with a space.txt', join('documents', '2026', '.hidden')];
    for (const stray of strays) await writeFile(join(objects, stray), 'x');
    await symlink('/etc/hostname', join(objects, 'link'));
    const { code, output } = await check();
    expect(output).toContain(`Document ${ids[0]} (document.pdf, `);
    expect(output).toContain('its file differs from the upload');
    expect(output).toMatch(new RegExp(`Document ${ids[1]} .*: its file is missing`));
    expect(output).toContain('documents/2026/01/leftover: belongs to no document');
    for (const stray of [...strays, 'link']) {
      expect(output).toContain(`${stray}: is not a file of this program`);
    }
    expect(output).toContain('Found: 1 missing, 1 damaged, 1 leftover, 4 stray.');
    expect(code).toBe(1);
    expect(await readFile(leftover, 'utf8')).toBe('left behind');
    expect(await lastCheck()).toMatchObject({ last_check_problems: 7 });
  });

  it('continues after a file that cannot be read, while the storage works', async () => {
    const path = await pathOf(ids[0]);
    await rm(path);
    // A symlink loop: not even root can open it.
    await symlink(path, path);
    const { code, output } = await check();
    expect(output).toMatch(new RegExp(`Document ${ids[0]} .*: its file .* cannot be read`));
    expect(output).toContain('Read 4 documents');
    expect(output).toContain('Found: 1 damaged, 1 stray.');
    expect(code).toBe(1);
  });

  it('finds an object that was truncated or grew', async () => {
    const path = await pathOf(ids[0]);
    await writeFile(path, (await readFile(path)).subarray(1));
    await writeFile(await pathOf(ids[1]), 'x', { flag: 'a' });
    const { output } = await check();
    expect(output).toContain('Found: 2 missing.');
  });

  it('removes leftovers on request, but only old ones', async () => {
    const [old, young] = [await putLeftover('old', 25), await putLeftover('young', 1)];
    const { code, stdout } = await check('--repair');
    expect(stdout).toContain('Found: 1 leftover. Repaired: 1.');
    expect(code).toBe(0);
    await expect(readFile(old)).rejects.toThrow('ENOENT');
    expect(await readFile(young, 'utf8')).toBe('left behind');
    expect(await lastCheck()).toMatchObject({ last_check_problems: 0 });
  });

  it('restores documents from a backup on request, and says which it cannot', async () => {
    const backups = await temporaryFolder();
    await makeBackupOf(filled.app, backups);
    const late = await makeDocument(filled.admin.client, filled.customerId, {}, Buffer.from('%PDF-1.4 late'));
    await flipByte(await pathOf(ids[0]));
    await rm(await pathOf(ids[1]));
    await rm(await pathOf(late.id));
    expect((await check('--repair')).output).toContain('Repaired: 0.');
    const { code, output } = await check('--repair', '--from', backups);
    expect(output).toContain('Found: 2 missing, 1 damaged. Repaired: 2.');
    expect(output).toContain('Some problems remain.');
    expect(code).toBe(1);
    for (const [id, bytes] of filled.documents) {
      expect((await download(filled.admin.client, id)).equals(bytes)).toBe(true);
    }
  });

  it('says what is wrong with its arguments', async () => {
    expect((await check('--from', '/tmp')).stderr).toContain('--from needs --repair');
    expect((await check('--repair', '--from', '/nowhere')).stderr).toContain('There is no folder /nowhere');
    expect((await check('all')).stderr).toContain('Unexpected argument: all');
  });
});

describe('A document whose file was changed is not served', () => {
  const damagedText = 'The stored file is damaged and is not handed out. Please tell an administrator.';

  async function fetched(id: number, range?: string): Promise<Response> {
    const url = await issueLink(filled.admin.client, id, 'download');
    return fetch(url, { headers: range ? { range } : {} });
  }

  it('small: the response is an error with a text', async () => {
    await flipByte(await pathOf(ids[0]));
    const response = await fetched(ids[0] ?? 0);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: damagedText, code: 'DOCUMENT_DAMAGED' });
  });

  it.each(['bytes=0-3', 'bytes=5-', 'bytes=-4'])('in part (%s): the same error', async (range) => {
    const [id = 0] = ids;
    expect((await fetched(id, range)).status).toBe(206);
    await flipByte(await pathOf(id));
    const response = await fetched(id, range);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'DOCUMENT_DAMAGED' });
  });

  it('large: its last bytes never come', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4 '), Buffer.alloc(5_000_000, 'x')]);
    const { id } = await makeDocument(filled.admin.client, filled.customerId, {}, bytes);
    expect((await download(filled.admin.client, id)).equals(bytes)).toBe(true);
    await flipByte(await pathOf(id), bytes.length - 1);
    const response = await fetched(id);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(filled.app.logs()).toContain('is not what was stored');
  });

  it('of another size, or missing: a storage error', async () => {
    await writeFile(await pathOf(ids[0]), 'short');
    await rm(await pathOf(ids[1]));
    for (const id of ids.slice(0, 2)) expect((await fetched(id)).status).toBe(503);
  });
});
