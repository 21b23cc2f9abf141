import {
  type FakeScanner,
  scannerThatSays,
  startFakeScanner,
  startHungScanner,
} from '@customer-database/testkit/fake-scanner';
import { describe, expect, it } from 'vitest';
import { createClamdScanner } from '../../src/scanner/clamd.ts';
import { openScanner } from '../../src/scanner/open.ts';
import { ScannerUnavailableError } from '../../src/scanner/port.ts';

const patient = { connectMs: 20_000, answerMs: 20_000 };
const impatient = { connectMs: 300, answerMs: 600 };
const scannerAt = ({ url }: { url: string }, timeouts = patient) => createClamdScanner(url, timeouts);
const file = Buffer.from('what is in the file');
const moreThanBuffersHold = Buffer.alloc(64 * 1024 * 1024, 'x');
const tenMegabytes = Buffer.alloc(10 * 1024 * 1024, 'x');

async function expectNoVerdict(odd: FakeScanner, bytes: Buffer = file): Promise<void> {
  await expect(scannerAt(odd, impatient).scan(bytes)).rejects.toBeInstanceOf(ScannerUnavailableError);
  await expect.poll(() => odd.open()).toBe(0);
}

describe('a file is sent to the scanner', () => {
  it('as one stream: command, length, bytes, end marker', async () => {
    const odd = await scannerThatSays('stream: OK\0');
    expect(await scannerAt(odd).scan(file)).toEqual({ isClean: true });
    const length = Buffer.from([0, 0, 0, file.length]);
    const expected = Buffer.concat([Buffer.from('zINSTREAM\0'), length, file, Buffer.alloc(4)]);
    expect(odd.received().equals(expected)).toBe(true);
    await expect.poll(() => odd.open()).toBe(0);
  });

  it('whole, also at the maximum upload size', async () => {
    const odd = await scannerThatSays('stream: OK\0');
    expect(await scannerAt(odd).scan(tenMegabytes)).toEqual({ isClean: true });
    expect(odd.received().length).toBe(10 + 4 + tenMegabytes.length + 4);
  });

  it('and a finding is reported by name', async () => {
    for (const name of ['Win.Test.EICAR_HDB-1', 'Odd name, with (brackets:68) FOUND']) {
      const odd = await scannerThatSays(`stream: ${name} FOUND\0`);
      expect(await scannerAt(odd).scan(file)).toEqual({ isClean: false, found: name });
    }
  });

  it('and an answer in pieces is put together', async () => {
    const odd = await startFakeScanner((socket, onAsked) =>
      onAsked(() => {
        socket.setNoDelay(true);
        socket.write('stream: ');
        setTimeout(() => socket.write('OK'), 30);
        setTimeout(() => socket.write('\0'), 60);
      }),
    );
    expect(await scannerAt(odd).scan(file)).toEqual({ isClean: true });
  });

  it('and a health check fails where no scanner is', async () => {
    await scannerAt(await startFakeScanner((socket) => socket.write('PONG\0'))).checkHealth();
    const mailServer = await startFakeScanner((socket) => socket.write('220 mail.example.com ESMTP\0'));
    await expect(scannerAt(mailServer).checkHealth()).rejects.toBeInstanceOf(ScannerUnavailableError);
  });
});

describe('there is no verdict, and the connection is closed, when the scanner', () => {
  it.each([
    ['hits its size limit', 'INSTREAM size limit exceeded. ERROR\0'],
    ['reports an error', "stream: Can't allocate memory ERROR\0"],
    ['does not know the command', 'UNKNOWN COMMAND\0'],
    ['sends an empty answer', '\0'],
    ['adds a blank to a good answer', 'stream: OK \0'],
    ['answers in another case', 'STREAM: ok\0'],
    ['names another file', '/etc/passwd: OK\0'],
    ['finds something without a name', 'stream:  FOUND\0'],
    ['sends more after a good answer', 'stream: OK\0stream: Eicar FOUND\0'],
    ['answers several lines', 'stream: OK\nstream: Eicar FOUND\0'],
    ['speaks HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['never ends its answer', 'stream: OK'],
  ])('%s', async (_, answer) => {
    await expectNoVerdict(await scannerThatSays(answer));
  });

  type Script = Parameters<typeof startFakeScanner>[0];

  it.each<[string, Buffer, Script]>([
    [
      'answers OK before it has seen the whole file',
      moreThanBuffersHold,
      (socket) => {
        socket.pause();
        socket.write('stream: OK\0');
      },
    ],
    [
      'answers and hangs up at the size limit while the file is still being sent',
      tenMegabytes,
      (socket) => {
        socket.pause();
        socket.end('INSTREAM size limit exceeded. ERROR\0', () => socket.resetAndDestroy());
      },
    ],
    ['hangs up without an answer', file, (socket, onAsked) => onAsked(() => socket.end())],
    ['hangs up within its answer', file, (socket, onAsked) => onAsked(() => socket.end('stream: OK'))],
    ['hangs up at once', file, (socket) => socket.destroy()],
    ['reads the file and never answers', file, () => {}],
    ['reads nothing at all', tenMegabytes, (socket) => socket.pause()],
    [
      'sends an endless answer in small pieces',
      file,
      (socket) => {
        const timer = setInterval(() => socket.write('stream: '), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s', async (_, bytes, script) => {
    await expectNoVerdict(await startFakeScanner(script), bytes);
  });

  it('sends more than an answer may hold', async () => {
    await expectNoVerdict(await scannerThatSays('x'.repeat(1024 * 1024)));
  });
});

describe('there is no verdict when the scanner', () => {
  const unreachable = async (url: string) => {
    await expect(createClamdScanner(url, impatient).scan(file)).rejects.toBeInstanceOf(
      ScannerUnavailableError,
    );
    await expect(createClamdScanner(url, impatient).checkHealth()).rejects.toBeInstanceOf(
      ScannerUnavailableError,
    );
  };

  it('is not there', async () => {
    await unreachable('tcp://127.0.0.1:1');
    await unreachable('unix:///nowhere/clamd.ctl');
    await unreachable('tcp://no-such-host.invalid:3310');
  });

  it('accepts no connections', async () => {
    const { url } = await startHungScanner();
    const scanner = createClamdScanner(url, { connectMs: 300, answerMs: 60_000 });
    const refusal = new ScannerUnavailableError('the virus scanner does not take connections');
    await expect(scanner.scan(file)).rejects.toThrow(refusal);
    await expect(scanner.checkHealth()).rejects.toThrow(refusal);
  });
});

it('a finding is trusted at any time', async () => {
  const odd = await startFakeScanner((socket) => {
    socket.pause();
    socket.write('stream: Eicar FOUND\0');
  });
  expect(await scannerAt(odd).scan(tenMegabytes)).toEqual({ isClean: false, found: 'Eicar' });
});

it('the reason quotes an odd answer shortened and without control characters', async () => {
  const odd = await scannerThatSays(`\u001b[2K${'secret '.repeat(50)}\0`);
  const error = await scannerAt(odd)
    .scan(file)
    .catch((reason: Error) => reason.message);
  expect(error).toMatch(/^the virus scanner gave no verdict: \?\[2K[ -~]{76}$/);
});

it('no scanner is used without CLAMD_URL', () => {
  expect(openScanner({ clamdUrl: undefined, requestTimeoutMs: 1_000 })).toBeUndefined();
});
