import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Visitor } from '../console/visitor.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectReconciled, fill, finished, migrate, startMigration } from './migrate.ts';
import { connect, connectCompany } from './vendor/connect-company.ts';
import { anEnvelope, listed } from './vendor/envelope.ts';
import { refuse } from './vendor/envelopes.ts';
import { startVendor, type Vendor } from './vendor/vendor.ts';

/** Vendor imports with rate limits, refusals, shifting lists and other imports. Two processes work on one database. */
let vendor: Vendor;
let app: TestService;
let other: TestService;

beforeAll(async () => {
  vendor = await startVendor();
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  app = await startTestService({ env: { ...vendor.env, SECRET_KEY } });
  const env = { ...vendor.env, SECRET_KEY, DATA_DIR: app.dataDir, ROLE: 'worker' };
  other = await startTestService({ databaseUrl: app.databaseUrl, clock: app.clock, env });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
  await vendor.stop();
});

async function connected(): Promise<Company & { owner: Visitor }> {
  const company = await createCompany(app);
  const owner = await connectCompany(app, company.id);
  vendor.api.reset();
  return { ...company, owner };
}

const shown = async ({ key }: Company, id: string) => (await call(app, 'GET', `/imports/${id}`, { key })).body;

test('bursts of 429 are waited out, for as long as the vendor asks', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 60);
  vendor.api.budget.burst(2, 1);
  const askedAt: number[] = [];
  vendor.api.onRequest = () => {
    askedAt.push(performance.now());
    if (askedAt.length === 30) vendor.api.budget.burst(5, 1);
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 60, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
  // Requests in progress when the vendor refused were refused too. Then there is a second without requests.
  const pauses = askedAt.map((at, index) => at - (askedAt[index - 1] ?? at)).filter((ms) => ms > 900);
  expect(pauses.length).toBeGreaterThanOrEqual(1);
  expect(vendor.api.budget.refused.burst).toBe(7);
});

test('the hour’s budget is never overdrawn: what it does not allow is asked for when it is renewed', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 40);
  vendor.api.budget.set(30, 1000);
  expect(await migrate(app, company)).toMatchObject({ filed: 40, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
  expect(vendor.api.budget.refused.budget).toBeLessThanOrEqual(6);
});

test('a vendor that answers 500 to everything for a while is waited for, and no envelope fails by it', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 40);
  let requests = 0;
  let wellAgainAt = Number.POSITIVE_INFINITY;
  vendor.api.onRequest = (_what, response) => {
    requests += 1;
    if (requests === 20) wellAgainAt = performance.now() + 1500;
    if (requests < 20 || performance.now() > wellAgainAt) return false;
    refuse(response, 500, 'UNSPECIFIED_ERROR');
    return true;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 40, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('documents that are not handed out while the list is well are waited for, and no envelope fails by it', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 4);
  let refused = 0;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'list' || refused === 12) return false;
    refused += 1;
    refuse(response, 503, 'DOWN');
    return true;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 4, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
  // Only the first and the last list request: the list is not used to read documents.
  expect(vendor.api.pages).toHaveLength(2);
});

/** The failures of a full disk. Each happens after the vendor has sent a document. */
test.for<[string, string]>([
  ['the file store', 'files/sha256'],
  ['the directory for incoming files', 'incoming'],
])('no envelope fails while %s fails', async ([, name]) => {
  const company = await connected();
  const envelopes = fill(vendor.api, 12);
  const asked = new Map<string, number>();
  vendor.api.onRequest = ({ kind, id }) => {
    if (kind === 'document') asked.set(id, (asked.get(id) ?? 0) + 1);
    return false;
  };
  const place = join(app.dataDir, name);
  await mkdir(place, { recursive: true });
  await rename(place, `${place}-away`);
  await writeFile(place, 'not a directory');
  const { body } = await startMigration(app, company);
  await eventually(
    async () => Math.max(0, ...asked.values()),
    (times) => times > 1,
  );
  expect(await shown(company, body.id)).toMatchObject({ status: 'running', filed: 0, failed: 0 });
  await rm(place);
  await rename(`${place}-away`, place);
  expect(await finished(app, company, body.id)).toMatchObject({ filed: 12, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('documents that fail from the first one on keep no other from being tried', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 25);
  for (const { id } of envelopes.slice(0, 14)) {
    vendor.api.hands.set(id, (response) => {
      if (vendor.api.downloads.size > 0) return false;
      refuse(response, 500, 'UNSPECIFIED_ERROR');
      return true;
    });
  }
  expect(await migrate(app, company)).toMatchObject({ filed: 25, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('a document that is answered with 401 fails alone, while the token counts for everything else', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 10);
  const { id } = envelopes[2] as (typeof envelopes)[number];
  vendor.api.hands.set(id, (response) => {
    refuse(response, 401, 'USER_AUTHENTICATION_FAILED');
    return true;
  });
  const end = await migrate(app, company);
  expect(end).toMatchObject({ total_files: 10, filed: 9, failed: 1 });
  const { body } = await call(app, 'GET', `/imports/${end.id}/items`, { key: company.key });
  expect(body.data[2]).toMatchObject({ name: 'Agreement 2', reason: 'permission_denied' });
  expect((await company.owner.get('/connections')).body.data[0].status).toBe('connected');
});

test('a page that is followed is not the last, whatever total is told', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 50);
  vendor.api.listedMax = 20;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'list') {
      changeJson(response, (page) => {
        const isFollowed = Number(page.endPosition) + 1 < Number(page.totalSetSize);
        return {
          ...page,
          totalSetSize: page.resultSetSize,
          ...(isFollowed && { nextUri: '/envelopes?start_position=20' }),
        };
      });
    }
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ total_files: 50, filed: 50 });
  await expectReconciled(app, company.id, envelopes);
});

