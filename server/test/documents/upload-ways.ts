import type { Answer, Client } from '@customer-database/testkit/client';
import { type FormFile, formOf, uploadForm } from '@customer-database/testkit/documents';
import { uploadBody } from '@customer-database/testkit/factories';

type UploadWay = {
  way: string;
  /** The name of the file in errors. */
  field: string;
  upload(client: Client, customerId: number, file: FormFile): Promise<Answer>;
};

/** Both encodings that an upload may have. */
export const uploadWays: UploadWay[] = [
  {
    way: 'JSON',
    field: 'file_data',
    upload: (client, customerId, { name, type, bytes }) =>
      client.post('/api/documents', uploadBody(customerId, { filename: name, mime_type: type }, bytes)),
  },
  {
    way: 'a form',
    field: 'file',
    upload: (client, customerId, file) => uploadForm(client, formOf({ customer_id: customerId }, file)),
  },
];
