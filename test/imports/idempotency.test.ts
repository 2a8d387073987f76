import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setPlan } from '../../src/accounts/manage-accounts.ts';
import { liftRestriction, restrictDocument } from '../../src/documents/document-actions.ts';
import { operate } from '../api/operate.ts';
import { expectRefusal } from '../api/refusal.ts';
import { type Company, call, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type ImportService, importIds, importLinks, startImport, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

/** A link whose file arrives only when the test releases it. */
function heldLink() {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = aPdf();
  const link = app.store.share('held.pdf', async (response) => {
    await held;
    response.end(bytes);
  });
  return { link, letGo: () => letGo() };
}

const imports = async () => (await call(app, 'GET', '/imports', { key: company.key })).body.data;
const hasBegun = () => eventually(imports, (data) => data.length > 0);

test('while it runs its repetition is told so, another body that the key is taken; then the answer is the same', async () => {
  const { link, letGo } = heldLink();
  const first = importLinks(app, company, [link], 'k');
  await hasBegun();
  expectRefusal(await importLinks(app, company, [link], 'k'), 'idempotency_in_progress');
  expectRefusal(await importLinks(app, company, [link, link], 'k'), 'idempotency_key_reused');
  letGo();
  const { status, text } = await first;
  expect(status).toBe(201);
  const replay = await importLinks(app, company, [link], 'k');
  expect([replay.status, replay.text]).toEqual([201, text]);
  expectRefusal(await importLinks(app, company, [link, link], 'k'), 'idempotency_key_reused');
  expect(await imports()).toHaveLength(1);
});

test('the answer is repeated only to a key that still may: not to a test key, nor below the plan', async () => {
  const link = app.store.share('a.pdf', aPdf());
  const { status, text } = await importLinks(app, company, [link], 'k');
  expect(status).toBe(201);
  expectRefusal(await importLinks(app, { key: company.testKey }, [link], 'k'), 'cloud_import_test_key');
  await setPlan(app.db, company.id, 'starter');
  expectRefusal(await importLinks(app, company, [link], 'k'), 'cloud_import_requires_pro');
  await setPlan(app.db, company.id, 'pro');
  expect((await importLinks(app, company, [link], 'k')).text).toBe(text);
});

test('what the API no longer shows is neither in a repeated answer, nor in that of the same file, nor unlocked', async () => {
  const link = app.store.share('secret.pdf', aPdf());
  const links = [link, app.store.share('b.pdf', aPdf())];
  const original = await importLinks(app, company, links, 'k');
  const { document_id: id } = original.body.items[0];
  const again = () => startImport(app, company, { source: 'cloud_files', files: [{ url: link }] });
  const hidden = { name: null, document_id: null, status: 'filed' };
  const [, other] = original.body.items;

  await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'identity'));
  const resent = await importLinks(app, company, links, 'other');
  expect(resent.body.items[0]).toMatchObject({ ...hidden, duplicate: true });
  const repeated = await importLinks(app, company, links, 'k');
  expect(repeated.body.items).toMatchObject([hidden, other]);
  expect(repeated.text).not.toMatch(new RegExp(`${id}|secret`));
  expect((await again()).body.items[0]).toMatchObject({ ...hidden, unlock: { status: 'skipped', credits: 0 } });

  await operate(app, id, (tx, document) => liftRestriction(app.world, tx, document, 'operator'));
  expect((await importLinks(app, company, links, 'k')).text).toBe(original.text);
  await app.db.query({ name: '', text: 'update documents set is_template = true where id = $1', values: [id] });
  expect((await importLinks(app, company, links, 'k')).body.items[0]).toMatchObject(hidden);
  const { body } = await call(app, 'GET', `/imports/${original.body.id}/items`, { key: company.key });
  expect(body.data[0]).toMatchObject(hidden);
});