test('total_files grows while the vendor still lists, and documents come in meanwhile, a few at once', async () => {
  const company = await connected();
  fill(vendor.api, 25);
  vendor.api.listedMax = 10;
  const { promise: isToGoOn, resolve: goOn } = Promise.withResolvers<void>();
  vendor.api.onRequest = async ({ kind }) => {
    if (kind === 'list' && vendor.api.pages.length === 1) await isToGoOn;
    return false;
  };
  const { body } = await startMigration(app, company);
  const meanwhile = await eventually(
    () => shown(company, body.id),
    ({ filed }) => filed === 10,
  );
  expect(meanwhile).toMatchObject({ status: 'running', total_files: 10, remaining: 0 });
  goOn();
  expect(await finished(app, company, body.id)).toMatchObject({ total_files: 25, filed: 25 });
  expect(vendor.api.underWay.most).toBeLessThanOrEqual(7); // six documents and a page
});

test('a page too large to be read is asked for in smaller ones', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 4);
  const note = 'x'.repeat(10 * 2 ** 20);
  for (const envelope of envelopes) envelope.recipients = { signers: [{ name: 'Ada Lovelace', note }] };
  expect(await migrate(app, company)).toMatchObject({ total_files: 4, filed: 4 });
  await expectReconciled(app, company.id, envelopes);
});

test('a vendor that lists the same page for ever is not asked for ever: what it has comes in, and one item says why', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 30);
  let lists = 0;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind !== 'list') return false;
    lists += 1;
    const page = {
      totalSetSize: '1000000000',
      nextUri: '/envelopes',
      envelopes: envelopes.map((one) => listed(one, true)),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    return true;
  };
  const end = await migrate(app, company);
  expect(end).toMatchObject({ total_files: 31, filed: 30, failed: 1, remaining: 0 });
  expect(lists).toBeLessThan(20);
  const { body } = await call(app, 'GET', `/imports/${end.id}/items?limit=100`, { key: company.key });
  const failed = body.data.filter(({ status }: { status: string }) => status === 'failed');
  expect(failed).toMatchObject([{ name: null, reason: 'source_unavailable' }]);
  await expectReconciled(app, company.id, envelopes);
});

/** Changes what the response would have said. */
function changeJson(response: ServerResponse, change: (body: Record<string, unknown>) => object): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = ((text: string) => end(JSON.stringify(change(JSON.parse(text))))) as ServerResponse['end'];
}

test('a token that ends in mid-sweep is refreshed, once for all who need it', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 60);
  const before = vendor.oauth.refreshes();
  let requests = 0;
  vendor.api.onRequest = () => {
    requests += 1;
    if (requests === 30) vendor.oauth.expireAccessTokens();
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 60, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
  expect(vendor.oauth.refreshes() - before).toBe(1);
});

