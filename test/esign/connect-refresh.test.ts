import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { readConfig } from '../../src/config.ts';
import { findConnection } from '../../src/esign/connection.ts';
import { disconnect } from '../../src/esign/disconnect.ts';
import type { EsignDeps } from '../../src/esign/esign-deps.ts';
import { openEsign } from '../../src/esign/open-esign.ts';
import { enqueueReconnectMail } from '../../src/esign/reconnect-notice.ts';
import { refreshUnusedConnections } from '../../src/esign/refresh-unused-connections.ts';
import { VendorTokenRefused } from '../../src/esign/vendor/token-refused.ts';
import { type VendorAccess, withVendorAccess } from '../../src/esign/with-vendor-access.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { ensureSecretKey } from '../../src/platform/secret-key.ts';
import { addMember, type Member } from '../console/visitor.ts';
import { createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { connect, connectCompany } from './vendor/connect-company.ts';
import { startVendorOauth, type VendorOauth } from './vendor/oauth.ts';

/** Several processes on one database refresh tokens before they expire, each token once. */
let vendor: VendorOauth;
let app: TestService;
let workers: EsignDeps[];
let accountId: string;

beforeAll(async () => {
  vendor = await startVendorOauth({ baseUri: 'http://127.0.0.1:9/' });
  app = await startTestService({ env: vendor.env });
  const key = await ensureSecretKey(null, app.dataDir, app.world.random);
  const config = readConfig(vendor.env);
  const outside = { world: app.world, database: app.db, secretBox: createSecretBox(key, app.world.random) };
  workers = [openEsign(config, outside), openEsign(config, outside), openEsign(config, outside)];
});
beforeEach(async () => {
  accountId = (await createCompany(app)).id;
  await connectCompany(app, accountId);
  vendor.onRequest = () => {};
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

const worker = () => workers[0] as EsignDeps;

/** Returns the status of a call to the vendor's API: 401 for an invalid token. */
async function callVendor({ token }: VendorAccess): Promise<string> {
  if (!(await vendor.isValid(token))) throw new VendorTokenRefused();
  return token;
}

const use = (means = worker()) => withVendorAccess(means, accountId, callVendor);
const statusOf = async () => (await findConnection(app.db, accountId))?.status;

test('what a call needs', async () => {
  const used = await withVendorAccess(worker(), accountId, async (access) => access);
  expect(used).toEqual({
    kind: 'used',
    result: {
      token: expect.any(String),
      baseUri: 'http://127.0.0.1:9',
      vendorAccountId: 'vendor-account-1',
      connectionId: (await findConnection(app.db, accountId))?.id,
    },
  });
  const nobody = (await createCompany(app)).id;
  expect(await withVendorAccess(worker(), nobody, callVendor)).toEqual({ kind: 'not_connected' });
});

test('a token is used until five minutes before its end, then replaced, and again', async () => {
  const first = await use();
  const before = vendor.refreshes();
  app.clock.advance({ hours: 7, minutes: 54, seconds: 59 });
  expect(await use()).toEqual(first);
  app.clock.advance({ seconds: 1 });
  const second = await use();
  expect(second.kind === 'used' && second.result).not.toBe(first.kind === 'used' && first.result);
  app.clock.advance({ hours: 8 });
  expect((await use()).kind).toBe('used');
  expect(vendor.refreshes() - before).toBe(2);
});

test('many that meet a refused token at once, in several processes, have it replaced once', async () => {
  const before = vendor.refreshes();
  vendor.expireAccessTokens();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => use(workers[i % workers.length])));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.kind).toBe('used');
  expect(vendor.refreshes() - before).toBe(1);
});

test('while one refreshes ahead of the end, the others go on with what they have', async () => {
  app.clock.advance({ hours: 7, minutes: 56 });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  vendor.onRequest = (path) => {
    if (path !== '/oauth/token') return;
    asked.resolve();
    return answered.promise;
  };
  const refreshing = use();
  await asked.promise;
  const meanwhile = await Promise.all(workers.map((means) => use(means)));
  answered.resolve();
  expect(meanwhile.map(({ kind }) => kind)).toEqual(['used', 'used', 'used']);
  expect((await refreshing).kind).toBe('used');
});

test('a vendor that takes no refresh token any more has to be connected again, and then goes on', async () => {
  vendor.revokeAll();
  expect(await use()).toEqual({ kind: 'reconnect_needed' });
  expect(await statusOf()).toBe('reconnect_needed');
  const before = vendor.refreshes();
  expect(await use()).toEqual({ kind: 'reconnect_needed' });
  expect(vendor.refreshes()).toBe(before);
  await connectCompany(app, accountId);
  expect((await use()).kind).toBe('used');
  expect(await statusOf()).toBe('connected');
});

test('so has one that goes on refusing tokens that it gave just now', async () => {
  const shown: string[] = [];
  const used = await withVendorAccess(worker(), accountId, async ({ token }) => {
    shown.push(token);
    throw new VendorTokenRefused();
  });
  expect(used).toEqual({ kind: 'reconnect_needed' });
  expect(await statusOf()).toBe('reconnect_needed');
  const [first, second, again, third, ...more] = shown;
  expect(new Set([first, second, third]).size).toBe(3);
  expect([again, more]).toEqual([second, []]);
});

