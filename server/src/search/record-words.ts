import { type CustomerField, customerFields } from '@customer-database/contract/customers';
import { vectorOfFields } from '@customer-database/words/vector';

type Values<Field extends string> = { [field in Field]?: string | null | undefined };

const fieldsOfCustomersDocuments: ReadonlySet<CustomerField> = new Set(['name', 'email']);

/**
 * The words by which searches find a customer. Those with weight A also find its documents; the triggers of
 * document_texts copy them.
 */
export const wordsOfCustomer = (customer: Values<CustomerField>): string =>
  vectorOfFields(
    customerFields.map((field) => ({
      text: customer[field],
      ...(fieldsOfCustomersDocuments.has(field) && { weight: 'A' }),
    })),
  );

export const searchedDocumentFields = ['filename', 'description'] as const;

/** The words of a document without those of its customer. */
export const wordsOfDocument = (document: Values<(typeof searchedDocumentFields)[number]>): string =>
  vectorOfFields(searchedDocumentFields.map((field) => ({ text: document[field] })));