test('pages that shift while they are listed lose nothing, and bring nothing twice', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 90, 100);
  vendor.api.listedMax = 20;
  const gone = new Set<string>();
  const late: ReturnType<typeof anEnvelope>[] = [];
  let lists = 0;
  vendor.api.onRequest = ({ kind }) => {
    if (kind !== 'list') return false;
    lists += 1;
    // Before each page, some listed envelopes are deleted, and others complete or get an earlier date than those listed.
    if (lists > 1 && lists < 5) {
      const listed = envelopes.slice((lists - 2) * 20, (lists - 2) * 20 + 7);
      for (const { id } of listed) {
        gone.add(id);
        vendor.api.envelopes.delete(id);
      }
      late.push(...fill(vendor.api, 5, 1000 + 10 * lists));
    }
    return false;
  };
  const { total_files, filed } = await migrate(app, company);
  const kept = [...envelopes, ...late].filter(({ id }) => !gone.has(id));
  const landed = [...envelopes, ...late].filter(({ id }) => !gone.has(id) || vendor.api.downloads.has(id));
  expect(filed).toBe(landed.length);
  expect(filed).toBeGreaterThanOrEqual(kept.length);
  expect(total_files).toBe([...envelopes, ...late].length);
  await expectReconciled(app, company.id, landed);
});

test('more envelopes than a page holds may have one time of completion, and some be deleted meanwhile', async () => {
  const company = await connected();
  const moment = anEnvelope(5).completedAt;
  const before = fill(vendor.api, 3);
  vendor.api.listedMax = 20;
  const together = fill(vendor.api, 90, 10);
  for (const envelope of together) envelope.completedAt = moment;
  const after = fill(vendor.api, 3, 1000);
  const inOrder = together.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const gone = inOrder.slice(0, 12);
  vendor.api.onRequest = ({ kind }) => {
    if (kind === 'list' && vendor.api.pages.length === 2) for (const { id } of gone) vendor.api.envelopes.delete(id);
    return false;
  };
  await migrate(app, company);
  const landed = [...before, ...together, ...after].filter(
    ({ id }) => vendor.api.envelopes.has(id) || vendor.api.downloads.has(id),
  );
  await expectReconciled(app, company.id, landed);
});

test('a vendor that lists in no order of completion loses nothing either', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 60);
  vendor.api.listedMax = 20;
  vendor.api.listsNewestFirst = true;
  let lists = 0;
  vendor.api.onRequest = ({ kind }) => {
    if (kind === 'list' && ++lists === 2) envelopes.push(...fill(vendor.api, 5, 1000));
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ filed: 65 });
  await expectReconciled(app, company.id, envelopes);
});

test('what is completed while the migration runs is brought in by its last look', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 20);
  vendor.api.onRequest = ({ kind }) => {
    if (kind === 'document' && envelopes.length === 20) envelopes.push(...fill(vendor.api, 1, 60));
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ total_files: 21, filed: 21 });
  await expectReconciled(app, company.id, envelopes);
});

test('an envelope of a time that has not come does not keep the last look from what is completed meanwhile', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 3);
  const [strange] = envelopes as [(typeof envelopes)[number]];
  vendor.api.strange.set(strange.id, { ...listed(strange, true), completedDateTime: '2999-01-01T00:00:00Z' });
  vendor.api.onRequest = ({ kind }) => {
    if (kind === 'document' && envelopes.length === 3) {
      const late = anEnvelope(0, { completedAt: app.clock.now().getTime() });
      vendor.api.envelopes.set(late.id, late);
      envelopes.push(late);
    }
    return false;
  };
  expect(await migrate(app, company)).toMatchObject({ total_files: 4, filed: 4 });
  await expectReconciled(app, company.id, envelopes);
});

test('two processes never sweep one connection, and several companies are swept at once', async () => {
  const companies = [await connected(), await connected(), await connected()];
  const envelopes = fill(vendor.api, 30);
  const asked = new Map<string, number>();
  vendor.api.onRequest = ({ kind, id }) => {
    if (kind === 'document') asked.set(id, (asked.get(id) ?? 0) + 1);
    return false;
  };
  await Promise.all(companies.map((company) => migrate(app, company)));
  expect([...asked.values()].every((times) => times === companies.length)).toBe(true);
  for (const { id } of companies) await expectReconciled(app, id, envelopes);
});

/** Holds back every document except the first, until the test releases them. */
function holdDocuments(first = 0) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let handed = 0;
  let held = 0;
  vendor.api.onRequest = async ({ kind }) => {
    if (kind === 'document') {
      handed += 1;
      if (handed <= first) return false;
      held += 1;
      await promise;
    }
    return false;
  };
  return { letGo: resolve, held: () => held };
}

