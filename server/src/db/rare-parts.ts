/** In how large a part of the texts these three letters in a row are, from 0 to 1. */
export type Commonness = (trigram: string) => number;

// Also at the beginning and the end of a word.
const isTrigram = /^(?:[a-z0-9]{3}| [a-z0-9]{2}|[a-z0-9]{2} )$/;
const isKnown = /^[\p{ASCII}\p{Script=Latin}]$/u;
const isMark = /^\p{M}/u;

/**
 * What the index holds of a letter, as far as that is known here and does not depend on its neighbours: not of other
 * scripts, of what stands for other letters, or with a mark to be put on it.
 */
function folded(letter: string, next = ''): string {
  if (!isKnown.test(letter) || letter.normalize('NFKC') !== letter || isMark.test(next)) return '?';
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return /^[a-z0-9]$/.test(plain) ? plain : /^\p{ASCII}$/u.test(letter) ? ' ' : '?';
}

// An index goes through the list of each three letters; an entry costs about a hundredth of what a record does.
const entriesForARecord = 100;
// Of the records that are left so far, so many are in another list, too: nearly all in that of other letters of
// the same word, and otherwise as many as of all records, or some more.
const keptBySameWord = 0.8;
const keptAtLeast = 0.05;

/** At the beginning of a word, an index goes through the list of its first letter as well. */
const listOf = (trigram: string, commonness: Commonness) =>
  trigram.startsWith(' ')
    ? Math.max(commonness(trigram), commonness(` ${trigram.slice(0, 2)}`))
    : commonness(trigram);

type Candidate = { place: number; word: number; list: number };

function candidatesIn(letters: string[], commonness: Commonness): Candidate[] {
  const plain = letters.map((letter, place) => folded(letter, letters[place + 1])).join('');
  return letters
    .map((_, place) => ({ place, trigram: plain.slice(place, place + 3) }))
    .filter(({ trigram }) => isTrigram.test(trigram))
    .map(({ place, trigram }) => ({
      place,
      word: plain.slice(0, place + 1).split(' ').length,
      list: listOf(trigram, commonness),
    }));
}

/** Where the rarest three letters begin, and more of them as long as they spare more than they cost. */
function rarePlaces(candidates: Candidate[]): number[] {
  const taken: Candidate[] = [];
  let left = 1;
  for (const candidate of candidates.toSorted((one, other) => one.list - other.list)) {
    const { word, list } = candidate;
    const kept = taken.some((other) => other.word === word) ? keptBySameWord : Math.max(list, keptAtLeast);
    if (taken.length > 0 && list > left * (1 - kept) * entriesForARecord) continue;
    left = taken.length > 0 ? left * kept : list;
    taken.push(candidate);
  }
  return taken.map(({ place }) => place).sort((one, other) => one - other);
}

type Stretch = { from: number; to: number };

function stretchesOf(places: number[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const place of places) {
    const last = stretches.at(-1);
    if (last && place <= last.to) last.to = place + 3;
    else stretches.push({ from: place, to: place + 3 });
  }
  return stretches;
}

/**
 * The parts of a term that lead an index to its matches at the least cost, and how large a part of the texts
 * can hold them. Whatever contains the term contains all of its parts.
 *
 * Only the rarest one where the planner has other filters to choose from: it takes parts for independent of each
 * other, and a few of the same words for rarer than anything else.
 */
export function rareParts(
  term: string,
  commonness: Commonness,
  isOnlyFilter = true,
): { parts: string[]; share: number } {
  const letters = [...term];
  const candidates = candidatesIn(letters, commonness);
  const share = Math.min(...candidates.map(({ list }) => list));
  const rarest = candidates.find(({ list }) => list === share);
  if (!rarest) return { parts: [term], share: 1 };
  const parts = stretchesOf(rarePlaces(candidates))
    .filter(({ from, to }) => isOnlyFilter || (from <= rarest.place && rarest.place < to))
    .map(({ from, to }) => letters.slice(from, to).join(''));
  return { parts, share };
}
