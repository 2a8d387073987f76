import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

/** Imports of an account that has none, on a server without cloud imports. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { IMPORTS_CLOUD_ENABLED: 'false' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

const get = (path: string) => call(app, 'GET', path, { key: company.key });
const start = (body: unknown, headers: Record<string, string> = {}) =>
  call(app, 'POST', '/imports', { key: company.key, body, headers });

test('an account that never imported gets an empty list, never 404', async () => {
  await createDraft(app, company.key);
  for (const query of ['', '?limit=100', '?status=running', '?status=running,finished']) {
    const { status, body } = await get(`/imports${query}`);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  }
});

test.for(['0', '101', 'x', '', '1&limit=1'])('limit=%s is refused', async (value) => {
  expectRefusal(await get(`/imports?limit=${value}`), 'invalid_limit', 'limit');
});

test.for(['draft', '', 'running,', 'Running', 'running&status=running'])('status=%s is refused', async (value) => {
  expectRefusal(await get(`/imports?status=${value}`), 'invalid_status', 'status');
});

test('cursors are refused as on every list', async () => {
  expectRefusal(await get('/imports?starting_after=x'), 'invalid_cursor', 'starting_after');
  expectRefusal(await get('/imports?ending_before=x'), 'invalid_cursor', 'ending_before');
  expectRefusal(await get('/imports?starting_after=x&ending_before=x'), 'conflicting_cursors', 'starting_after');
});

test('nonexistent, malformed and foreign imports are not found, and neither are their items', async () => {
  const document = await createDraft(app, company.key);
  for (const id of ['01900000-0000-7000-8000-000000000000', 'x', '%00', '%zz', '%F0%9F%8F%97', document]) {
    expectRefusal(await get(`/imports/${id}`), 'import_not_found');
    expectRefusal(await get(`/imports/${id}/items`), 'import_not_found');
  }
});

test("an import's items refuse bad parameters", async () => {
  const items = '/imports/01900000-0000-7000-8000-000000000000/items';
  expectRefusal(await get(`${items}?limit=0`), 'invalid_limit', 'limit');
  expectRefusal(await get(`${items}?starting_after=x`), 'invalid_cursor', 'starting_after');
  expectRefusal(await get(`${items}?ending_before=x`), 'invalid_cursor', 'ending_before');
  expectRefusal(await get(`${items}?starting_after=x&ending_before=x`), 'conflicting_cursors', 'starting_after');
});

test('a source is refused with the reason', async () => {
  expectRefusal(await start({ source: 'esign_vendor' }), 'esign_not_connected', 'source');
  const drive = { source: 'cloud_drive', access_token: 'token', files: [{ id: 'file' }] };
  expectRefusal(await start(drive), 'cloud_import_unavailable');
  expectRefusal(
    await start({ source: 'cloud_files', files: [{ url: 'https://www.dropbox.com/s/x/y.pdf' }] }),
    'cloud_import_unavailable',
  );
});

test.for([undefined, null, '', 'upload', 'ESIGN_VENDOR', 5, ['cloud_drive'], {}])(
  'the source %j is invalid',
  async (source) => {
    expectRefusal(await start({ source }), 'invalid_source', 'source');
  },
);

test('a body that is no JSON, or no object, is refused', async () => {
  const { key } = company;
  for (const raw of ['', '{', 'x']) expectRefusal(await call(app, 'POST', '/imports', { key, raw }), 'invalid_json');
  for (const raw of ['[]', 'null', '5']) {
    expectRefusal(await call(app, 'POST', '/imports', { key, raw }), 'invalid_body', 'body');
  }
  expectRefusal(await call(app, 'POST', '/imports', { key, raw: ' '.repeat(1_048_577) }), 'request_too_large');
});

test('a refused import leaves its Idempotency-Key free', async () => {
  const headers = { 'idempotency-key': 'sweep' };
  expectRefusal(await start({ source: 'esign_vendor' }, headers), 'esign_not_connected', 'source');
  expectRefusal(await start({ source: 'cloud_files' }, headers), 'invalid_files', 'files');
  expectRefusal(
    await start({ source: 'esign_vendor' }, { 'idempotency-key': 'x'.repeat(256) }),
    'invalid_idempotency_key',
  );
});
