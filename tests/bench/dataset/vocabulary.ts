import { pick } from '../../../server/src/demo/random.ts';
import { type Region, regions } from '../../../server/src/demo/regions.ts';
import { quickRandom } from './random.ts';

export type Name = { written: string; latin: string };
export type Vocabulary = { region: Region; givenNames: Name[]; familyNames: Name[] };

const givenNameCount = 500;
const familyNameCount = 8_000;

const parseName = (entry: string): Name => {
  const [written = '', latin = written] = entry.split('=');
  return { written, latin };
};

/** Joins the start of one name and the end of another: new, but plausible in the language. */
function crossNames(first: Name, second: Name, random: () => number): Name {
  const share = 0.35 + random() * 0.4;
  const cross = (left: string, right: string) => {
    const prefix = [...left];
    const suffix = [...right];
    return prefix
      .slice(0, Math.ceil(prefix.length * share))
      .concat(suffix.slice(Math.ceil(suffix.length * share)))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  };
  return { written: cross(first.written, second.written), latin: cross(first.latin, second.latin) };
}

/** The given names first, being the frequent ones, then generated ones up to `count` where possible. */
function extendNames(entries: string[], count: number, seed: number): Name[] {
  const random = quickRandom(seed);
  const roots = entries.map(parseName);
  const names = [...roots];
  const known = new Set(names.map((name) => name.written));
  for (let tries = 0; names.length < count && tries < count * 20; tries += 1) {
    const name = crossNames(pick(names, random), pick(roots, random), random);
    if (name.latin === '' || known.has(name.written) || [...name.written].length > 18) continue;
    known.add(name.written);
    names.push(name);
  }
  return names;
}

export const vocabularies: Vocabulary[] = regions.map((region, index) => ({
  region,
  givenNames: extendNames(region.givenNames, givenNameCount, 2 * index),
  familyNames: extendNames(region.familyNames, familyNameCount, 2 * index + 1),
}));
