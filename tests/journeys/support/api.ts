import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import type { Customer } from '@customer-database/contract/customers';
import {
  type Document,
  type DocumentDetails,
  type DocumentExtension,
  documentTypes,
} from '@customer-database/contract/documents';
import type { Role } from '@customer-database/contract/permissions';
import type { User } from '@customer-database/contract/users';
import { createClient } from '@customer-database/testkit/client';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { expect } from '@playwright/test';
import { firstAdmin } from './server.ts';

export type Account = { email: string; password: string };
export type SignedIn = Account & { token: string; user: User };

/** Different in every test, so that tests can share a server. */
export const unique = (text: string) => `${text} ${randomBytes(4).toString('hex')}`;
export const uniqueEmail = (name: string) => `${name}.${randomBytes(4).toString('hex')}@example.com`;

type Body = Record<string, unknown>;

/** Sends a request as a user and returns the response, whatever its status. */
export const send = (url: string, method: string, path: string, token?: string, body?: Body) =>
  createClient(url, token).send(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

async function sendOrThrow<Answer>(...call: Parameters<typeof send>): Promise<Answer> {
  const answer = await send(...call);
  if (answer.status >= 300)
    throw new Error(`${call[1]} ${call[2]}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates data through the API, as the application does. */
export class Api {
  readonly url: string;
  readonly token: string;
  private confirmedAt = Date.now();

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  static async signIn(url: string, { email, password }: Account): Promise<SignedIn> {
    const account = { email, password };
    const path = '/api/auth/login';
    const answer = await sendOrThrow<{ token: string; user: User }>(url, 'POST', path, undefined, account);
    return { ...account, ...answer };
  }

  static async asFirstAdmin(url: string): Promise<Api> {
    return new Api(url, (await Api.signIn(url, firstAdmin)).token);
  }

  /** An invited user who has not signed in yet, with the temporary password. */
  async invite(role: Role, name = unique(role)): Promise<Account> {
    const email = uniqueEmail(role);
    await this.confirmIfOld();
    const { temporary_password } = await sendOrThrow<{ temporary_password: string }>(
      this.url,
      'POST',
      '/api/auth/invite',
      this.token,
      { email, name, role },
    );
    return { email, password: temporary_password };
  }

  /** Invitations need a session that was confirmed in the last 15 minutes. */
  private async confirmIfOld(): Promise<void> {
    if (Date.now() - this.confirmedAt < 10 * 60_000) return;
    const proof = { password: firstAdmin.password };
    await sendOrThrow(this.url, 'POST', '/api/auth/confirm', this.token, proof);
    this.confirmedAt = Date.now();
  }

  /** A user who has chosen a password and is signed in. */
  async makeUser(role: Role, name?: string): Promise<SignedIn> {
    const invited = await this.invite(role, name);
    const { token, user } = await Api.signIn(this.url, invited);
    const password = `chosen ${randomBytes(6).toString('hex')}`;
    await sendOrThrow(this.url, 'PUT', '/api/auth/change-password', token, {
      currentPassword: invited.password,
      newPassword: password,
    });
    return { email: invited.email, password, token, user };
  }

  async makeCustomer(fields: Partial<Customer> = {}): Promise<Customer> {
    const answer = await sendOrThrow<{ customer: Customer }>(this.url, 'POST', '/api/customers', this.token, {
      name: unique('Customer'),
      dob: '1980-05-17',
      email: uniqueEmail('customer'),
      ...fields,
    });
    return answer.customer;
  }

  async makeDocument(
    customerId: number,
    fields: { filename?: string; content?: Buffer; description?: string } = {},
  ) {
    const {
      filename = `${unique('notes')}.txt`,
      content = Buffer.from('Some words.\n'),
      description,
    } = fields;
    const answer = await sendOrThrow<{ document: Document }>(this.url, 'POST', '/api/documents', this.token, {
      customer_id: customerId,
      filename,
      mime_type: documentTypes[extname(filename) as DocumentExtension],
      file_data: content.toString('base64'),
      ...(description ? { description } : {}),
    });
    return answer.document;
  }

  /** Reading a document may wait for others, on a busy machine for long. */
  async waitForText(documentId: number): Promise<void> {
    const path = `/api/documents/${documentId}`;
    const state = async () => (await this.get<{ document: DocumentDetails }>(path)).document.text.state;
    await expect.poll(state, { timeout: 180_000 }).toBe('ready');
  }

  get<Answer>(path: string): Promise<Answer> {
    return sendOrThrow(this.url, 'GET', path, this.token);
  }

  put(path: string, body: Body) {
    return sendOrThrow(this.url, 'PUT', path, this.token, body);
  }

  delete(path: string) {
    return sendOrThrow(this.url, 'DELETE', path, this.token);
  }
}

/** A small PDF that viewers can show. */
export const makePdf = (text: string): Buffer => pdfOf([textPage(text)]);