test('but not one whose API hears of a token late, or takes two away', async () => {
  for (const refused of [2, 3]) {
    let refusals = 0;
    const used = await withVendorAccess(worker(), accountId, async () => {
      if (refusals++ < refused) throw new VendorTokenRefused();
      return 'in the end';
    });
    expect(used).toEqual({ kind: 'used', result: 'in the end' });
  }
  expect(await statusOf()).toBe('connected');
});

test('a vendor that is down costs nothing while the token lasts, and is asked again when it has ended', async () => {
  app.clock.advance({ hours: 7, minutes: 56 });
  vendor.goDown(true);
  expect((await use()).kind).toBe('used');
  app.clock.advance({ minutes: 4 });
  expect(await use()).toEqual({ kind: 'unavailable' });
  vendor.goDown(false);
  expect((await use()).kind).toBe('used');
  expect(await statusOf()).toBe('connected');
});

test('what a process that died had begun is taken over when its lease has ended', async () => {
  vendor.expireAccessTokens();
  await app.db.query({
    name: 'test_dead_lease',
    text: `update esign_connections set refresh_lease_id = $2, refresh_leased_until = $3 where account_id = $1`,
    values: [accountId, app.world.newId(), new Date(app.clock.now().getTime() + 20_000)],
  });
  const waiting = use();
  app.clock.advance({ seconds: 20 });
  expect((await waiting).kind).toBe('used');
});

test('what fails for another reason is not asked twice', async () => {
  let calls = 0;
  const failing = withVendorAccess(worker(), accountId, async () => {
    calls++;
    throw new Error('404');
  });
  await expect(failing).rejects.toThrow('404');
  expect(calls).toBe(1);
});

test('a connection that nobody uses is kept, and a consent that was withdrawn meanwhile is found', async () => {
  const refreshedAt = async () => (await findConnection(app.db, accountId))?.refreshed_at;
  app.clock.advance({ days: 7, seconds: -1 });
  await refreshUnusedConnections(worker());
  expect(await refreshedAt()).not.toBe(app.clock.now().toISOString());
  app.clock.advance({ seconds: 1 });
  await refreshUnusedConnections(worker());
  expect(await refreshedAt()).toBe(app.clock.now().toISOString());
  expect((await use()).kind).toBe('used');

  vendor.revokeAll();
  app.clock.advance({ days: 7 });
  await refreshUnusedConnections(worker());
  expect(await statusOf()).toBe('reconnect_needed');
});

test('owners are asked by e-mail to connect again, once, and nobody else is', async () => {
  const owners = [await addMember(app, accountId, 'owner'), await addMember(app, accountId, 'owner')];
  const admin = await addMember(app, accountId, 'admin');
  vendor.revokeAll();
  await use();
  const mailsTo = ({ email }: Member) => listMailbox(join(app.dataDir, 'mailbox'), { to: email });
  for (const _restart of [1, 2]) {
    const env = { ...vendor.env, DATA_DIR: app.dataDir };
    const another = await startTestService({ databaseUrl: app.databaseUrl, clock: app.clock, env });
    for (const owner of owners)
      await eventually(
        () => mailsTo(owner),
        (mails) => mails.length > 0,
      );
    await another.stop();
  }
  for (const owner of owners) {
    const [mail, ...more] = await mailsTo(owner);
    expect([mail?.subject, more]).toEqual(['Connect Acme Builders to its e-signature vendor again', []]);
    expect(mail?.links[0]).toMatch(/\/settings\/connections$/);
  }
  expect(await mailsTo(admin)).toEqual([]);
});

test('the connection of a removed company is not kept, and its owners are not asked to connect again', async () => {
  await addMember(app, accountId, 'owner');
  await app.db.transaction((tx) => removeAccount(app.world, tx, accountId));
  const connection = async () => {
    const text = 'select refreshed_at, owners_asked_at from esign_connections where account_id = $1';
    return (await app.db.query({ name: '', text, values: [accountId] }))[0];
  };
  const before = await connection();
  app.clock.advance({ days: 8 });
  await refreshUnusedConnections(worker());
  expect(await connection()).toEqual(before);
  const refused = 'update esign_connections set refused_at = $2 where account_id = $1';
  await app.db.query({ name: '', text: refused, values: [accountId, app.clock.now()] });
  await enqueueReconnectMail(app.world, app.db, await app.queue());
  expect(await connection()).toEqual(before);
});

test('disconnected in the middle of a refresh, nothing stays behind, and the new tokens are void', async () => {
  const before = vendor.refreshTokens();
  vendor.expireAccessTokens();
  vendor.onRequest = async (path) => {
    if (path !== '/oauth/token') return;
    vendor.onRequest = () => {};
    await disconnect({ ...worker(), oauth: null }, accountId, null);
  };
  expect(await use()).toEqual({ kind: 'not_connected' });
  expect(await findConnection(app.db, accountId)).toBe(null);
  expect(vendor.refreshTokens()).toBe(before - 1);
});

test('connected again in the middle of a refresh, the new consent stands', async () => {
  const owner = await connectCompany(app, accountId);
  vendor.expireAccessTokens();
  vendor.onRequest = async (path) => {
    if (path !== '/oauth/token') return;
    vendor.onRequest = () => {};
    await connect(owner);
  };
  expect((await use()).kind).toBe('used');
  expect(await statusOf()).toBe('connected');
});
