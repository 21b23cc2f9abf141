import { z } from 'zod';
import { customer } from './customers.ts';
import { type DocumentExtension, document, documentTypes } from './documents.ts';
import * as field from './fields.ts';
import { limits } from './limits.ts';

export const searchGroups = ['customers', 'documents', 'text'] as const;
export type SearchGroup = (typeof searchGroups)[number];

const extensions = Object.keys(documentTypes) as DocumentExtension[];
const withoutDot = <Extension extends string>(extension: `.${Extension}`) => extension.slice(1) as Extension;
export const searchTypes = extensions.map(withoutDot);

export const searchQuery = z
  .strictObject({
    q: field
      .filter('Search text')
      .describe('Words, in any order; "in quotes" as a phrase; -word excludes matches with the word'),
    in: z.enum(searchGroups, { error: `in must be one of ${searchGroups.join(', ')}` }).optional(),
    type: z
      .enum(searchTypes, { error: `type must be one of ${searchTypes.join(', ')}` })
      .optional()
      .describe('Documents of this type; excludes customers'),
    customer_id: field.idParam.optional(),
    from: field.optionalDate('From').describe('Documents uploaded on this day or later'),
    to: field.optionalDate('To').describe('Documents uploaded on this day or earlier'),
    page: field.wholeNumberIn('page', 1, 100).default(1),
    limit: field
      .wholeNumberIn('limit', 1, limits.maxPageSize)
      .default(10)
      .describe('At most this many of each group'),
  })
  .refine(({ from, to }) => !from || !to || from <= to, {
    path: ['from'],
    error: 'From must not be after to',
  });
export type SearchQuery = z.infer<typeof searchQuery>;

const snippet = z
  .array(z.object({ text: z.string(), hit: z.boolean() }))
  .describe('A passage of the page, in parts; hits are the parts that match');

export const foundPage = z
  .object({
    document,
    page: z.int().describe('The best page of the document'),
    snippet,
    more_pages: z.int().describe('How many other pages of the document have as many of the words'),
  })
  .meta({ id: 'FoundPage' });
export type FoundPage = z.infer<typeof foundPage>;

const groupOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), ...field.hitCounts });

export const searchResponse = z.object({
  customers: groupOf(customer),
  documents: groupOf(document),
  pages: groupOf(foundPage),
  corrected: z
    .string()
    .nullable()
    .describe('The corrected search text that the results are for; null if nothing was corrected'),
});
export type SearchResponse = z.infer<typeof searchResponse>;

export const documentHitsQuery = z.strictObject({
  q: field.filter('Search text'),
  snippets: field
    .wholeNumberIn('snippets', 0, 50)
    .default(0)
    .describe('So many of the first pages have a snippet'),
});
export type DocumentHitsQuery = z.infer<typeof documentHitsQuery>;

const share = z.number().describe('Of the width or height of the page, from 0 to 1');
const hitBox = z.object({ left: share, top: share, width: share, height: share }).meta({ id: 'HitBox' });
export type HitBox = z.infer<typeof hitBox>;

export const documentHitsResponse = z.object({
  pages: z.array(
    z.object({
      page: z.int(),
      boxes: z.array(hitBox).describe('Positions of the hits on a page with OCR text; empty on other pages'),
      snippet: snippet.describe('A passage of the page, in parts; empty unless it was asked for'),
    }),
  ),
  inside_words: z.boolean().describe('The document has some words only as parts of longer ones'),
});
export type DocumentHitsResponse = z.infer<typeof documentHitsResponse>;