test('disconnecting ends a migration: what is open is interrupted, what is in stays', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 40);
  const { letGo, held } = holdDocuments(10);
  const { body } = await startMigration(app, company);
  await eventually(
    async () => held(),
    (count) => count >= 6,
  );
  await eventually(
    () => shown(company, body.id),
    ({ filed }) => filed === 10,
  );
  await company.owner.call('DELETE', '/connections/esign_vendor');
  letGo();
  const end = await finished(app, company, body.id);
  expect(end.filed + end.failed).toBe(40);
  const { body: list } = await call(app, 'GET', `/imports/${body.id}/items?limit=100`, { key: company.key });
  const reasons = list.data.map((item: { reason: string | null }) => item.reason);
  expect(new Set(reasons)).toEqual(new Set([null, 'interrupted']));
  // Documents that were held back may have arrived before the connection was checked.
  expect(end.filed).toBeGreaterThanOrEqual(10);
  expect(end.filed).toBeLessThanOrEqual(16);
  // What the vendor said of people is not kept.
  const kept = 'select from esign_envelopes where import_id = $1 and envelope is not null';
  expect(await app.db.query({ name: '', text: kept, values: [body.id] })).toEqual([]);
  await connect(company.owner);
  vendor.api.onRequest = () => false;
  expect(await migrate(app, company)).toMatchObject({ filed: 40, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('disconnecting ends a migration that the vendor has told to wait for hours', async () => {
  const company = await connected();
  fill(vendor.api, 10);
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'list') return false;
    response.setHeader('retry-after', '7200');
    refuse(response, 429, 'HOURLY_APIINVOCATION_LIMIT_EXCEEDED');
    return true;
  };
  const { body } = await startMigration(app, company);
  await eventually(
    () => shown(company, body.id),
    ({ total_files }) => total_files === 10,
  );
  await company.owner.call('DELETE', '/connections/esign_vendor');
  expect(await finished(app, company, body.id)).toMatchObject({ filed: 0, failed: 10 });
});

test('a connection that the vendor ends makes the migration wait until it is made anew', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 40);
  const { letGo, held } = holdDocuments();
  const { body } = await startMigration(app, company);
  await eventually(
    async () => held(),
    (count) => count >= 6,
  );
  vendor.oauth.revokeAll();
  letGo();
  await eventually(
    async () => (await company.owner.get('/connections')).body.data[0].status,
    (status) => status === 'reconnect_needed',
  );
  expect(await shown(company, body.id)).toMatchObject({ status: 'running', failed: 0 });
  await connect(company.owner);
  expect(await finished(app, company, body.id)).toMatchObject({ filed: 40, failed: 0 });
  await expectReconciled(app, company.id, envelopes);
});

test('another account of the vendor is not mixed in', async () => {
  const company = await connected();
  fill(vendor.api, 40);
  const { letGo, held } = holdDocuments();
  const { body } = await startMigration(app, company);
  await eventually(
    async () => held(),
    (count) => count >= 6,
  );
  vendor.oauth.revokeAll();
  const [account] = vendor.oauth.accounts as [(typeof vendor.oauth.accounts)[number]];
  const { account_id } = account;
  account.account_id = 'vendor-account-2';
  await connect(company.owner);
  letGo();
  const end = await finished(app, company, body.id);
  account.account_id = account_id;
  expect(end).toMatchObject({ total_files: 40, remaining: 0 });
  expect(end.failed).toBeGreaterThan(0);
});

test('a list that the vendor refuses ends the migration with one item that says so', async () => {
  const company = await connected();
  fill(vendor.api, 3);
  vendor.api.onRequest = (_what, response) => {
    refuse(response, 403, 'USER_LACKS_PERMISSIONS');
    return true;
  };
  const skipped = { status: 'skipped', pages: null, credits: 0, reason: null };
  for (const [unlock_doc, unlock] of [
    [true, skipped],
    [false, null],
  ] as const) {
    const end = await migrate(app, company, { unlock_doc });
    expect(end).toMatchObject({ total_files: 1, filed: 0, failed: 1 });
    const { body } = await call(app, 'GET', `/imports/${end.id}/items`, { key: company.key });
    expect(body.data).toMatchObject([{ name: null, reason: 'permission_denied', document_id: null, unlock }]);
  }
});

test('a list that is refused in the middle takes nothing along of what it has listed', async () => {
  const company = await connected();
  const envelopes = fill(vendor.api, 5);
  vendor.api.listedMax = 3;
  vendor.api.onRequest = ({ kind }, response) => {
    if (kind === 'document' || vendor.api.pages.length === 0) return false;
    refuse(response, 400, 'SOMETHING_ELSE');
    return true;
  };
  expect(await migrate(app, company)).toMatchObject({ total_files: 4, filed: 3, failed: 1 });
  await expectReconciled(app, company.id, envelopes.slice(0, 3));
});