test('it is in progress from before anything was begun: while the drive is asked', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let hasAsked = false;
  const id = app.drive.add('held-look', {
    bytes: aPdf(),
    looks: (response, attempt) => {
      if (attempt > 1) return false;
      hasAsked = true;
      void held.then(() => response.destroy());
      return true;
    },
  });
  const first = importIds(app, company, [id], { idempotencyKey: 'k' });
  await eventually(async () => hasAsked, Boolean);
  expectRefusal(await importIds(app, company, [id], { idempotencyKey: 'k' }), 'idempotency_in_progress');
  letGo();
  expect((await first).body.filed).toBe(1);
});

test('a client that hangs up stops nothing, and gets the answer when it asks again', async () => {
  const { link, letGo } = heldLink();
  const hungUp = request(`${app.baseUrl}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': 'k', 'content-type': 'application/json' },
  });
  hungUp.on('error', () => {});
  hungUp.end(JSON.stringify({ source: 'cloud_files', files: [{ url: link }], unlock_doc: false }));
  await hasBegun();
  hungUp.destroy();
  letGo();
  await eventually(imports, ([row]) => row.status === 'finished');
  const answer = await eventually(
    () => importLinks(app, company, [link], 'k'),
    ({ status }) => status === 201,
  );
  expect(answer.body).toMatchObject({ status: 'finished', filed: 1 });
  expect(await imports()).toHaveLength(1);
});

test('a refreshed token is the same request, and is not even looked at', async () => {
  const id = app.drive.add('once', { bytes: aPdf() });
  const first = await importIds(app, company, [id], { idempotencyKey: 'k' });
  const again = await importIds(app, company, [id], { idempotencyKey: 'k', token: 'refreshed-and-unknown' });
  expect([again.status, again.text]).toEqual([201, first.text]);
  const body = { source: 'cloud_drive', files: [{ id }], unlock_doc: false };
  const without = await startImport(app, company, body, 'k');
  expect([without.status, without.text]).toEqual([201, first.text]);
});

test('a refused request leaves its key free, for the same body and for another', async () => {
  const id = app.drive.add('free', { bytes: aPdf() });
  const refused = await importIds(app, company, [id], { idempotencyKey: 'k', token: 'bad' });
  expectRefusal(refused, 'drive_token_rejected', 'access_token');
  expectRefusal(await importIds(app, company, [], { idempotencyKey: 'k' }), 'invalid_files', 'files');
  expect((await importLinks(app, company, [app.store.share('a.pdf', aPdf())], 'k')).status).toBe(201);
  expectRefusal(await importIds(app, company, [id], { idempotencyKey: 'k' }), 'idempotency_key_reused');
});

test('a key is forgotten in its time', async () => {
  const link = app.store.share('a.pdf', aPdf());
  const first = await importLinks(app, company, [link], 'k');
  app.clock.advance({ hours: 25 });
  const later = await importLinks(app, company, [link], 'k');
  expect(later.body.id).not.toBe(first.body.id);
  expect(later.body.items[0]).toMatchObject({ duplicate: true, document_id: first.body.items[0].document_id });
});

test('of many that come at once one imports, the others are told that it runs or get its answer', async () => {
  const links = [app.store.share('a.pdf', aPdf()), app.store.share('b.pdf', aPdf())];
  const answers = await Promise.all(Array.from({ length: 12 }, () => importLinks(app, company, links, 'k')));
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const answer of answers.filter((each) => !done.includes(each))) expectRefusal(answer, 'idempotency_in_progress');
  expect(await imports()).toHaveLength(1);
});

test('without a key a repetition is a new import of the same documents', async () => {
  const files = [{ url: app.store.share('a.pdf', aPdf()) }];
  const [first, second] = [
    await startImport(app, company, { source: 'cloud_files', files }),
    await startImport(app, company, { source: 'cloud_files', files }),
  ];
  expect(second.body.id).not.toBe(first.body.id);
  expect(second.body.items[0].document_id).toBe(first.body.items[0].document_id);
});
