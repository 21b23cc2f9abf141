import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

export const documentTypes = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.doc': 'application/msword',
  '.txt': 'text/plain',
} as const;
export type DocumentExtension = keyof typeof documentTypes;
export type DocumentMimeType = (typeof documentTypes)[DocumentExtension];

export const documentTexts = {
  noCustomer: 'Please select a customer',
  noFile: 'No file selected',
  wrongType: 'Please select a valid document file (.pdf, .docx, .doc, or .txt)',
  tooLarge: 'File size must be less than 10MB',
  malware:
    'This file contains malware and was not stored. Do not open it; ask your IT support to look at it.',
} as const;

export const document = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    customer_name: z.string(),
    customer_email: z.string().nullable(),
    filename: z.string(),
    description: z.string().nullable(),
    mime_type: z.string(),
    file_size: z.int(),
    uploaded_at: field.timestamp,
    uploaded_by_name: z.string().nullable(),
    protected: z.boolean().describe('A Word document that asks for a password before it opens'),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('Expiring path to a WebP picture of the first page of a PDF, or to the first lines as text'),
  })
  .meta({ id: 'Document' });
export type Document = z.infer<typeof document>;

/** none: the document has no text; failed: text extraction failed. */
export const textStates = ['waiting', 'ready', 'none', 'protected', 'failed'] as const;
export type TextState = (typeof textStates)[number];

const textFacts = {
  state: z.enum(textStates),
  reason: z.string().nullable().describe('Why text extraction failed'),
  page_count: z.int().nullable().describe('Null until text extraction has finished'),
  language: z.string().nullable().describe('ISO 639-3, such as deu'),
};

/** none: there is and will be none; waiting: it is made when the document is opened. */
export const previewStates = ['none', 'waiting', 'ready'] as const;
export type PreviewState = (typeof previewStates)[number];

export const documentDetails = document
  .extend({
    text: z.object(textFacts),
    preview: z
      .enum(previewStates)
      .describe(
        'A PDF with the exact layout of a Word document; "ready": get it by a view link with &as=preview',
      ),
  })
  .meta({ id: 'DocumentDetails' });
export type DocumentDetails = z.infer<typeof documentDetails>;

/** What the viewer needs to know before it shows a document. */
export const linkedDocument = documentDetails
  .pick({ id: true, filename: true, mime_type: true, protected: true, text: true, preview: true })
  .meta({ id: 'LinkedDocument' });
export type LinkedDocument = z.infer<typeof linkedDocument>;

export const documentTextResponse = z.object({
  ...textFacts,
  pages: z.array(
    z.object({
      page: z.int(),
      text: z.string(),
      waiting: z.boolean().describe('A picture that awaits OCR'),
    }),
  ),
  ...field.pageCounts,
});

export type DocumentText = z.infer<typeof documentTextResponse>;

const filename = field.requiredLine('Filename', limits.filenameLength);

export const uploadInput = z.strictObject({
  customer_id: field.id(documentTexts.noCustomer),
  // Before the fields that describe the file, because the screen shows only the first error.
  file_data: z
    .string({ error: documentTexts.noFile })
    .min(1, documentTexts.noFile)
    .describe('The content of the file in base64'),
  filename,
  description: field.optionalParagraphs('Description', limits.descriptionLength),
  mime_type: field
    .optionalLine('File type', 200)
    .describe('Must match the content of the file; application/octet-stream counts as not given'),
  upload_id: z
    .uuid('Upload id must be a UUID')
    .optional()
    .describe(
      'Makes retries safe: if the same user sends the same id again, the server returns the document that it saved ' +
        'the first time, as long as that exists',
    ),
});
export type UploadInput = z.infer<typeof uploadInput>;
export const uploadResponse = z.object({ message: z.string(), document });

/** Fields left out keep their values. */
export const updateDocumentInput = z.strictObject({
  filename: filename.optional(),
  description: field.optionalParagraphs('Description', limits.descriptionLength),
  customer_id: field.id(documentTexts.noCustomer).optional().describe('Moves the document to this customer'),
});
export type UpdateDocumentInput = z.infer<typeof updateDocumentInput>;
export const updateDocumentResponse = z.object({ message: z.string(), document: documentDetails });

export const duplicateCheckInput = z.strictObject({
  customer_id: field.id(documentTexts.noCustomer),
  filename,
});
export type DuplicateCheckInput = z.infer<typeof duplicateCheckInput>;
export const duplicateCheckResponse = z.object({ uniqueFilename: z.string(), isDuplicate: z.boolean() });

export const documentSearchInput = z
  .strictObject({
    customer_name: field.filter('Customer name'),
    customer_email: field.filter('Customer email'),
    filename: field.filter('Filename'),
    text: field
      .filter('Contains text')
      .describe(
        'Words of one page, in any order; "in quotes" as a phrase; -word excludes pages with the word',
      ),
    date_from: field.optionalDate('Date from'),
    date_to: field.optionalDate('Date to'),
    limit: field.searchLimit,
    offset: field.searchOffset,
  })
  .refine(({ date_from, date_to }) => !date_from || !date_to || date_from <= date_to, {
    path: ['date_from'],
    error: 'Date from must not be after date to',
  });
export type DocumentSearchInput = z.infer<typeof documentSearchInput>;

export const documentSearchResponse = z.object({
  documents: z.array(document),
  ...field.matchCounts,
});

export const documentListResponse = z.object({
  documents: z.array(document),
  ...field.pageCounts,
});

export const customerDocumentsResponse = z.object({ documents: z.array(document), count: field.count });
export const documentResponse = z.object({ document: documentDetails });
export const linkedDocumentResponse = z.object({ document: linkedDocument });

export const downloadResponse = z.object({
  download_url: z.string(),
  filename: z.string(),
  expires_at: field.timestamp,
});
export const viewResponse = z.object({ view_url: z.string(), expires_at: field.timestamp });
