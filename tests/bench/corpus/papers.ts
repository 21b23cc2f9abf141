import { seededRandom } from '@customer-database/testkit/seeded-random';
import { languages, plantedWord } from './languages.ts';

export type Language = (typeof languages)[number];

/** A text whose words are known, to be printed by different programs. */
export type Paper = {
  name: string;
  language: Language;
  title: string[];
  header: string[];
  footer: string[];
  paragraphs: string[][];
  cells: string[][];
  /** All of them. */
  words: string[];
};

const paragraphs = 4;
const wordsPerParagraph = 40;
const rows = 3;
const cellsPerRow = 4;
// One in so many is coined: rare, and not in any dictionary.
const coined = 3;

export function paperOf(index: number, among = languages): Paper {
  const language = among[index % among.length] as Language;
  const random = seededRandom(index);
  const words: string[] = [];
  const draw = () => {
    const isCoined = random(coined) === 0;
    const word = isCoined
      ? plantedWord(language, random(1_000_000))
      : (language.filler[random(language.filler.length)] ?? '');
    words.push(word);
    return word;
  };
  const some = (count: number) => Array.from({ length: count }, draw);
  return {
    name: `${language.name.toLowerCase()}-${index}`,
    language,
    title: some(3),
    header: some(2),
    footer: some(2),
    paragraphs: Array.from({ length: paragraphs }, () => some(wordsPerParagraph)),
    cells: Array.from({ length: rows }, () => some(cellsPerRow)),
    words,
  };
}

/** As text; `divide` may put an optional hyphen into the words. */
export const textOf = (paper: Paper, words: string[], divide = (word: string) => word): string =>
  words.map(divide).join(paper.language.isContinuous ? '' : ' ');
