import { eld } from 'eld/extrasmall';

// A longer sample does not change the result.
const sampleLength = 2_000;
// In less text the words of a form or a list of names decide.
const minLetters = 40;
const minLettersWithoutSpaces = 15;
const minAdvantage = 0.02;

const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}]$/u;

const canonical = (code: string) => Intl.getCanonicalLocales(code)[0] ?? code;

// The languages that the library knows, in ISO 639-3. Malay and Indonesian are one of them.
const codes =
  'amh ara aze bel bul ben cat ces dan deu ell eng spa est eus fas fin fra guj heb hin hrv hun hye isl ita jpn kat kan ' +
  'kor kur lao lit lav mal mar msa nld nor ori pan pol por ron rus slk slv sqi srp swe tam tel tha tgl tur ukr urd vie ' +
  'yor zho';
const iso6393 = new Map(codes.split(' ').map((code) => [canonical(code), code]));

// The library scales all scores to values below 1, which hides their distances.
const unscaled = (score: number) => score / (1 - score);

/** ISO 639-3. Null without enough evidence: no claim is better than a wrong one. */
export function languageOf(text: string): string | null {
  const sample = text.slice(0, sampleLength).toWellFormed();
  const letters = sample.match(/\p{L}/gu) ?? [];
  const isSpaced = letters.filter((letter) => unspaced.test(letter)).length < letters.length / 2;
  if (letters.length < (isSpaced ? minLetters : minLettersWithoutSpaces)) return null;
  const found = eld.detect(sample);
  const [best = 0, next = 0] = Object.values(found.getScores())
    .map(unscaled)
    .sort((one, other) => other - one);
  if (!found.isReliable() || best - next < minAdvantage * best) return null;
  return iso6393.get(canonical(found.language)) ?? null;
}
