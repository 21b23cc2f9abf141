import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@customer-database/testkit/backups';
import { afterFile } from '@customer-database/testkit/cleanup';
import { canIsolate } from '@customer-database/testkit/libreoffice';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JailLimits } from '../../src/converter/jail.ts';
import { createLibreOffice } from '../../src/converter/libreoffice.ts';
import { conversionLimits } from '../../src/converter/open.ts';
import { ConverterClosed, ConverterUnavailable } from '../../src/converter/port.ts';
import { programOf } from './fake-program.ts';
import { listen, processesWith } from './watch.ts';

const megabyte = 1024 * 1024;
const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const dyingServer = fileURLToPath(new URL('./dying-server.ts', import.meta.url));

function converterWith(limits: Partial<JailLimits>, program: string, hidden: string[] = []) {
  const converter = createLibreOffice({ program, hidden }, { ...conversionLimits, ...limits });
  afterFile(() => converter.close());
  return converter;
}

describe.skipIf(!canIsolate())('What runs in the place of LibreOffice', { timeout: 120_000 }, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'secret.key'), 'secret');
  });

  const outputOf = async (script: string, limits: Partial<JailLimits> = {}, hidden: string[] = []) =>
    String(await converterWith(limits, await programOf(script), hidden).convert(Buffer.from('x'), '.doc'));

  it('sees nothing of this machine but its programs', async () => {
    const { port, received } = await listen();
    process.env.PROBED_SECRET = 'Rosebud';
    const paths = [root, folder, '/etc/passwd', '/etc/shadow', '/root', '/home', '/var/log', '/run', '/sys'];
    const output = await outputOf(`exec >/tmp/document.pdf
echo %PDF-
for path in ${paths.join(' ')} ${join(folder, 'secret.key')}; do [ -e $path ] && echo "sees $path"; done
echo x >/usr/bin/x && echo 'writes programs'
echo x >/x && echo 'writes the root'
mount -t tmpfs tmpfs /tmp && echo mounts
unshare --user --map-root-user true && echo 'makes namespaces'
bash -c 'echo x >/dev/tcp/127.0.0.1/${port}' && echo connects
kill -KILL 1 ${process.pid} && echo kills
cat /proc/1/environ && echo 'reads an environment'
ls -d /proc/[0-9]* | grep -qx /proc/1 && echo 'sees the first process'
grep -q '^CapBnd:.*[1-9a-f]' /proc/self/status && echo 'may get rights'
env
nice
echo %%EOF`);
    delete process.env.PROBED_SECRET;
    const lines = output.trim().split('\n').slice(1, -1);
    const names = lines.slice(0, -1).map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'SAL_USE_VCLPLUGIN']));
    expect(lines.at(-1)).toBe('19');
    expect(received()).toBe(0);
  });

  it('does not see hidden folders inside of visible ones', async () => {
    const program = await programOf('');
    const inside = join(program, '../../data');
    await mkdir(inside);
    await writeFile(join(inside, 'secret.key'), 'secret');
    await writeFile(
      program,
      `#!/bin/sh\n{ echo %PDF-; ls ${inside} ${inside}/secret.key; echo %%EOF; } >/tmp/document.pdf 2>&1`,
    );
    const hiding = converterWith({}, program, [inside]);
    expect(String(await hiding.convert(Buffer.from('x'), '.doc'))).not.toMatch(/^secret|^\/.*secret.key$/m);
  });

  it('leaves nothing behind for the next document', async () => {
    const program = await programOf(
      '{ echo %PDF-; ls /tmp /tmp/profile; echo %%EOF; } >/tmp/document.pdf; echo x >/tmp/left',
    );
    const leaving = converterWith({}, program);
    await leaving.convert(Buffer.from('x'), '.doc');
    expect(String(await leaving.convert(Buffer.from('x'), '.doc'))).not.toContain('left');
  });

  it.each([
    ['time', 'sleep 1000', { timeoutMs: 2_000 }, 'it took too long to convert'],
    ['processor time', 'while :; do :; done', { cpuMs: 1_000 }, 'it took too long to convert'],
    [
      'memory',
      'x=$(head -c 400m /dev/zero | tr "\\0" x)',
      { maxResidentBytes: 100 * megabyte },
      /too much memory|cannot/,
    ],
    [
      'a large PDF',
      '{ echo %PDF-; head -c 9m /dev/urandom; } >/tmp/document.pdf',
      { maxPdfBytes: megabyte },
      'its PDF would be too large',
    ],
  ])('is ended when it takes too much: %s', async (_what, script, limits, message) => {
    const program = await programOf(`grep -q 'One line' /tmp/document.doc || { ${script}; exit; }
echo %PDF- %%EOF >/tmp/document.pdf`);
    const bounded = converterWith(limits, program);
    await expect(bounded.convert(Buffer.from('x'), '.doc')).rejects.toThrow(message);
    expect(await processesWith(program)).toEqual([]);
    expect(String(await bounded.convert(Buffer.from('One line'), '.doc'))).toContain('%PDF-');
  });

  it('cannot fill the machine with processes or its folder with files', async () => {
    const output = await outputOf(`exec >/tmp/document.pdf 2>/dev/null
echo %PDF-
for i in $(seq 20); do head -c 30m /dev/urandom >/tmp/file$i || break; done; du -sm /tmp | cut -f1; rm /tmp/file*
(trap 'kill $started' EXIT; while :; do sleep 1000 & started="$started $!"; count=$((count + 1)); echo $count >/tmp/count; done)
cat /tmp/count; echo %%EOF`);
    const [, megabytes, processes] = output.split('\n').map(Number);
    expect(processes).toBeLessThan(140);
    expect(megabytes).toBeLessThan(257);
  });

  it('ends with the server, even when that is killed', async () => {
    const mark = `98765${process.pid}`;
    const program = await programOf(`sleep ${mark}`);
    const server = spawn(process.execPath, [dyingServer, program], { stdio: 'inherit' });
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toHaveLength(1);
    server.kill('SIGKILL');
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toEqual([]);
    expect(await processesWith(program)).toEqual([]);
  });

  it('ends at a shutdown', async () => {
    const mark = `87654${process.pid}`;
    const closing = converterWith({}, await programOf(`sleep ${mark}`));
    const running = closing.convert(Buffer.from('x'), '.doc');
    running.catch(() => undefined);
    await expect.poll(() => processesWith(`sleep\0${mark}`), { timeout: 30_000 }).toHaveLength(1);
    await closing.close();
    await expect(running).rejects.toThrow(ConverterClosed);
    expect(await processesWith(`sleep\0${mark}`)).toEqual([]);
  });

  it('is blamed for a failure only if it converts no other document either', async () => {
    const broken = converterWith({}, await programOf('exit 1'));
    await expect(broken.convert(Buffer.from('x'), '.doc')).rejects.toThrow(ConverterUnavailable);
  });
});
