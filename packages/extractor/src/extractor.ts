import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pLimit from 'p-limit';
import { residentBytesOf } from './memory.ts';
import { startSandbox } from './process.ts';
import type { Answer, Request } from './protocol.ts';

export type ExtractorLimits = { timeoutMs: number; maxResidentBytes: number };

/** The document made the process exceed its limits or crash. */
export class ExtractionFailed extends Error {
  override name = 'ExtractionFailed';
}

/** Ended by a shutdown: says nothing about the document. */
export class ExtractorClosed extends Error {
  override name = 'ExtractorClosed';
}

export type Extractor = {
  /** One request at a time. It is made when its turn has come, so that those that wait hold no bytes. */
  ask(makeRequest: () => Promise<Request> | Request): Promise<Answer>;
  close(): Promise<void>;
};

const memoryCheckMs = 50;
// It holds its libraries in memory, and whatever a document may have left there.
const idleMs = 30_000;
const requestsPerProcess = 100;

/** `start` is for tests. */
export function createExtractor(limits: ExtractorLimits, start = startSandbox): Extractor {
  const oneAtATime = pLimit(1);
  let child: ChildProcess | undefined;
  let served = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const ending = child;
    child = undefined;
    served = 0;
    const isRunning = ending?.pid !== undefined && ending.exitCode === null && ending.signalCode === null;
    if (!isRunning) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  }

  function exchange(process: ChildProcess, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => settle(() => reject(new ExtractionFailed(reason)));
      const timer = setTimeout(() => fail('it took too long to read'), limits.timeoutMs);
      const memoryTimer = setInterval(async () => {
        const bytes = process.pid === undefined ? 0 : await residentBytesOf(process.pid);
        if (bytes !== undefined && bytes > limits.maxResidentBytes) fail('it needed too much memory to read');
      }, memoryCheckMs);
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      const onExit = () =>
        settle(() => reject(isClosed ? new ExtractorClosed() : new ExtractionFailed('reading it crashed')));
      // It could not be started: not the fault of the document.
      const onError = (error: Error) => settle(() => reject(error));
      function settle(finish: () => void): void {
        clearTimeout(timer);
        clearInterval(memoryTimer);
        process.off('message', onMessage);
        process.off('exit', onExit);
        process.off('error', onError);
        finish();
      }
      process.once('message', onMessage);
      process.once('exit', onExit);
      process.once('error', onError);
      // If it dies while it receives the request, its exit says so.
      process.send(request, () => undefined);
    });
  }

  async function ask(makeRequest: () => Promise<Request> | Request): Promise<Answer> {
    const request = await makeRequest();
    if (isClosed) throw new ExtractorClosed();
    clearTimeout(idleTimer);
    // It may have died while it was idle.
    if (!child?.connected) await end();
    child ??= start();
    try {
      const answer = await exchange(child, request);
      served += 1;
      if (served >= requestsPerProcess) await end();
      else idleTimer = setTimeout(() => void end(), idleMs).unref();
      return answer;
    } catch (error) {
      await end();
      throw error;
    }
  }

  return {
    ask: (makeRequest) => oneAtATime(() => ask(makeRequest)),
    async close() {
      isClosed = true;
      await end();
    },
  };
}
