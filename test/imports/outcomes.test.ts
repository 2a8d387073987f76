import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, call, createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { driveError, nativePrefix } from './drive-double.ts';
import { type ImportService, importIds, importLinks, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;

beforeAll(async () => {
  app = await startImportService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

test('a link becomes a draft of type other, titled by its name, with the file attached and nobody to sign', async () => {
  const url = app.store.share('Ångström & co.pdf', aPdf({ pages: 3 }));
  const { status, body } = await importLinks(app, company, [url]);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'import',
    source: 'cloud_files',
    status: 'finished',
    total_files: 1,
    filed: 1,
    failed: 0,
    remaining: 0,
  });
  expect(body.items).toEqual([
    {
      object: 'import_item',
      id: expect.any(String),
      index: 0,
      name: 'Ångström & co.pdf',
      status: 'filed',
      reason: null,
      document_id: expect.any(String),
      duplicate: false,
      bytes: aPdf({ pages: 3, words: 'file 1' }).length,
      pages: 3,
      unlock: null,
      created_at: expect.any(String),
      finished_at: expect.any(String),
    },
  ]);
  const { document_id: id } = body.items[0];
  const document = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(document.body).toMatchObject({ type: 'other', status: 'draft', title: 'Ångström & co', recipient_count: 0 });
  const sent = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(sent.body.error.code).toBe('no_recipients');
});

test('drive', async () => {
  const { drive } = app;
  drive.add('plain', { name: 'Plain.pdf', bytes: aPdf() });
  drive.add('doc', { name: 'Minutes', mimeType: `${nativePrefix}document`, bytes: aPdf({ pages: 2 }) });
  drive.add('folder', { mimeType: `${nativePrefix}folder` });
  drive.add('late', {
    bytes: aPdf(),
    gives: (response, attempt) => (attempt === 1 ? driveError(response, 503, 'backendError') : false),
  });
  const { status, body, text } = await importIds(app, company, ['plain', 'doc', 'folder', 'missing', 'late']);
  expect(status, text).toBe(201);
  expect(body.items.map((item: any) => [item.status, item.reason, item.pages])).toEqual([
    ['filed', null, 1],
    ['filed', null, 2],
    ['failed', 'unsupported_type', null],
    ['failed', 'not_found', null],
    ['filed', null, 1],
  ]);
});
