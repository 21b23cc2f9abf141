/// <reference path="./opencc-js.d.ts" />
import pairs from 'opencc-js/dict/TSCharacters';

/** Each traditional Chinese character and its simplified ones, of which the first is the usual one. */
const simplifiedOf = new Map(
  pairs.split('|').map((pair) => {
    const [traditional = '', first = ''] = pair.split(' ');
    return [traditional, first] as const;
  }),
);

/** Mainland China and Singapore write simplified characters, Taiwan and Hong Kong traditional ones. */
export const simplified = (text: string): string =>
  text.replace(/\p{sc=Han}/gu, (character) => simplifiedOf.get(character) ?? character);
