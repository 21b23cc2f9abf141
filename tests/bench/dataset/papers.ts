import { type DemoFileKind, papers } from '../../../server/src/demo/papers.ts';
import { pickSkewed, wholeNumber } from '../../../server/src/demo/random.ts';
import { filenameKey, firstFreeFilename } from '../../../server/src/modules/documents/filename.ts';
import type { Person } from './people.ts';
import { quickRandom } from './random.ts';

export type Document = { filename: string; key: string; kind: DemoFileKind; description: string | null };

/** Few or none for most customers, hundreds for some; `mean` on average. */
export function papersOf(index: number, owner: Person, mean: number): Document[] {
  const random = quickRandom(~index);
  const count = Math.min(400, Math.floor((mean * 0.22) / (random() + 0.004)));
  const taken = new Set<string>();
  return Array.from({ length: count }, () => {
    const paper = pickSkewed(papers[owner.language], random);
    const title = paper.title
      .replaceAll('{name}', owner.name)
      .replaceAll('{city}', owner.city ?? '')
      .replaceAll('{year}', String(wholeNumber(2018, 2026, random)))
      .replaceAll('{number}', String(wholeNumber(1000, 99_999, random)));
    const filename = firstFreeFilename(`${title}.${paper.kind}`, taken);
    const key = filenameKey(filename);
    taken.add(key);
    return { filename, key, kind: paper.kind, description: paper.description };
  });
}
