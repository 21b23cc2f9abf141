import type { Customer, CustomerField } from '@customer-database/contract/customers';
import { pick, pickSkewed, seededRandom, wholeNumber } from './random.ts';
import { type Region, regions } from './regions.ts';

export type DemoCustomer = Pick<Customer, CustomerField> & { dob: string; email: string };

/** Domains reserved for examples: mails to them reach no person. */
const mailDomains = ['example.com', 'example.com', 'example.org', 'example.net'];
const latestBirthYear = 2006;

const regionByPercent = regions.flatMap((region) => Array<Region>(region.share).fill(region));

/** Deterministic: a larger count only adds customers. */
export function demoCustomers(count: number): DemoCustomer[] {
  const namesakes = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => demoCustomer(index, namesakes));
}

function demoCustomer(index: number, namesakes: Map<string, number>): DemoCustomer {
  const random = seededRandom(`customer ${index}`);
  const region = pick(regionByPercent, random);
  const given = pickSpelling(region.givenNames, random);
  const family = pickSpelling(region.familyNames, random);
  const names = region.isFamilyNameFirst ? [family, given] : [given, family];
  const [city = '', province = ''] = pickSkewed(region.cities, random).split('/');
  const street = pickSkewed(region.streets, random);
  const hasAddress = random() < 0.93;
  return {
    name: names.map((part) => part.written).join(' '),
    dob: dateOfBirth(random),
    email: unusedEmail(`${mailWord(given.latin)}.${mailWord(family.latin)}`, namesakes, random),
    phone_number: random() < 0.9 ? withDigits(region.phonePattern, random) : null,
    street_line: hasAddress ? withDigits(region.addressPattern, random).replace('S', street) : null,
    city: hasAddress ? city : null,
    province: hasAddress ? province : null,
    country: region.country,
  };
}

function pickSpelling(names: string[], random: () => number): { written: string; latin: string } {
  const [written = '', latin = written] = pickSkewed(names, random).split('=');
  return { written, latin };
}

function dateOfBirth(random: () => number): string {
  // The mean of two draws: most people are neither very young nor very old.
  const age = Math.floor(((random() + random()) / 2) * 74);
  const date = new Date(Date.UTC(latestBirthYear - age, 0, wholeNumber(1, 365, random)));
  return date.toISOString().slice(0, 10);
}

function withDigits(pattern: string, random: () => number): string {
  return pattern.replace(/#/g, () => String(wholeNumber(0, 9, random)));
}

const indivisibleLetters: Record<string, string> = { ł: 'l', đ: 'd', ı: 'i', ß: 'ss', ø: 'o' };

function mailWord(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[łđıßø]/g, (letter) => indivisibleLetters[letter] ?? '')
    .replace(/[^a-z]/g, '');
}

function unusedEmail(localPart: string, namesakes: Map<string, number>, random: () => number): string {
  const domain = pick(mailDomains, random);
  const count = (namesakes.get(`${localPart}@${domain}`) ?? 0) + 1;
  namesakes.set(`${localPart}@${domain}`, count);
  return count === 1 ? `${localPart}@${domain}` : `${localPart}${count}@${domain}`;
}
