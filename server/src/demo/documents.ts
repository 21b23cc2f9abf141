import { filenameKey, firstFreeFilename } from '../modules/documents/filename.ts';
import { type DemoFileKind, type Language, papers } from './papers.ts';
import type { DemoCustomer } from './people.ts';
import { pickSkewed, seededRandom, wholeNumber } from './random.ts';
import { regions } from './regions.ts';

export type DemoDocument = {
  filename: string;
  description: string | null;
  kind: DemoFileKind;
  sample: string;
};

const maxDocuments = 40;

/** The documents of one customer: none or a few for most, dozens for some; each filename once. */
export function demoDocuments(customerIndex: number, customer: DemoCustomer): DemoDocument[] {
  const random = seededRandom(`documents ${customerIndex}`);
  const language = languageOf(customer);
  const taken = new Set<string>();
  const count = Math.min(maxDocuments, Math.floor(0.61 / (random() + 0.02)));
  return Array.from({ length: count }, () => {
    const document = demoDocument(customer, language, random);
    const filename = firstFreeFilename(document.filename, taken);
    taken.add(filenameKey(filename));
    return { ...document, filename };
  });
}

function demoDocument(customer: DemoCustomer, language: Language, random: () => number): DemoDocument {
  const { sample, kind, title, description } = pickSkewed(papers[language], random);
  const name = title
    .replaceAll('{year}', String(wholeNumber(2018, 2025, random)))
    .replaceAll('{number}', String(wholeNumber(1000, 9999, random)))
    .replaceAll('{name}', customer.name)
    .replaceAll('{city}', customer.city ?? customer.country ?? '');
  return { filename: `${name}.${kind}`, description, kind, sample: `${sample}-${language}.${kind}` };
}

function languageOf(customer: DemoCustomer): Language {
  const neighbours = regions.filter((region) => region.country === customer.country);
  const home = neighbours.find((region) => region.cities.includes(`${customer.city}/${customer.province}`));
  return (home ?? neighbours[0])?.language ?? 'en';
}
