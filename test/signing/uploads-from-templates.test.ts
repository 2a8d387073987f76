import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFieldFiles } from '../../src/documents/field-file.ts';
import { createTemplate } from '../../src/documents/templates.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { attachPdf, fieldsOf, placeOn } from '../support/attach.ts';
import { bulkRows, csvOf, startBulk } from '../support/bulk-send.ts';
import { createPublicLink, visitLink } from '../support/public-link.ts';
import {
  type Company,
  call,
  createCompany,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { uploadTo } from '../support/uploads.ts';
import { openLinkOf, signature } from './signer.ts';

/** Stamps and files in documents that come from a template: by a public link, and by a bulk send. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

async function createTemplateWithFields(role: string): Promise<string> {
  const { id } = await app.db.transaction((tx) =>
    createTemplate(app.world, tx, company.id, 'operator', { title: 'Permit', recipients: [{ name: role }] }),
  );
  await attachPdf(app, company, id);
  await placeOn(app, company, id, [
    { recipient: 1, type: 'upload', label: 'Permit' },
    { recipient: 1, type: 'stamp' },
    { recipient: 1, type: 'signature' },
  ]);
  return id;
}

/** Signs as the only recipient, with a file and a stamp. Returns what the file of the field is then. */
async function signWithAll(document: string, name: string) {
  const signer = await openLinkOf(app, company, document, name);
  const fields = await fieldsOf(app, company, document);
  const fieldOf = (type: string) => fields.find((field) => field.type === type)?.id ?? '';
  const { body } = await uploadTo(signer, fieldOf('upload'), `${name}.pdf`, `%PDF-1.7 ${name}`);
  const values = { [fieldOf('upload')]: body.file.id, [fieldOf('stamp')]: 'true', [fieldOf('signature')]: 'true' };
  const stamp = { png: Buffer.from(drawnSignature()).toString('base64') };
  const answer = await signer.post('sign', { ...signature, full_name: name, fields: values, stamp });
  expect(answer.body).not.toHaveProperty('error');
  const completed = await eventually(
    () => call(app, 'GET', `/documents/${document}`, { key: company.key }),
    ({ body: { status } }) => status === 'completed',
  );
  expect(completed.body.status).toBe('completed');
  return (await listFieldFiles(app.db, { account_id: company.id, id: document })).map((file) => file.name);
}

test('a guest of a public link signs with a file and a stamp, and the template keeps none', async () => {
  const template = await createTemplateWithFields('Guest');
  const link = await createPublicLink(app, company, {}, { templateId: template });
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    const guest = visitLink(app, link);
    await guest.post('verify', { code: await guest.askCode(name, `${name[0]}@guest.example`) });
    const [made] = await app.db.query<{ id: string }>({
      name: '',
      text: 'select document_id as id from recipients where account_id = $1 and display_name = $2',
      values: [company.id, name],
    });
    expect(await signWithAll(made?.id ?? '', name)).toEqual([`${name}.pdf`]);
  }
  expect(await listFieldFiles(app.db, { account_id: company.id, id: template })).toEqual([]);
});

test('each recipient of a bulk send signs with a file and a stamp', async () => {
  const templateId = await createTemplateWithFields('Tenant');
  const { id } = await startBulk(app, company, await app.queue(), csvOf(2), { templateId });
  const rows = await eventually(
    () => bulkRows(app, id),
    (all) => all.every(({ status }) => status === 'sent'),
  );
  for (const [index, { document_id }] of rows.entries())
    expect(await signWithAll(document_id ?? '', `Ada ${index}`)).toEqual([`Ada ${index}.pdf`]);
});
