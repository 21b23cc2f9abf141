/** What must not outlive the run, however it ends; undone at once and last first. */
const duties = new Set<() => void>();

function undoAll(): void {
  for (const undo of [...duties].reverse()) {
    try {
      undo();
    } catch {
      // The others still have to be undone.
    }
  }
  duties.clear();
}

function watchForTheEnd(): void {
  process.once('exit', undoAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
}

let isWatching = false;

/** Answers a way to say that it was undone in good order. */
export function undoAtExit(undo: () => void): () => void {
  if (!isWatching) watchForTheEnd();
  isWatching = true;
  duties.add(undo);
  return () => duties.delete(undo);
}
