import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { createCustomerInput } from '@customer-database/contract/customers';
import { documentTypes } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { describe, expect, it } from 'vitest';
import { demoDocuments } from '../../src/demo/documents.ts';
import { demoCustomers } from '../../src/demo/people.ts';
import { readSample, samplesFolder } from '../../src/demo/samples.ts';
import { cleanFilename, filenameKey, maxFilenameBytes } from '../../src/modules/documents/filename.ts';
import { recogniseContent } from '../../src/modules/documents/filetypes/recognise.ts';

describe('demo data', () => {
  const customers = demoCustomers(600);
  const documents = customers.map((customer, index) => demoDocuments(index, customer));

  it('is deterministic, and its beginning does not depend on its length', () => {
    expect(demoCustomers(50)).toEqual(customers.slice(0, 50));
    expect(demoDocuments(7, customers[7] ?? expect.unreachable())).toEqual(documents[7]);
  });

  it('contains customers that the product would accept', () => {
    for (const customer of customers) {
      expect(createCustomerInput.parse(customer)).toEqual(customer);
      expect(customer.email).toMatch(/^[a-z]+\.[a-z]+\d*@example\.(com|org|net)$/);
    }
    expect(new Set(customers.map((customer) => customer.email)).size).toBe(customers.length);
  });

  it('covers many scripts and is skewed', () => {
    const names = customers.map((customer) => customer.name).join(' ');
    for (const sample of [
      /[éèç]/,
      /[äöüß]/,
      /[łąęś]/,
      /[ışğ]/,
      /[ễạị]/,
      /\p{Script=Han}/u,
      /\p{Script=Arabic}/u,
    ]) {
      expect(names).toMatch(sample);
    }
    const counts = documents.map((papers) => papers.length).sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(2);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(20);
  });

  it('has clean filenames that are unique per customer', () => {
    for (const papers of documents) {
      const keys = new Set(papers.map((paper) => filenameKey(paper.filename)));
      expect(keys.size).toBe(papers.length);
      for (const { filename, description } of papers) {
        expect(cleanFilename(filename)).toBe(filename);
        expect(Buffer.byteLength(filename)).toBeLessThanOrEqual(maxFilenameBytes);
        expect((description ?? '').length).toBeLessThanOrEqual(limits.descriptionLength);
        expect(filename).not.toMatch(/[{}]/);
      }
    }
  });

  it('has samples that the product would accept, all in use, at most 2 MB in total', async () => {
    const sizes: number[] = [];
    for (const name of new Set(documents.flat().map(({ sample }) => sample))) {
      const mimeType = documentTypes[extname(name) as keyof typeof documentTypes];
      const bytes = readSample(name);
      expect(await recogniseContent({ filename: name, mimeType, bytes }), name).toMatchObject({ mimeType });
      sizes.push(bytes.length);
    }
    expect(readdirSync(samplesFolder).filter((name) => name !== 'sources')).toHaveLength(sizes.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_000_000);
  });
});
