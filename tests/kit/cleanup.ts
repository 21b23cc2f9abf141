/** Clean-up for modules of this folder: test files share them, so a module's own hooks would run only for the first. */
type Cleanup = () => Promise<unknown>;

const testCleanups: Cleanup[] = [];
const fileCleanups: Cleanup[] = [];

export const afterTest = (cleanup: Cleanup): number => testCleanups.push(cleanup);
export const afterFile = (cleanup: Cleanup): number => fileCleanups.push(cleanup);

/** In reverse order: later fixtures may depend on earlier ones. */
async function runAll(pending: Cleanup[]): Promise<void> {
  for (let next = pending.pop(); next; next = pending.pop()) await next();
}

export const endTest = () => runAll(testCleanups);
export const endFile = () => runAll(fileCleanups);
