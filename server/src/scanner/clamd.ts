import { connect, type NetConnectOpts } from 'node:net';
import { type Scanner, ScannerUnavailableError, type Verdict } from './port.ts';

const defaultPort = 3310;
const maxAnswerBytes = 4096;

export type ClamdTimeouts = { connectMs: number; answerMs: number };

/** `isEarly`: the answer arrived before the whole request was sent. */
type Answer = { text: string; isEarly: boolean };

function addressOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) };
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
}

/** One request and one zero-terminated answer per connection. */
function ask(address: NetConnectOpts, question: Buffer[], timeouts: ClamdTimeouts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    let isSent = false;
    const socket = connect(address);

    function settle(outcome: Answer | ScannerUnavailableError): void {
      clearTimeout(connecting);
      clearTimeout(answering);
      socket.destroy();
      if (outcome instanceof ScannerUnavailableError) reject(outcome);
      else resolve(outcome);
    }
    const fail = (reason: string, cause?: unknown) =>
      settle(new ScannerUnavailableError(`the virus scanner ${reason}`, { cause }));
    const connecting = setTimeout(() => fail('does not take connections'), timeouts.connectMs);
    const answering = setTimeout(() => fail('did not answer in time'), timeouts.answerMs);

    socket.once('connect', () => clearTimeout(connecting));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(0);
      if (received.length > maxAnswerBytes) fail('sent too long an answer');
      else if (end < 0) return;
      else if (end < received.length - 1) fail('sent data after its answer');
      else settle({ text: received.toString('utf8', 0, end), isEarly: !isSent });
    });
    socket.on('error', (error) => fail('cannot be reached', error));
    socket.on('close', () => fail('closed the connection without an answer'));
    for (const part of question.slice(0, -1)) socket.write(part);
    socket.write(question.at(-1) ?? '', () => {
      isSent = true;
    });
  });
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}

/** Short and without file contents, for the log. */
const excerptOf = (text: string) => text.replace(/[^ -~]/g, '?').slice(0, 80);

/** Only this exact answer, after all bytes were sent, means clean. */
function verdictOf({ text, isEarly }: Answer): Verdict {
  if (text === 'stream: OK' && !isEarly) return { isClean: true };
  const found = /^stream: (.+) FOUND$/.exec(text)?.[1];
  if (found !== undefined) return { isClean: false, found };
  throw new ScannerUnavailableError(`the virus scanner gave no verdict: ${excerptOf(text)}`);
}

/** The protocol of ClamAV's daemon: https://docs.clamav.net/manual/Usage/Scanning.html#clamd */
export function createClamdScanner(url: string, timeouts: ClamdTimeouts): Scanner {
  const address = addressOf(url);
  const endOfStream = Buffer.alloc(4);
  return {
    async scan(bytes) {
      const stream = [Buffer.from('zINSTREAM\0'), lengthOf(bytes), bytes, endOfStream];
      return verdictOf(await ask(address, stream, timeouts));
    },
    async checkHealth() {
      const { text } = await ask(address, [Buffer.from('zPING\0')], timeouts);
      if (text !== 'PONG') throw new ScannerUnavailableError(`no virus scanner: ${excerptOf(text)}`);
    },
  };
}
