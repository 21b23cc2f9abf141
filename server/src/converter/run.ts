import { spawn } from 'node:child_process';
import { usageOfTree } from '@customer-database/extractor/usage';
import { type JailLimits, type JailOptions, jailCommand, readyMark } from './jail.ts';
import { ConversionFailed, ConversionTimedOut, ConverterClosed, ConverterUnavailable } from './port.ts';

const usageCheckMs = 100;
const maxComplaintBytes = 2_000;

/** Calls `fail` once a limit is exceeded. */
function enforce(pid: number, limits: JailLimits, fail: (error: Error) => void): Disposable {
  const tooLong = 'it took too long to convert';
  const timer = setTimeout(() => fail(new ConversionTimedOut(tooLong)), limits.timeoutMs);
  const usageTimer = setInterval(async () => {
    const { cpuMs, residentBytes } = await usageOfTree(pid);
    if (cpuMs > limits.cpuMs) fail(new ConversionFailed(tooLong));
    if (residentBytes > limits.maxResidentBytes) {
      fail(new ConversionFailed('it needed too much memory to convert'));
    }
  }, usageCheckMs);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearInterval(usageTimer);
    },
  };
}

/** Does the work in a new jail, with the document. Returns what the jail wrote. The signal ends it. */
export async function runInJail(
  options: JailOptions,
  { bytes, work, signal }: { bytes: Buffer; work: string; signal: AbortSignal },
): Promise<Buffer> {
  const { limits } = options;
  const [command = '', ...args] = jailCommand(options, bytes.length, work);
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    child.kill('SIGKILL');
    // If only the first of the processes ended, the end of their input ends the others.
    child.stdin.destroy();
  };
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', (cause) => fail(new ConverterUnavailable(cause.message, { cause })));
  });
  const stop = () => fail(new ConverterClosed('the conversion was ended by a shutdown'));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const written: Buffer[] = [];
  let writtenBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    written.push(chunk);
    writtenBytes += chunk.length;
    if (writtenBytes > limits.maxPdfBytes + readyMark.length) {
      fail(new ConversionFailed('its PDF would be too large'));
    }
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < maxComplaintBytes) complaint += String(chunk);
  });
  // The jail may end before it has read all.
  child.stdin.on('error', () => undefined);
  // Not ended: the jail notices the end of the server by the end of its input.
  child.stdin.write(bytes);

  using _ = enforce(child.pid ?? 0, limits, fail);
  const code = await closed;
  child.stdin.destroy();
  signal.removeEventListener('abort', stop);
  const output = Buffer.concat(written);
  if (failure) throw failure;
  if (!output.subarray(0, readyMark.length).equals(Buffer.from(readyMark))) {
    throw new ConverterUnavailable(complaint.trim() || `the jail ended with ${code}`);
  }
  if (code !== 0) throw new ConversionFailed('LibreOffice cannot convert it');
  return output.subarray(readyMark.length);
}
