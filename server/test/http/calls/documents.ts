import { issueLink, pdfForm, texts } from '@customer-database/testkit/documents';
import { makeDocument, unique, uploadBody } from '@customer-database/testkit/factories';
import * as bad from './bad-values.ts';
import { callsOf, openCalls, type Setup } from './call.ts';

const ofDocument = {
  example: ({ documentId }: Setup) => ({ id: documentId }),
  unknownId: 'Document not found',
};

const ofLink = {
  example: async ({ app, admin, documentId }: Setup) => {
    const { search } = new URL(await issueLink(admin.client, documentId, 'view'));
    return { by: app.client(), id: documentId, query: search };
  },
  unknownId: texts.deadLink,
};

const customer_id = bad.id('Please select a customer');
const filename = bad.requiredLine('Filename', 255);
const description = bad.optionalParagraphs('Description', 2000);

export const documentCalls = {
  ...callsOf('signed-in', 'read token', {
    'GET /api/documents': {},
    'GET /api/documents/customer/{id}': {
      example: ({ customerId }) => ({ id: customerId }),
      unknownId: 'Customer not found',
    },
    'GET /api/documents/{id}': ofDocument,
    'GET /api/documents/{id}/download': ofDocument,
    'GET /api/documents/{id}/view': ofDocument,
    'GET /api/documents/{id}/text': ofDocument,
    'GET /api/documents/{id}/hits': {
      ...ofDocument,
      example: ({ documentId }) => ({ id: documentId, query: '?q=patient' }),
    },
    'POST /api/documents/search': {
      changes: 'nothing',
      example: { body: { filename: 'A' } },
      badFields: {
        customer_name: bad.filter('Customer name'),
        customer_email: bad.filter('Customer email'),
        filename: bad.filter('Filename'),
        text: bad.filter('Contains text'),
        date_from: bad.optionalDate('Date from'),
        date_to: bad.optionalDate('Date to'),
        ...bad.searchPage,
      },
    },
  }),
  ...callsOf('admin', 'write token', {
    'POST /api/documents/check-duplicate': {
      changes: 'nothing',
      example: ({ customerId }) => ({ body: { customer_id: customerId, filename: 'a.pdf' } }),
      badFields: { customer_id, filename },
    },
    'POST /api/documents': {
      example: ({ customerId }) => ({ body: uploadBody(customerId) }),
      badFields: {
        customer_id,
        filename,
        description,
        file_data: bad.base64File,
        mime_type: bad.optionalLine('File type', 200),
        upload_id: bad.uuid('Upload id must be a UUID'),
      },
    },
    'POST /api/documents/upload': { example: ({ customerId }) => ({ body: pdfForm(customerId) }) },
    'PUT /api/documents/{id}': {
      ...ofDocument,
      example: ({ documentId }) => ({ id: documentId, body: { description: unique('Text') } }),
      badFields: { filename: bad.ifSent(filename), description, customer_id: bad.ifSent(customer_id) },
    },
    'DELETE /api/documents/{id}': {
      ...ofDocument,
      example: async ({ admin, customerId }) => ({ id: (await makeDocument(admin.client, customerId)).id }),
    },
  }),
  ...openCalls('link', {
    'GET /api/documents/{id}/content': ofLink,
    'GET /api/documents/{id}/content/details': ofLink,
    'GET /api/documents/{id}/content/text': ofLink,
    'GET /api/documents/{id}/content/hits': ofLink,
    'GET /api/documents/{id}/thumbnail': {
      ...ofLink,
      example: async ({ app, admin, documentId }) => {
        const { document } = (await admin.client.get(`/api/documents/${documentId}`)).body;
        return { by: app.client(), id: documentId, query: new URL(document.thumbnail_url, app.url).search };
      },
    },
  }),
};
