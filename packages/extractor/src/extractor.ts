import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pLimit from 'p-limit';
import { ExtractionFailed, ExtractionTimedOut, ExtractorClosed, ExtractorNotStarted } from './errors.ts';
import { startSandbox } from './process.ts';
import type { Answer, Request } from './protocol.ts';
import { largestProcess, usageOf } from './usage.ts';
import { readWholeText } from './whole-text.ts';

export type ExtractorLimits = {
  /** Processor time for one request. */
  cpuMs: number;
  /** Longer than `cpuMs`: on a busy machine the process waits for a processor. */
  timeoutMs: number;
  maxResidentBytes: number;
};

export type Extractor = {
  /** One request at a time, made when its turn comes, so that waiting requests hold no bytes. */
  ask(makeRequest: () => Promise<Request> | Request): Promise<Answer>;
  close(): Promise<void>;
};

const usageCheckMs = 50;
// A process that works uses the processor, however busy the machine is.
const stalledMs = 20_000;
// On a busy machine a process of the lowest priority loads its code slowly.
const startTimeoutMs = 120_000;
// An idle process keeps its libraries in memory.
const idleMs = 30_000;
const requestsPerProcess = 100;

/** `pid` is the process to measure, which may be a descendant of `child`. */
type Running = { child: ChildProcess; pid: number };

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Resolves when the process has loaded its code. */
async function untilStarted(child: ChildProcess): Promise<Running> {
  const signal = AbortSignal.timeout(startTimeoutMs);
  const exited = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`it exited with ${code}`);
  });
  await Promise.race([once(child, 'message', { signal }), exited]).catch((cause: Error) => {
    throw new ExtractorNotStarted(`the process that reads documents did not start: ${cause.message}`, {
      cause,
    });
  });
  return { child, pid: await largestProcess(child.pid ?? 0) };
}

export function createExtractor(limits: ExtractorLimits, start = startSandbox): Extractor {
  const oneAtATime = pLimit(1);
  let child: ChildProcess | undefined;
  let running: Promise<Running> | undefined;
  let served = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const ending = child;
    child = undefined;
    running = undefined;
    served = 0;
    if (ending?.pid === undefined || hasEnded(ending)) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  }

  async function exchangeOrEnd(started: Running, request: Request): Promise<Answer> {
    try {
      return await exchange(started, request);
    } catch (error) {
      await end();
      throw isClosed ? new ExtractorClosed() : error;
    }
  }

  async function exchange({ child, pid }: Running, request: Request): Promise<Answer> {
    const before = (await usageOf(pid))?.cpuMs ?? 0;
    let lastProgress = { cpuMs: before, at: performance.now() };
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => settle(() => reject(error));
      const tooLong = 'it took too long to read';
      const timer = setTimeout(() => fail(new ExtractionTimedOut(tooLong)), limits.timeoutMs);
      const usageTimer = setInterval(async () => {
        const usage = await usageOf(pid);
        if (!usage) return;
        const now = performance.now();
        if (usage.cpuMs > lastProgress.cpuMs) lastProgress = { cpuMs: usage.cpuMs, at: now };
        if (now - lastProgress.at > stalledMs) fail(new ExtractionTimedOut(tooLong));
        if (usage.cpuMs - before > limits.cpuMs) fail(new ExtractionFailed(tooLong));
        if (usage.residentBytes > limits.maxResidentBytes) {
          fail(new ExtractionFailed('it needed too much memory to read'));
        }
      }, usageCheckMs);
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      const onExit = () => fail(new ExtractionFailed('reading it crashed'));
      function settle(finish: () => void): void {
        clearTimeout(timer);
        clearInterval(usageTimer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        finish();
      }
      if (hasEnded(child)) return onExit();
      child.once('message', onMessage);
      child.once('exit', onExit);
      // If the process dies meanwhile, its exit rejects.
      child.send(request, () => undefined);
    });
  }

  async function ask(makeRequest: () => Promise<Request> | Request): Promise<Answer> {
    const request = await makeRequest();
    if (isClosed) throw new ExtractorClosed();
    clearTimeout(idleTimer);
    // An idle process may have died.
    if (!child?.connected || hasEnded(child)) await end();
    child ??= start();
    running ??= untilStarted(child);
    try {
      const started = await running;
      const answer =
        request.kind === 'text'
          ? await readWholeText((part) => exchangeOrEnd(started, part), request.bytes)
          : await exchangeOrEnd(started, request);
      served += 1;
      if (served >= requestsPerProcess) await end();
      else idleTimer = setTimeout(() => void end(), idleMs).unref();
      return answer;
    } catch (error) {
      await end();
      throw isClosed ? new ExtractorClosed() : error;
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
