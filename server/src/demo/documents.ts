import { filenameKey, firstFreeFilename } from '../modules/documents/filename.ts';
import { type DemoFileKind, type Language, papers, paragraphs } from './papers.ts';
import type { DemoCustomer } from './people.ts';
import { pickSkewed, seededRandom, wholeNumber } from './random.ts';
import { regions } from './regions.ts';

export interface DemoDocument {
  filename: string;
  description: string | null;
  kind: DemoFileKind;
  title: string;
  paragraphs: string[];
}

const MOST_DOCUMENTS = 40;
const LATIN_LETTERS_ONLY = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** The papers of one customer: none or a few for most, dozens for some; never two of the same name. */
export function demoDocuments(customerIndex: number, customer: DemoCustomer): DemoDocument[] {
  const random = seededRandom(`documents ${customerIndex}`);
  const language = languageOf(customer);
  const taken = new Set<string>();
  const count = Math.min(MOST_DOCUMENTS, Math.floor(0.61 / (random() + 0.02)));
  return Array.from({ length: count }, () => {
    const document = demoDocument(customer, language, random);
    const filename = firstFreeFilename(document.filename, taken);
    taken.add(filenameKey(filename));
    return { ...document, filename };
  });
}

function demoDocument(customer: DemoCustomer, language: Language, random: () => number): DemoDocument {
  const paper = pickSkewed(papers[language], random);
  const year = String(wholeNumber(2018, 2025, random));
  const number = String(wholeNumber(1000, 9999, random));
  const city = customer.city ?? customer.country ?? '';
  const fill = (text: string, name: string, place: string) =>
    text
      .replaceAll('{name}', name)
      .replaceAll('{city}', place)
      .replaceAll('{year}', year)
      .replaceAll('{number}', number);
  const title = fill(paper.title, customer.name, city);
  const shared = { filename: `${title}.${paper.kind}`, description: paper.description, kind: paper.kind };
  // A PDF's built-in fonts have Latin letters only, so other scripts get an English text there.
  if (paper.kind === 'pdf' && !LATIN_LETTERS_ONLY.test(title + customer.name)) {
    const name = nameFromEmail(customer.email);
    const body = paragraphs.en.map((text) =>
      fill(text, name, LATIN_LETTERS_ONLY.test(city) ? city : 'the region'),
    );
    return { ...shared, title: `Invoice ${number}`, paragraphs: body };
  }
  return {
    ...shared,
    title,
    paragraphs: paragraphs[language].map((text) => fill(text, customer.name, city)),
  };
}

function languageOf(customer: DemoCustomer): Language {
  const neighbours = regions.filter((region) => region.country === customer.country);
  const home = neighbours.find((region) => region.cities.includes(`${customer.city}/${customer.province}`));
  return (home ?? neighbours[0])?.language ?? 'en';
}

function nameFromEmail(email: string): string {
  const words = email.replace(/\d*@.*$/, '').split('.');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
