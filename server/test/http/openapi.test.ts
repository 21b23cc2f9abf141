import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentTypes } from '@customer-database/contract/documents';
import { errorCodes } from '@customer-database/contract/errors';
import {
  apiDocument,
  type JsonSchema,
  type Operation,
  operationsOf,
  responseOf,
} from '@customer-database/testkit/api';
import { baseEnvironment } from '@customer-database/testkit/base-environment';
import { afterTest } from '@customer-database/testkit/cleanup';
import { startTestApp } from '@customer-database/testkit/test-app';
import type { OpenAPIV3_1 } from 'openapi-types';
import { describe, expect, it } from 'vitest';
import { calls } from './calls/all.ts';

const app = await startTestApp();
const client = app.client();
const document = apiDocument(app);
const operations = operationsOf(document);

/** The media types of the answers that are not JSON. */
const otherMedia: Record<string, string[]> = {
  'GET /api/documents/{id}/content': Object.values(documentTypes),
  'GET /api/documents/{id}/thumbnail': ['image/webp', 'text/plain'],
  'GET /api/activity/export': ['text/csv', 'application/jsonl'],
  'GET /metrics': ['text/plain'],
};

/** Health checks answer 503 in their own words. */
const isHealth = (name: string, status: string) => /\/health\b/.test(name) && status === '503';

function securityOf(name: string) {
  const { access, token } = calls[name] ?? {};
  if (access === 'public' || access === 'link') return [];
  if (access === 'metrics') return [{ metrics: [] }, {}];
  return token === 'no token' ? [{ session: [] }] : [{ session: [] }, { token: [] }];
}

const statusesOf = ({ description }: Operation) => Object.keys(description.responses ?? {});

const schemaOf = (operation: Operation, status: string) =>
  responseOf(operation, status)?.content?.['application/json']?.schema as
    | (JsonSchema & { $ref?: string })
    | undefined;

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield String(inner);
    else yield* references(inner);
  }
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with a title and a version', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'Customer Database',
        version: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
      },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
      servers: [{ url: '/' }],
    });
  });

  it('names the public address of the server', async () => {
    const named = await startTestApp({ env: { PUBLIC_URL: 'https://customers.example.org/' } });
    expect(apiDocument(named).servers).toEqual([{ url: 'https://customers.example.org' }]);
  });

  it('passes the recommended rules of Redocly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    afterTest(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const redocly = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
    const args = ['lint', 'openapi.json', '--extends=recommended', '--format=json'];
    const { stdout, stderr } = spawnSync(process.execPath, [redocly, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...baseEnvironment(), REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    expect(stderr).toContain('validated in');
    const problems: { ruleId: string; message: string }[] = JSON.parse(stdout).problems;
    // Specified like this, and unambiguous: no id is 'customer'.
    const isSpecified = ({ ruleId, message }: (typeof problems)[number]) =>
      ruleId === 'no-ambiguous-paths' && message.includes('`/api/documents/customer/{id}`');
    expect(problems.filter((problem) => !isSpecified(problem))).toEqual([]);
  });

  it('contains every call and no other', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
  });

  it.each(operations)('fully describes $name', (operation) => {
    const { name, description } = operation;
    expect(description.summary).toMatch(/^[A-Z].{5,}/);
    expect(description.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(description.tags).toEqual([expect.toBeOneOf(document.tags?.map((tag) => tag.name) ?? [])]);
    expect(description.security, 'who may call it').toEqual(securityOf(name));
    const [success = '', ...others] = statusesOf(operation);
    expect(success).toMatch(/^20[01]$/);
    const media = responseOf(operation, success)?.content ?? {};
    expect(Object.keys(media)).toEqual(otherMedia[name] ?? ['application/json']);
    for (const { schema } of Object.values(media)) expect(schema).toMatchObject({});
    expect(others).toEqual(expect.arrayContaining(['400', '500', '503']));
    for (const status of others.filter((other) => other !== '206' && !isHealth(name, other))) {
      expect(schemaOf(operation, status), status).toEqual({ $ref: '#/components/schemas/Error' });
    }
    if (operation.body?.properties) expect(operation.body.additionalProperties).toBe(false);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(operation.path.match(/\{\w+\}/g) ?? []);
  });

  it('describes the errors that follow from access and input, and those of the call', () => {
    const errorsOf = (name: string) =>
      operations
        .filter((operation) => operation.name === name)
        .flatMap((operation) =>
          statusesOf(operation).map((status) => `${status} ${responseOf(operation, status)?.description}`),
        )
        .filter((line) => line >= '400');
    expect(errorsOf('GET /api/auth/setup')).toEqual([
      '400 MALFORMED_REQUEST',
      '500 INTERNAL_ERROR',
      '503 BUSY, DATABASE_UNAVAILABLE',
    ]);
    expect(errorsOf('PUT /api/customers/{id}')).toEqual([
      '400 VALIDATION_FAILED, MALFORMED_REQUEST',
      '401 UNAUTHENTICATED',
      '403 FORBIDDEN, PASSWORD_CHANGE_REQUIRED, MFA_SETUP_REQUIRED',
      '404 NOT_FOUND',
      '409 CONFLICT, POSSIBLE_DUPLICATE',
      '413 REQUEST_TOO_LARGE',
      '415 UNSUPPORTED_MEDIA_TYPE',
      '500 INTERNAL_ERROR',
      '503 BUSY, DATABASE_UNAVAILABLE',
    ]);
    expect(errorsOf('POST /api/auth/login')).toContain('429 TOO_MANY_ATTEMPTS');
  });

  it('describes an upload as JSON and as a form with a file', () => {
    const { requestBody } = document.paths?.['/api/documents']?.post ?? {};
    const { content } = requestBody as OpenAPIV3_1.RequestBodyObject;
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
    const ofForm = document.paths?.['/api/documents/upload']?.post
      ?.requestBody as OpenAPIV3_1.RequestBodyObject;
    expect(ofForm.content).toEqual({ 'multipart/form-data': content['multipart/form-data'] });
    expect(content['multipart/form-data']?.schema).toMatchObject({
      required: ['customer_id', 'file'],
      properties: { file: { format: 'binary', contentMediaType: 'application/octet-stream' } },
      additionalProperties: false,
    });
  });

  it('has no dangling references', () => {
    const names = [...new Set(references(document))];
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const found = name
        .slice('#/'.length)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
      expect(found, name).toMatchObject({ type: 'object' });
    }
  });

  it('describes errors, users, customers and documents as they are sent', () => {
    const schemas = document.components?.schemas as Record<string, JsonSchema>;
    expect(schemas.Error?.required).toEqual(['error', 'code', 'request_id']);
    expect(schemas.Error?.properties?.code?.enum).toEqual([...errorCodes]);
    const fieldsOf = (name: string) => Object.keys(schemas[name]?.properties ?? {});
    expect(fieldsOf('User')).toEqual(['id', 'name', 'email', 'phone_number', 'role', 'mfa_enabled']);
    expect(fieldsOf('Customer').join(' ')).toBe(
      'id name dob email phone_number street_line city province country created_at updated_at',
    );
    expect(fieldsOf('Document').join(' ')).toBe(
      'id customer_id customer_name customer_email filename description mime_type file_size uploaded_at uploaded_by_name protected thumbnail_url',
    );
  });

  it('leaks no internals', () => {
    expect(JSON.stringify(document)).not.toMatch(
      /password_hash|storage_key|mfa_secret|token_hash|sha256|\/src\//,
    );
  });

  it('is available as JSON and as YAML', async () => {
    expect((await client.get('/api/docs/json')).body).toEqual(JSON.parse(JSON.stringify(document)));
    const answer = await client.get('/api/docs/yaml');
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('openapi: 3.1.0');
    expect(answer.body).toContain('/api/customers/{id}:');
  });
});

