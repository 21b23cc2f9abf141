import { pick } from '../../server/src/demo/random.ts';
import { type Region, regions } from '../../server/src/demo/regions.ts';
import { quickRandom } from './random.ts';

export type Name = { written: string; latin: string };
export type Vocabulary = { region: Region; givenNames: Name[]; familyNames: Name[] };

const GIVEN_NAMES = 500;
const FAMILY_NAMES = 8_000;

const spelling = (entry: string): Name => {
  const [written = '', latin = written] = entry.split('=');
  return { written, latin };
};

/** The beginning of one name and the end of another: new to the ear, yet of the same language. */
function crossed(first: Name, second: Name, random: () => number): Name {
  const share = 0.35 + random() * 0.4;
  const cross = (left: string, right: string) => {
    const head = [...left];
    const tail = [...right];
    return head
      .slice(0, Math.ceil(head.length * share))
      .concat(tail.slice(Math.ceil(tail.length * share)))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  };
  return { written: cross(first.written, second.written), latin: cross(first.latin, second.latin) };
}

/** The known names first, being the frequent ones; then as many more as wanted or as can be made. */
function grown(entries: string[], count: number, seed: number): Name[] {
  const random = quickRandom(seed);
  const roots = entries.map(spelling);
  const names = [...roots];
  const known = new Set(names.map((name) => name.written));
  for (let tries = 0; names.length < count && tries < count * 20; tries += 1) {
    const name = crossed(pick(names, random), pick(roots, random), random);
    if (name.latin === '' || known.has(name.written) || [...name.written].length > 18) continue;
    known.add(name.written);
    names.push(name);
  }
  return names;
}

export const vocabularies: Vocabulary[] = regions.map((region, index) => ({
  region,
  givenNames: grown(region.givenNames, GIVEN_NAMES, 2 * index),
  familyNames: grown(region.familyNames, FAMILY_NAMES, 2 * index + 1),
}));
