import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCompany } from '../esign/vendor/connect-company.ts';
import { startVendorOauth, type VendorOauth, vendorUser } from '../esign/vendor/oauth.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Place, place, placeOn } from './countersign.ts';

let vendor: VendorOauth;
beforeAll(async () => {
  vendor = await startVendorOauth();
});
afterAll(() => vendor.stop());

/** A service on the same database, with the same secrets. */
async function beside<Result>(at: Place, settings: object, work: (app: TestService) => Promise<Result>) {
  const env = { DATA_DIR: at.dataDir, ...vendor.env, ...settings };
  const app = await startTestService({ databaseUrl: at.databaseUrl as string, env });
  try {
    return await work(app);
  } finally {
    await app.stop();
  }
}

test('a connection is listed, shown and removed, and where to make one is told', async () => {
  const at = await place(vendor.env);
  const { id: account } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme');
  const start = () => at.json('connection', 'start', '--account', account);
  const at3000 = { account_id: account, url: 'http://127.0.0.1:3000/settings/connections' };
  expect(await start()).toEqual(at3000);
  await beside(at, {}, async (app) => {
    await connectCompany(app, account);
    // The service uses another port than the command's settings.
    expect(await start()).toEqual({ account_id: account, url: `${app.service.origin}/settings/connections` });
  });
  expect(existsSync(join(at.dataDir, 'serving.json'))).toBe(false);
  const { pid } = spawnSync('true'); // it has ended
  writeFileSync(join(at.dataDir, 'serving.json'), JSON.stringify({ pid, origin: 'http://127.0.0.1:4000' }));
  expect(await start()).toEqual(at3000);

  const [connection] = await at.json<{ id: string }[]>('connection', 'list', '--account', account);
  expect(connection).toMatchObject({
    provider: 'esign_vendor',
    status: 'connected',
    vendor_account: { id: 'vendor-account-1', name: 'Vendor & Sons' },
    vendor_user: vendorUser,
  });
  const id = connection?.id as string;
  expect(await at.json('connection', 'show', id)).toEqual(connection);
  const out = vendor.refreshTokens();
  expect(await at.json('connection', 'remove', id)).toEqual({ ...connection, revoked: true });
  expect(vendor.refreshTokens()).toBe(out - 1);
  expect(await at.fails(1, 'connection', 'remove', id)).toMatch(/^there is no connection with the id/);
  expect(await at.json('connection', 'list', '--account', account)).toEqual([]);
});

test('a company that is removed is disconnected, and its tokens are revoked', async () => {
  const at = await place(vendor.env);
  const { id: account } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme');
  await beside(at, {}, (app) => connectCompany(app, account));
  const out = vendor.refreshTokens();
  expect(await at.json('account', 'remove', account)).toMatchObject({ removed_at: expect.any(String) });
  expect(vendor.refreshTokens()).toBe(out - 1);
  expect(await at.json('connection', 'list', '--account', account)).toEqual([]);
});

test('after a change of SECRET_KEY everything is read, then encrypted anew, and the old key can go', async () => {
  const [before, today] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
  const first = await place({ ...vendor.env, SECRET_KEY: before });
  const settings = { ...vendor.env, DATABASE_URL: first.databaseUrl as string, DATA_DIR: first.dataDir };
  const { id: account } = await first.json<{ id: string }>('account', 'create', '--name', 'Acme', '--plan', 'team');
  const hook = ['--account', account, '--url', 'https://example.com/hook', '--events', 'all'];
  await first.json('webhook', 'create', ...hook);
  await beside(first, { SECRET_KEY: before }, (app) => connectCompany(app, account));

  const forgetful = placeOn({ ...settings, SECRET_KEY: today });
  expect((await forgetful.run('doctor')).stdout.toString()).toMatch(/^FAIL {2}secrets .*3 are encrypted with another/m);
  expect(await forgetful.fails(1, 'secrets', 'rotate')).toMatch(/SECRET_KEY_PREVIOUS/);

  const wrong = placeOn({
    ...settings,
    SECRET_KEY: today,
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 3).toString('base64'),
  });
  expect(await wrong.run('secrets', 'rotate', '--json')).toEqual({
    code: 1,
    stdout: Buffer.from('{"resealed":0,"current":0,"unreadable":3}\n'),
    stderr: expect.stringMatching(/^countersign: 3 can be read with neither key: .+\n$/),
  });

  const both = placeOn({ ...settings, SECRET_KEY: today, SECRET_KEY_PREVIOUS: before });
  expect((await both.run('doctor')).stdout.toString()).toMatch(
    /^ok {4}secrets .*3 are .* run countersign secrets rotate/m,
  );
  // The service's own certificate opens too.
  await beside(both, { SECRET_KEY: today, SECRET_KEY_PREVIOUS: before }, async () => {});
  expect(await both.json('secrets', 'rotate')).toEqual({ resealed: 3, current: 0, unreadable: 0 });
  expect(await both.json('secrets', 'rotate')).toEqual({ resealed: 0, current: 3, unreadable: 0 });

  const rotated = placeOn({ ...settings, SECRET_KEY: today });
  expect((await rotated.run('doctor')).stdout.toString()).toMatch(/^ok {4}secrets .*3 encrypted, all readable/m);
  await beside(rotated, { SECRET_KEY: today }, async () => {});
  const [connection] = await rotated.json<{ id: string }[]>('connection', 'list', '--account', account);
  expect(await rotated.json('connection', 'remove', connection?.id as string)).toMatchObject({ revoked: true });
});
