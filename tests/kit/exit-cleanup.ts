/** What must not outlive the run, however it ends; cleaned up synchronously, last first. */
const pending = new Set<() => void>();

function runAll(): void {
  for (const cleanUp of [...pending].reverse()) {
    try {
      cleanUp();
    } catch {
      // The others must still run.
    }
  }
  pending.clear();
}

function listenForExit(): void {
  process.once('exit', runAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
}

let isListening = false;

/** Returns a function that cancels it, for when the clean-up was done in the regular way. */
export function cleanUpAtExit(cleanUp: () => void): () => void {
  if (!isListening) listenForExit();
  isListening = true;
  pending.add(cleanUp);
  return () => pending.delete(cleanUp);
}
