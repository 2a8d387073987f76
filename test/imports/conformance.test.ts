import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, call, createCompany } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type ImportService, importLinks, startImport, startImportService } from './import-service.ts';

let app: ImportService;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());

test('real imports, while they run and after, are as the published description says', async () => {
  const described = (await (await fetch(`${app.service.origin}/docs/openapi.json`)).json()) as object;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(described, 'description');
  const expectIs = (schema: string, { body, text }: Answer) => {
    const validate = ajv.compile({ $ref: `description#/components/schemas/${schema}` });
    expect(validate({}), 'a schema that refuses nothing proves nothing').toBe(false);
    expect(validate(body), `${schema}: ${text}\n${ajv.errorsText(validate.errors)}`).toBe(true);
  };
  const { key } = await createCompany(app);
  let during: Answer[] = [];
  const link = app.store.share('a.pdf', async (response, attempt) => {
    if (attempt > 1) return void response.end(aPdf());
    const imports = await call(app, 'GET', '/imports', { key });
    during = [imports, await call(app, 'GET', `/imports/${imports.body.data[0].id}/items`, { key })];
    response.end(aPdf());
  });
  const files = [{ url: link }, { url: app.store.share('b', Buffer.from('no')) }];
  const started = await startImport(app, { key }, { source: 'cloud_files', files });
  expectIs('StartedImport', started);
  expectIs('StartedImport', await importLinks(app, { key }, [link]));
  expectIs('ImportList', during[0] as Answer);
  expectIs('ImportItemList', during[1] as Answer);
  expect(during[1]?.body.data[0].unlock).toMatchObject({ status: 'pending' });
  expectIs('Import', await call(app, 'GET', `/imports/${started.body.id}`, { key }));
  expectIs('ImportItemList', await call(app, 'GET', `/imports/${started.body.id}/items`, { key }));
});