describe('the API page', () => {
  const attributes = (html: string) =>
    [...html.matchAll(/\s(?:src|href|action|data)="([^"]*)"/g)].map(([, url]) => url ?? '');

  it('loads only its own files, all of which exist', async () => {
    const page = await client.get('/api/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const urls = attributes(page.body);
    expect(urls.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(1);
    for (const url of urls) {
      expect(url, 'no other host').toMatch(/^\/api\/docs\/static\/[\w.-]+$/);
      const file = await client.get(url);
      expect(file.status, url).toBe(200);
      const type = file.headers.get('content-type') ?? '';
      if (url.endsWith('.js')) expect(type).toMatch(/^(text|application)\/javascript/);
      if (url.endsWith('.css')) {
        expect(type).toMatch(/^text\/css/);
        const outside = [...file.body.matchAll(/url\(\s*(?!['"]?data:)[^)]{0,80}|@import[^;]*/g)];
        expect(outside.map(String), url).toEqual([]);
      }
    }
  });

  it('works under its content policy: no inline script, none from elsewhere', async () => {
    const page = await client.get('/api/docs');
    const scripts = [...page.body.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, head, content = ''] of scripts) {
      expect(head).toContain('src="/api/docs/static/');
      expect(content.trim()).toBe('');
    }
    expect(page.body).not.toMatch(/\son\w+=|javascript:|<base|<iframe|<object/i);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
  });

  it('contacts no other host by itself', async () => {
    const script = (await client.get('/api/docs/static/swagger-initializer.js')).body;
    expect(script).toContain('validatorUrl: null');
    expect(script).toContain("resolveUrl('./json')");
    const code = script.replace(/^\s*\/\/.*$/gm, '');
    expect(code).not.toMatch(/https?:\/\/|\/\/[a-z]/);
  });
});
