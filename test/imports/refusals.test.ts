import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../api/refusal.ts';
import { type Company, call, createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { driveError } from './drive-double.ts';
import { type ImportService, importIds, importLinks, startImport, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  app.drive.requests.length = 0;
  app.store.requests.length = 0;
});

const start = (body: object) => startImport(app, company, body);
const file = { id: 'abc' };
const drive = { source: 'cloud_drive', access_token: 'good-token', files: [file] };
const link = 'http://HOST/s/abc/a.pdf';
const stored = (files: unknown) =>
  JSON.parse(JSON.stringify({ source: 'cloud_files', files }).replaceAll('HOST', app.store.host));

/** Expects that a refused import left nothing behind and sent no request. */
async function expectNothing(): Promise<void> {
  const { body } = await call(app, 'GET', '/imports', { key: company.key });
  expect(body.data).toEqual([]);
  expect([...app.drive.requests, ...app.store.requests]).toEqual([]);
}

test.for([undefined, null, [], {}, 'a', 5, Array(26).fill(file), [null], ['abc'], [[]]])(
  'files of a drive import cannot be %j',
  async (files) => {
    expectRefusal(await start({ ...drive, files }), 'invalid_files', 'files');
    expectRefusal(await start({ source: 'cloud_files', files }), 'invalid_files', 'files');
    await expectNothing();
  },
);

test.for([undefined, null, '', 5, 'a b', 'a/b', '../x', 'ä', 'x'.repeat(201)])(
  'a drive id cannot be %j',
  async (id) => {
    expectRefusal(await start({ ...drive, files: [file, { id }] }), 'invalid_file_id', 'files[1].id');
    await expectNothing();
  },
);

test.for([undefined, null, '', 5, 'two words', 'Bearer x', 'a\nb', 'tökn', 'x'.repeat(8193)])(
  'an access token cannot be %j',
  async (access_token) => {
    expectRefusal(await start({ ...drive, access_token }), 'invalid_access_token', 'access_token');
    await expectNothing();
  },
);

test.for(['true', 1, {}, []])('unlock_doc cannot be %j, whatever the source', async (unlock_doc) => {
  for (const body of [drive, stored([{ url: link }]), { source: 'esign_vendor' }]) {
    expectRefusal(await start({ ...body, unlock_doc }), 'invalid_unlock_doc', 'unlock_doc');
  }
  await expectNothing();
});

test.for([
  '',
  'yesterday',
  5,
  '2024-13-01T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '2024-01-01T25:00:00Z',
  '2024-01-01T00:00:61Z',
  '2024-1-1',
  '202401',
])('earliest cannot be %j', async (earliest) => {
  expectRefusal(await start({ source: 'esign_vendor', earliest }), 'invalid_earliest', 'earliest');
});

test.for([
  '2024-02-29T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2024-01-01',
  '20240101T000000Z',
  '2024-01-01T00:00:00',
  null,
])('earliest may be %j, and the vendor is not connected', async (earliest) => {
  expectRefusal(await start({ source: 'esign_vendor', earliest }), 'esign_not_connected', 'source');
});

test.for([
  undefined,
  null,
  5,
  '',
  'x',
  'http://HOST/',
  'http://HOST/sh/abc/def',
  'http://HOST/scl/fo/abc/def?rlkey=k',
  'http://HOST/scl/fi/abc/a.pdf',
  'http://HOST/t/abc',
  'http://HOST/l/abc/a.pdf',
  'http://HOST/s/abc',
  'http://HOST/s/abc/a.pdf/more',
  'http://user@HOST/s/abc/a.pdf',
  'http://example.com/s/abc/a.pdf',
  'https://www.dropbox.com/s/abc/a.pdf',
  'http://HOST.example.com/s/abc/a.pdf',
  'ftp://HOST/s/abc/a.pdf',
  `http://HOST/s/abc/${'a'.repeat(2048)}`,
])('a link cannot be %j', async (url) => {
  expectRefusal(await start(stored([{ url: link }, { url }])), 'invalid_file_url', 'files[1].url');
  await expectNothing();
});

