import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { restoreAtItsSchema } from '../../src/backup/restore-backup.ts';
import { readConfig } from '../../src/config.ts';
import { openFileStore } from '../../src/platform/files.ts';
import { createLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service.ts';
import { placeOn } from '../cli/countersign.ts';
import { databaseUrl } from '../support/postgres.ts';
import { isSignedWith, startReceiver } from '../support/receiver.ts';
import { call, eventually, TestClock } from '../support/service.ts';
import { postPdf } from '../verify/sealed.ts';
import { readUpgradeFixtures, type UpgradeFixture, unpackBackup } from './upgrade-fixture.ts';

const log = createLog('silent');

for (const fixture of readUpgradeFixtures()) {
  test(`an installation of ${fixture.name} works after the upgrade`, async () => {
    const { url, dataDir } = await restoreOld(fixture);
    const settings = { DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY: fixture.secretKey };
    const at = placeOn(settings);
    expect(await at.json('migrate')).toEqual({ applied: expect.any(Array) });
    const findings = await at.json<Array<{ check: string; ok: boolean; detail: string }>>('doctor');
    expect(findings.filter(({ check }) => check === 'schema' || check === 'secrets')).toMatchObject([
      { ok: true, detail: 'up to date' },
      { ok: true },
    ]);

    // Only the address changes. The endpoint keeps its id and secret.
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    await query(url, 'update webhook_endpoints set url = $1 where id = $2', [receiver.url, fixture.endpoint.id]);

    const clock = new TestClock();
    // After the retries of events that the endpoint of the stored installation missed.
    clock.advance({ seconds: (Date.parse(fixture.at) - clock.now().getTime()) / 1000, hours: 2 });
    const environment = { ...settings, PORT: '0', LOG_LEVEL: 'silent', WEBHOOK_ALLOW_PRIVATE: 'true' };
    const service = await startService(readConfig(environment), { clock });
    onTestFinished(() => service.stop());
    const app = { baseUrl: `${service.origin}/api/v1` };
    const { key, documents } = fixture;
    const get = (path: string) => call(app, 'GET', path, { key });

    const list = await get('/documents');
    expect(list.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(Object.values(documents).sort());
    expect((await get(`/documents/${documents.draft}`)).body).toMatchObject({ title: 'Draft é 漢', status: 'draft' });

    const sealed = Buffer.from(
      await (await fetch((await get(`/documents/${documents.completed}/download`)).body.url)).arrayBuffer(),
    );
    expect(createHash('sha256').update(sealed).digest('hex')).toBe(fixture.sealedSha256);
    expect(await postPdf(app, sealed)).toMatchObject({ status: 200, against: [] });

    const signing = `${service.origin}${fixture.signingPath}`;
    expect((await fetch(signing)).status).toBe(200);
    const signature = { full_name: 'Ada Lovelace', signature: { kind: 'typed' } };
    const signed = await fetch(`${signing}/sign`, { method: 'POST', body: JSON.stringify(signature) });
    expect(signed.status, await signed.text()).toBe(200);
    expect((await get(`/documents/${documents.open}`)).body.status).toBe('completed');

    const delivered = await eventually(
      async () => receiver.received.find(({ event }) => event.event === 'document.completed'),
      (found) => found !== undefined,
    );
    expect(isSignedWith(fixture.endpoint.secret, delivered as NonNullable<typeof delivered>, clock.now())).toBe(true);
  });
}

/** Restores the stored installation into its own database and DATA_DIR, with its original schema. */
async function restoreOld(fixture: UpgradeFixture): Promise<{ url: string; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const backup = join(dataDir, 'backup');
  mkdirSync(backup);
  unpackBackup(fixture, backup);
  const url = await emptyDatabase();
  const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY: fixture.secretKey });
  const files = await openFileStore(config.filesUrl, config.s3);
  await restoreAtItsSchema({ databaseUrl: url, dataDir, files, secretKey: config.secretKey, log }, backup);
  return { url, dataDir };
}

async function emptyDatabase(): Promise<string> {
  const admin = inject('adminDatabaseUrl');
  const name = `upgrade_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await query(admin, `create database ${name} template template0`);
  onTestFinished(() => query(admin, `drop database if exists ${name} with (force)`).then(() => {}));
  return databaseUrl(admin, name);
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
