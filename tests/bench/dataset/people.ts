import type { DemoCustomer } from '../../../server/src/demo/people.ts';
import { pick, pickSkewed, wholeNumber } from '../../../server/src/demo/random.ts';
import { pickByRank, quickRandom } from './random.ts';
import { type Vocabulary, vocabularies } from './vocabulary.ts';

const vocabularyByPercent = vocabularies.flatMap((vocabulary) =>
  Array<Vocabulary>(vocabulary.region.share).fill(vocabulary),
);

export type Person = DemoCustomer & { language: Vocabulary['region']['language'] };

/** Deterministic: the same index gives the same person. */
export function person(index: number): Person {
  const random = quickRandom(index);
  const { region, givenNames, familyNames } = pick(vocabularyByPercent, random);
  const given = pickByRank(givenNames, random);
  const family = pickByRank(familyNames, random);
  const names = [given.written, family.written];
  const [city = '', province = ''] = pickSkewed(region.cities, random).split('/');
  const street = pickSkewed(region.streets, random);
  const hasAddress = random() < 0.93;
  const digits = (pattern: string) => pattern.replace(/#/g, () => String(wholeNumber(0, 9, random)));
  return {
    name: (region.isFamilyNameFirst ? names.reverse() : names).join(' '),
    dob: `${wholeNumber(1935, 2006, random)}-${twoDigits(wholeNumber(1, 12, random))}-${twoDigits(wholeNumber(1, 28, random))}`,
    email: `${mailWord(given.latin)}.${mailWord(family.latin)}${index}@example.${pick(['com', 'org', 'net'], random)}`,
    phone_number: random() < 0.9 ? digits(`${region.phonePattern.split(' ')[0]} #### ####`) : null,
    street_line: hasAddress ? digits(region.addressPattern).replace('S', street) : null,
    city: hasAddress ? city : null,
    province: hasAddress ? province : null,
    country: region.country,
    language: region.language,
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

const mailWord = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
