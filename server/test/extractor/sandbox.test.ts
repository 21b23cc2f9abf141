import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createExtractor,
  type Extractor,
  type ExtractorLimits,
} from '@customer-database/extractor/extractor';
import { isolationPrefix } from '@customer-database/extractor/isolation';
import { startSandbox } from '@customer-database/extractor/process';
import { usageOf } from '@customer-database/extractor/usage';
import { temporaryFolder } from '@customer-database/testkit/backups';
import { afterFile, afterTest } from '@customer-database/testkit/cleanup';
import { nestedFormsPage, pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { describe, expect, it } from 'vitest';
import type { Targets } from './probe.ts';

const megabyte = 1024 * 1024;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const dyingServer = fileURLToPath(new URL('./dying-server.ts', import.meta.url));

const usualLimits = { cpuMs: 60_000, timeoutMs: 60_000, maxResidentBytes: 768 * megabyte };

function extractorWith(limits: ExtractorLimits = usualLimits, start = startSandbox): Extractor {
  const extractor = createExtractor(limits, start);
  afterFile(() => extractor.close());
  return extractor;
}

const readsOn = async (extractor: Extractor) =>
  expect(await extractor.ask(() => ({ kind: 'text', bytes: samples.pdf }))).toMatchObject({
    outcome: 'text',
  });

// Each starts processes of the lowest priority, which wait on a busy machine.
describe('The process that reads documents', { timeout: 120_000 }, () => {
  it('can do nothing else', async () => {
    let received = 0;
    const count = () => {
      received += 1;
    };
    const folder = await temporaryFolder();
    const socketPath = join(folder, 'socket');
    const secret = join(folder, 'secret.key');
    await writeFile(secret, 'secret');
    const tcp = createServer(count).listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const unix = createServer(count).listen(socketPath);
    const udp = createSocket('udp4', count).bind(port, '127.0.0.1');
    await once(udp, 'listening');
    afterTest(async () => {
      for (const listener of [tcp, unix, udp]) listener.close();
    });
    const links = join(root, 'node_modules', '@customer-database');
    const files = [
      ...[secret, '/etc/passwd', '/proc/self/root/etc/passwd', `/proc/${process.pid}/environ`],
      ...[join(root, 'package.json'), `${links}/server/package.json`, `${links}/words/../../package.json`],
      // Its own code.
      join(links, 'words', 'package.json'),
    ];
    const child = startSandbox({ program: fileURLToPath(new URL('./probe.ts', import.meta.url)) });
    afterTest(async () => void child.kill('SIGKILL'));
    await once(child, 'message');
    const withKernel = isolationPrefix()[0] === 'unshare';
    const targets: Targets = { port, socketPath, serverPid: process.pid, files };
    child.send({ ...targets, withKernel });
    expect((await once(child, 'message'))[0]).toEqual([]);
    expect(received).toBe(0);
  });

  it('ends with the server, also while it reads', async () => {
    const server = spawn(process.execPath, [dyingServer], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const reader = Number(line);
    expect(await usageOf(reader)).toBeDefined();
    server.kill('SIGKILL');
    await expect.poll(() => usageOf(reader), { timeout: 60_000 }).toBeUndefined();
  });

  it('is ended when a document takes too long, and the next one is read', async () => {
    const limits = { ...usualLimits, cpuMs: 500 };
    const extractor = extractorWith(limits);
    const slow = pdfOf([nestedFormsPage()]);
    await expect(extractor.ask(() => ({ kind: 'text', bytes: slow }))).rejects.toThrow(
      'it took too long to read',
    );
    limits.cpuMs = usualLimits.cpuMs;
    await readsOn(extractor);
  });

  it('is ended when a document needs too much memory, and the next one is read', async () => {
    const extractor = extractorWith({ ...usualLimits, maxResidentBytes: 200 * megabyte });
    // Small to store: each line becomes an object of a few hundred bytes.
    const lines = Buffer.from('0 0 m 9 9 l S\n'.repeat(megabyte));
    const large = pdfOf([{ content: lines }]);
    await expect(extractor.ask(() => ({ kind: 'text', bytes: large }))).rejects.toThrow(
      'it needed too much memory',
    );
    await readsOn(extractor);
  });

  it('is replaced when it crashes, and the next document is read', async () => {
    // A small heap, because it takes long to fill a large one.
    const extractor = extractorWith(usualLimits, () => startSandbox({ maxHeapMegabytes: 64 }));
    const opening = '<?xml version="1.0"?><wordDocument>';
    const deep = Buffer.from(opening + '<a>'.repeat(megabyte));
    await expect(extractor.ask(() => ({ kind: 'text', bytes: deep }))).rejects.toThrow('reading it crashed');
    await readsOn(extractor);
  });

  it('is replaced when it died between two documents, or did not start', async () => {
    let starts = 0;
    let child: ChildProcess | undefined;
    const extractor = createExtractor(usualLimits, () => {
      starts += 1;
      child = starts === 1 ? spawn('/no/such/program', { stdio: ['ipc'] }) : startSandbox();
      return child;
    });
    afterFile(() => extractor.close());
    await expect(readsOn(extractor)).rejects.toThrow('ENOENT');
    await readsOn(extractor);
    const exited = once(child as ChildProcess, 'exit');
    child?.kill('SIGKILL');
    await exited;
    await readsOn(extractor);
    expect(starts).toBe(3);
  });

  it('reads only a part of a document with too many pages', async () => {
    const page = textPage('The same page');
    const endless = pdfOf([page], { kids: Array(20_000).fill('5 0 R').join(' '), pageCount: 20_000 });
    const answer = await extractorWith().ask(() => ({ kind: 'text', bytes: endless }));
    expect(answer).toMatchObject({ outcome: 'text', result: { pageCount: 20_000 } });
    const pages = answer.outcome === 'text' ? answer.result.pages.length : 0;
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThanOrEqual(5_000);
  });
});
