import { startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { storeOrigin } from '../../src/http/security.ts';
import { createS3Storage } from '../../src/storage/s3.ts';

describe('the content policy of the page', () => {
  const policyOf = async (env: Record<string, string>) =>
    (await (await startTestApp({ env })).client().get('/')).headers.get('content-security-policy') ?? '';

  it('allows scripts, fonts and calls only from this server', async () => {
    const { headers } = await (await startTestApp()).client().get('/login');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split(';').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "object-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
    ]);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('allows the API that the page was built for', async () => {
    expect(await policyOf({ VITE_API_URL: 'https://api.example.com:8443/base/' })).toContain(
      "connect-src 'self' https://api.example.com:8443;",
    );
  });

  const store = { S3_BUCKET: 'documents', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  it('allows documents from the store where links lead there', async () => {
    const own = { ...store, S3_ENDPOINT: 'http://127.0.0.1:9' };
    expect(await policyOf(own)).toContain("connect-src 'self';");
    expect(await policyOf({ ...own, LINK_MODE: 's3' })).toContain("connect-src 'self' http://127.0.0.1:9;");
  });

  it.each<Record<string, string>>([
    {},
    { S3_REGION: 'eu-central-1' },
    { S3_REGION: 'cn-north-1' },
    { S3_FORCE_PATH_STYLE: 'true' },
    { S3_BUCKET: 'documents.example.com' },
    { S3_BUCKET: 'Old_Bucket' },
    { S3_ENDPOINT: 'https://s3.example.com:9000/base' },
    { S3_ENDPOINT: 'https://s3.example.com', S3_FORCE_PATH_STYLE: 'false' },
    { S3_ENDPOINT: 'http://127.0.0.1:9000', S3_FORCE_PATH_STYLE: 'false' },
  ])("contains the host of the store's links: %j", async (settings) => {
    const config = readConfig({ ...store, LINK_MODE: 's3', ...settings });
    if (!config.s3) throw new Error('no store');
    const { endpoint, ...rest } = config.s3;
    const storage = createS3Storage({
      ...rest,
      accessKeyId: 'id',
      secretAccessKey: 's',
      ...(endpoint && { endpoint }),
    });
    const link = await storage.presign?.({
      key: 'documents/1',
      expiresInSeconds: 60,
      contentType: 'text/plain',
      contentDisposition: 'inline',
    });
    await storage.close();
    expect(storeOrigin(config)).toBe(new URL(link ?? '').origin);
  });
});
