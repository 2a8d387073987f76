import { afterAll, beforeAll, expect, test } from 'vitest';
import { formPages } from '../../src/pdf/pdfium/testing/form-page.ts';
import { attachPdf } from '../support/attach.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** What the console suggests for the form of an attached PDF. */
let app: TestService;
let company: Company;
let ruth: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  ruth = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
const form = formPages([
  [
    { entries: '/FT /Tx /T (city)', rectangle: [72, 700, 300, 720] },
    { entries: '/FT /Tx /T (street) /V (Main Street 1)', rectangle: [72, 660, 300, 680] },
    { entries: '/FT /Btn /Ff 32768 /T (Group1)', state: '0', rectangle: [72, 620, 92, 640] },
    { entries: '/FT /Btn /Ff 32768 /T (Group1)', state: '0', rectangle: [102, 620, 122, 640] },
  ],
]);

test('the fields of a form can be placed as they are suggested, also after its pages were shown', async () => {
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  await attachPdf(app, company, id, form);
  await ruth.get(`/documents/${id}/pages/1`);
  const { status, body } = await ruth.get(`/documents/${id}/form-fields`);
  expect([status, body.others]).toEqual([200, 1]);
  expect(body.fields).toMatchObject([
    { type: 'text', label: 'City', x: 72, y: 72 },
    { type: 'radio', group: 'Group 1', label: 'Option 1' },
    { type: 'radio', group: 'Group 1', label: 'Option 2' },
  ]);
  const { version } = (await ruth.get(`/documents/${id}`)).body;
  const fields = body.fields.map((field: object) => ({ ...field, recipient: 1 }));
  expect((await ruth.post(`/documents/${id}/fields`, { version, fields })).status).toBe(200);
});

test('a file without a form suggests nothing, and without a file there is nothing to suggest', async () => {
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  expect(refusal(await ruth.get(`/documents/${id}/form-fields`))).toEqual([404, 'not_found']);
  await attachPdf(app, company, id);
  expect((await ruth.get(`/documents/${id}/form-fields`)).body).toEqual({ fields: [], others: 0 });
});
