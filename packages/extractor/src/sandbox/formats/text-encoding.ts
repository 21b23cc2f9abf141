import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

// Enough to recognise the encoding.
const sampleBytes = 64 * 1024;

/** chardet recognises these by their pairs of bytes. It knows no code pages of DOS, and takes short texts for Western. */
const encodingsOfPairs = new Set(['Shift_JIS', 'EUC-JP', 'EUC-KR', 'GB18030', 'Big5']);

type Language = {
  /** Those beside a to z. */
  letters: Set<string>;
  frequent: Set<string>;
  /** Its words have letters from a to z too. */
  isLatin: boolean;
};

const inScript = (isLatin: boolean) => (frequent: string, rare: string) => ({
  letters: new Set(frequent + rare),
  frequent: new Set(frequent),
  isLatin,
});
const latin = inScript(true);
const other = inScript(false);

const range = (first: number, last: number) =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

const western = ['äöüß', 'éèàêçùâîôûëïœ', 'áéíóúñü', 'ãáéçóõíúâêôà', 'àèéìòù', 'åäöé', 'æøåé'].map(
  (letters) => latin(letters, ''),
);
const central = [
  latin('ąęłóśż', 'ćńź'),
  latin('áíéěčřšžýů', 'ďňóťú'),
  latin('áíéčšžýľť', 'äďĺňóôŕú'),
  latin('áéíóöőúüű', ''),
  latin('ăâîşţșț', ''),
  latin('čćđšž', ''),
];
const turkish = [latin('çğıİöşü', '')];
const baltic = [latin('ėįšųūąčžę', ''), latin('āēīšūņļž', 'čģķ'), latin('äöõüšž', '')];
const cyrillic = [
  other('оеаинтсрвлкм', 'дпуяыьгзбчйхжшюцщэфёъ'),
  other('оаинітевркслу', 'дмпзяьбгйчхцїюєжфшщґ'),
];
const greek = [other('αοιετσνηυρκμλπ', 'ςωγδχθφβξζψάέήίόύώϊϋΐΰ')];
const hebrew = [other('יוהלאמרתבש', range(0x5d0, 0x5ea))];
const arabic = [other('اليمونرتبةعد', range(0x621, 0x64a))];
const thai = [other('านรอกเงมยลวดทสต', range(0xe01, 0xe5b))];

/** The first of equally likely ones wins. */
const candidates: [encoding: string, languages: Language[]][] = [
  ['win1252', western],
  ['win1250', central],
  ['win1251', cyrillic],
  ['win1253', greek],
  ['win1254', turkish],
  ['win1255', hebrew],
  ['win1256', arabic],
  ['win1257', baltic],
  ['win874', thai],
  ['koi8-u', cyrillic],
  ['cp866', cyrillic],
  ['iso-8859-2', central],
  ['cp850', western],
  ['cp852', central],
  ['macroman', western],
];

const isLetter = (character: string) => /\p{L}/u.test(character);
const isUpperCase = (character: string) => /\p{Lu}/u.test(character);
const isLatinLetter = (character: string) => /[a-z]/i.test(character);

const insideWords = new Set('’–—·\u00a0\u00ad');
const besideWords = new Set('„“”‘‚«»…°§€£©®™•№¿¡');

/** Which characters beyond ASCII a text has, and how likely it is that they stand where they do. */
function charactersOf(text: string) {
  let count = 0;
  /** Signs in their place, minus capital letters after small ones. */
  let placed = 0;
  const letters = new Map<string, number>();
  const lettersInLatinWords = new Map<string, number>();
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/g)) {
    const [before = ' ', after = ' '] = [text[index - 1], text[index + 1]];
    count += 1;
    if (!isLetter(character)) {
      const isBetweenLetters = isLetter(before) && isLetter(after);
      if (insideWords.has(character) || (besideWords.has(character) && !isBetweenLetters)) placed += 1;
    } else if (isLetter(before) && !isUpperCase(before) && isUpperCase(character)) placed -= 1;
    else {
      const letterCounts = isLatinLetter(before) || isLatinLetter(after) ? lettersInLatinWords : letters;
      letterCounts.set(character, (letterCounts.get(character) ?? 0) + 1);
    }
  }
  return { count, placed, letters, lettersInLatinWords };
}

const rareWeight = 0.8;

function fitOf(letters: Map<string, number>, language: Language): number {
  let fit = 0;
  for (const [letter, count] of letters) {
    const known = language.letters.has(letter) ? letter : letter.toLowerCase();
    if (language.letters.has(known)) fit += count * (language.frequent.has(known) ? 1 : rareWeight);
  }
  return fit;
}

/** At most 1: how well the characters beyond ASCII fit the best of the languages. */
function plausibilityOf(text: string, languages: Language[]): number {
  const { count, placed, letters, lettersInLatinWords } = charactersOf(text);
  const fits = languages.map(
    (language) => fitOf(letters, language) + (language.isLatin ? fitOf(lettersInLatinWords, language) : 0),
  );
  return (placed + Math.max(...fits)) / count;
}

/** Old programs write the code page of their country without a mark. */
function codePageOfText(bytes: Buffer): string {
  const sample = bytes.subarray(0, sampleBytes);
  const guess = chardet.detect(sample);
  if (guess && encodingsOfPairs.has(guess)) return guess;
  let best = { encoding: 'win1252', plausibility: 0 };
  for (const [encoding, languages] of candidates) {
    const plausibility = plausibilityOf(iconv.decode(sample, encoding), languages);
    if (plausibility > best.plausibility) best = { encoding, plausibility };
  }
  return best.encoding;
}

export function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return 'utf-16le';
  if (mark === '\xfe\xff') return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : codePageOfText(bytes);
}
