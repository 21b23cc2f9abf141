/** For modules of this folder: test files share them, so that hooks of their own would run for the first file only. */
type Work = () => Promise<unknown>;

const whenTestEnds: Work[] = [];
const whenFileEnds: Work[] = [];

export const afterTest = (work: Work): number => whenTestEnds.push(work);
export const afterFile = (work: Work): number => whenFileEnds.push(work);

/** Last first: what was made last may rest on what was made before. */
async function runAll(pending: Work[]): Promise<void> {
  for (let work = pending.pop(); work; work = pending.pop()) await work();
}

export const endTest = () => runAll(whenTestEnds);
export const endFile = () => runAll(whenFileEnds);
