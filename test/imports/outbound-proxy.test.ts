import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { type Company, createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type ImportService, importIds, importLinks, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;
let proxy: ConnectProxy;

beforeAll(async () => {
  proxy = await startConnectProxy();
  app = await startImportService({ OUTBOUND_PROXY_URL: `http://${proxy.host}` });
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  await proxy.close();
});

const targets = () => new Set(proxy.asked.map(({ target }) => target));

test('files of a store and of a drive come through the proxy', async () => {
  const link = app.store.share('a.pdf', aPdf());
  expect((await importLinks(app, company, [link])).body).toMatchObject({ filed: 1, failed: 0 });
  expect(targets()).toEqual(new Set([app.store.host]));
  await importIds(app, company, ['unknown-file']);
  expect(targets()).toEqual(new Set([app.store.host, new URL(app.drive.url).host]));
});

test('while the proxy refuses, a source is unavailable, and nothing is fetched without it', async () => {
  const link = app.store.share('b.pdf', aPdf());
  const requests = app.store.requests.length;
  proxy.refusal = 403;
  proxy.hangUp(); // an open connection would be reused
  const { body } = await importLinks(app, company, [link]);
  proxy.refusal = null;
  expect(body).toMatchObject({ filed: 0, items: [{ status: 'failed', reason: 'source_unavailable' }] });
  expect(app.store.requests).toHaveLength(requests);
});