test.for([5, {}, 'x'.repeat(401), 'a\u0000b', '\ud800'])('the name of a link cannot be %j', async (name) => {
  expectRefusal(await start(stored([{ url: link, name }])), 'invalid_files', 'files');
  await expectNothing();
});

test('400 characters are a name, and null is none', async () => {
  const url = app.store.share('a.pdf', aPdf());
  const { status } = await start(
    stored([
      { url, name: '𝛼'.repeat(400) },
      { url, name: null },
    ]),
  );
  expect(status).toBe(201);
});

test('the plan, then the switch, then the mode of the key decide, after the body', async () => {
  const starter = await createCompany(app, 'starter');
  const body = stored([{ url: link }]);
  expectRefusal(await startImport(app, starter, body), 'cloud_import_requires_pro');
  expectRefusal(await startImport(app, { key: starter.testKey }, drive), 'cloud_import_requires_pro');
  expectRefusal(await startImport(app, { key: company.testKey }, body), 'cloud_import_test_key');
  expectRefusal(await startImport(app, { key: company.testKey }, { ...drive, files: [] }), 'invalid_files', 'files');
  const reader = await company.keyWith(['imports:read']);
  expectRefusal(await startImport(app, reader, drive), 'insufficient_scope', 'scopes');
  await expectNothing();
});

test('a token that the drive refuses starts nothing, and neither does one without the scope', async () => {
  app.drive.add('fine', { bytes: aPdf() });
  expectRefusal(await importIds(app, company, ['fine'], { token: 'old' }), 'drive_token_rejected', 'access_token');
  app.drive.add('scopeless', { looks: (response) => driveError(response, 403, 'insufficientPermissions') });
  expectRefusal(await importIds(app, company, ['fine', 'scopeless']), 'drive_token_rejected', 'access_token');
  expect(app.drive.count('media')).toBe(0);
  expect((await call(app, 'GET', '/imports', { key: company.key })).body.data).toEqual([]);
});

test('a drive that tells nothing of any file starts nothing, and the answer is not remembered', async () => {
  let isDown = true;
  const id = app.drive.add('later', {
    bytes: aPdf(),
    looks: (response) => (isDown ? driveError(response, 503, 'backendError', { 'retry-after': '3600' }) : false),
  });
  expectRefusal(await importIds(app, company, [id], { idempotencyKey: 'once' }), 'drive_unavailable');
  expect((await call(app, 'GET', '/imports', { key: company.key })).body.data).toEqual([]);
  isDown = false;
  expect((await importIds(app, company, [id], { idempotencyKey: 'once' })).body.filed).toBe(1);
});

test('a switched-off cloud refuses both sources', async () => {
  const off = await startImportService({ IMPORTS_CLOUD_ENABLED: 'false' });
  try {
    const { key } = await createCompany(off);
    expectRefusal(await importLinks(off, { key }, [off.store.share('a.pdf', aPdf())]), 'cloud_import_unavailable');
    expectRefusal(await importIds(off, { key }, ['abc']), 'cloud_import_unavailable');
    expectRefusal(await startImport(off, { key }, { source: 'esign_vendor' }), 'esign_not_connected', 'source');
  } finally {
    await off.stop();
  }
});

test('without leave to go to private addresses no link leads there, and no drive is set there', async () => {
  const strict = await startImportService({ IMPORTS_ALLOW_PRIVATE: 'false', DRIVE_API_URL: 'https://127.0.0.1:9' });
  try {
    const { key } = await createCompany(strict);
    const url = `http://${strict.store.host}/s/abc/a.pdf`;
    expectRefusal(await importLinks(strict, { key }, [url]), 'invalid_file_url', 'files[0].url');
    expectRefusal(await importIds(strict, { key }, ['abc']), 'drive_unavailable');
  } finally {
    await strict.stop();
  }
});
