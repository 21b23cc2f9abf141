import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { runProgramHere, settingsOf } from '@customer-database/testkit/admin';
import {
  backUp,
  contentsOf,
  emptyInstallation,
  filledApp,
  restore,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { type Swift, startSwift } from '@customer-database/testkit/swift';
import { startTestApp } from '@customer-database/testkit/test-app';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readSealText } from '../../src/modules/activity/seals/note.ts';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';
import { openSealCopy } from '../../src/start/seal-copy.ts';

// A verification requests 256 listings, which are slow in Swift.
const timeout = 120_000;

describe.skipIf(inject('swiftLeftOut'))('Backups and an S3 store', { timeout }, () => {
  let swift: Swift;
  let client: S3Client;
  let access: Record<string, string>;

  beforeAll(async () => {
    swift = await startSwift();
    const credentials = { accessKeyId: swift.accessKeyId, secretAccessKey: swift.secretAccessKey };
    client = new S3Client({
      endpoint: swift.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    });
    for (const Bucket of ['backups', 'documents', 'restored']) {
      await client.send(new CreateBucketCommand({ Bucket }));
    }
    access = {
      S3_ENDPOINT: swift.endpoint,
      S3_ACCESS_KEY_ID: swift.accessKeyId,
      S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    };
  }, timeout);

  afterAll(async () => {
    client.destroy();
    await swift.stop();
  });

  const place = 's3://backups/below/here';
  const asBackupStore = () =>
    Object.fromEntries(Object.entries(access).map(([name, value]) => [`BACKUP_${name}`, value]));

  it('are made from a folder, restored into a folder, and verified there, where damage is found', async () => {
    const { app } = await filledApp();
    const made = await backUp(app, [place], asBackupStore());
    expect(made.stderr).toBe('');
    expect(made.code).toBe(0);
    const verified = await runProgramHere('backup', ['verify', place], asBackupStore());
    expect(verified.stdout).toContain('is intact: 2 customers, 4 documents');
    expect(verified.code).toBe(0);
    const target = { ...(await emptyInstallation()), SECRET_KEY: settingsOf(app).SECRET_KEY };
    const { code } = await restore([place], { ...target, ...asBackupStore() });
    expect(code).toBe(0);
    const restored = await startTestApp({ databaseUrl: target.DATABASE_URL, dataDir: target.DATA_DIR });
    expect(await contentsOf(restored)).toEqual(await contentsOf(app));
    await restored.close();

    const inPlace = { Bucket: 'backups', Prefix: 'below/here/objects/' };
    const { Contents = [] } = await client.send(new ListObjectsV2Command(inPlace));
    const lost = Contents[0]?.Key ?? '';
    await client.send(new DeleteObjectCommand({ Bucket: 'backups', Key: lost }));
    const stray = { Bucket: 'backups', Key: 'below/here/objects/ab/extra' };
    await client.send(new PutObjectCommand({ ...stray, Body: 'x' }));
    const damaged = await runProgramHere('backup', ['verify', place], asBackupStore());
    expect(damaged.code).toBe(1);
    expect(damaged.stderr).toContain(`${lost.slice('below/here/'.length)} is missing`);
    expect(damaged.stderr).toContain('objects/ab/extra does not belong to any backup');
  });

  it('of a folder are restored into a bucket, and of a bucket into a folder', async () => {
    const { app } = await filledApp();
    const folder = await temporaryFolder();
    await backUp(app, [folder]);
    const key = { SECRET_KEY: settingsOf(app).SECRET_KEY };
    const inBucket = { ...(await emptyInstallation()), ...key, ...access, S3_BUCKET: 'restored' };
    expect((await restore([folder], inBucket)).code).toBe(0);

    const second = await temporaryFolder();
    expect((await runProgramHere('backup', [second], inBucket)).code).toBe(0);
    const inFolder = { ...(await emptyInstallation()), ...key };
    const { code, stdout } = await restore([second], inFolder);
    expect(stdout).toContain('Every document was read again and is intact.');
    expect(code).toBe(0);
    const refused = await restore([folder], {
      ...(await emptyInstallation()),
      ...key,
      ...access,
      S3_BUCKET: 'restored',
    });
    expect(refused.stderr).toContain('The document storage is not empty');
  });

  it('take copies of the seals of the activity log: an object for each pass', async () => {
    const app = await startTestApp({ env: { ...asBackupStore(), SEAL_COPY_TO: 's3://backups/seals' } });
    const copySeals = await openSealCopy(app.deps);
    const { seals } = await sealActivity(app.deps);
    await copySeals?.(seals);
    const Key = 'seals/seals-000000000001.txt';
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'backups', Key }));
    expect(readSealText((await Body?.transformToString()) ?? '')).toMatchObject({ seal: 1 });
    await app.close();
  });

  it('report a store that is not there', async () => {
    const { app } = await filledApp();
    const missing = await backUp(app, ['s3://no-such-bucket/x'], asBackupStore());
    expect(missing.stderr).toContain('The storage cannot be used');
    expect(missing.code).toBe(1);
    const unreachable = { ...asBackupStore(), BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' };
    expect((await backUp(app, [place], unreachable)).stderr).toContain('The storage cannot be used');
  });
});
