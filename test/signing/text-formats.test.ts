import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDocument } from '../../src/documents/copy-document.ts';
import type { Document } from '../../src/documents/document.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { disclosureVersion } from '../../src/signing/disclosure.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { postPdf, sealedPdf } from '../verify/sealed.ts';
import { openLinkOf, signature } from './signer.ts';

/** What the texts of an attached file must be: on the pages of those who sign, and in the sealed PDF. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const plate = { recipient: 1, type: 'text', label: 'Plate', text_format: 'AA-9999' } as const;

async function draftWith(fieldsToPlace: readonly FieldToPlace[], changes: object = {}) {
  const id = await createDraft(app, company.key, { recipients: [ada], ...changes });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  return { id, fields };
}

async function sentWith(fieldsToPlace: readonly FieldToPlace[], changes: object = {}) {
  const draft = await draftWith(fieldsToPlace, changes);
  expect((await call(app, 'POST', `/documents/${draft.id}/send`, { key: company.key })).status).toBe(200);
  return { ...draft, signer: await openLinkOf(app, company, draft.id, ada.name) };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);

test('values are stored, and printed, as their format writes them', async () => {
  const formats = ['email', 'phone', 'digits', 'AA-9999', '+34 999 999 999'];
  const { id, fields, signer } = await sentWith(
    formats.map((text_format): FieldToPlace => ({ recipient: 1, type: 'text', text_format })),
  );
  const typed = ['ada@example.org', '(202) 555-0123', '00 12', 'bx 1843', '612345678'];
  const entered = Object.fromEntries(fields.map((field, index) => [field, typed[index]]));
  expect((await signer.post('progress', { fields: entered })).status).toBe(200);
  const stored = ['ada@example.org', '(202) 555-0123', '0012', 'bx-1843', '+34 612 345 678'];
  expect(await valuesOf(id)).toEqual(stored);
  expect((await signer.post('sign', { ...signature, fields: entered })).body).toEqual({ state: 'completed' });
  expect(await valuesOf(id)).toEqual(stored);

  const pdf = await sealedPdf(app, id);
  for (const value of stored) expect(pdfText(pdf)).toContain(value);
  expect((await postPdf(app, pdf)).against).toEqual([]);
});

test.each(['progress', 'sign'])('%s refuses a text without the format, and names the field', async (action) => {
  const { id, fields, signer } = await sentWith([plate]);
  const [field = ''] = fields;
  for (const text of ['BX-18', 'BX-18435', '1843-BX', 'BX-\u0663\u0663\u0663\u0663']) {
    const answer = await signer.post(action, { ...signature, fields: { [field]: text } });
    expect([text, answer.status, answer.body.error]).toMatchObject([
      text,
      400,
      { code: 'invalid_field', param: field },
    ]);
  }
  expect(await valuesOf(id)).toEqual([null]);
});

test('an optional text can stay empty', async () => {
  const { id, signer } = await sentWith([{ ...plate, required: false }]);
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  expect(await valuesOf(id)).toEqual([null]);
});

test('the form without JavaScript shows what to enter, and says it again when it was something else', async () => {
  const { id, fields, signer } = await sentWith([plate]);
  const hint = 'Enter it like this: “AB-1234”.';
  expect((await signer.page('/form')).text).toContain(`>${hint}</p>`);
  const send = (text: string) =>
    fetchLocally(`${signer.link}/form`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ full_name: ada.name, disclosure: disclosureVersion, action: 'sign' },
        [`field.${fields[0]}`]: text,
      }).toString(),
    });
  const refused = await (await send('BX 18')).text();
  expect(refused).toContain(`<bdi><span>Plate</span>, page 1</bdi>: ${hint}`);
  expect(refused).toContain('value="BX 18"');
  expect((await send('bx1843')).status).toBe(303);
  expect(await valuesOf(id)).toEqual(['bx-1843']);
});

test('the value that the sender gives has the format too', async () => {
  const { id } = await draftWith([{ ...plate, value: 'bx1843' }]);
  expect((await fieldsOf(app, company, id)).map(({ preset }) => preset)).toEqual(['bx-1843']);
  await expect(placeOn(app, company, id, [{ ...plate, value: 'BX' }])).rejects.toThrow(
    'fields[0].value is not valid for this field',
  );
});

test('a copy has the same formats, and what is sent names them', async () => {
  const { id } = await sentWith([plate, { recipient: 1, type: 'text', required: false }]);
  const copy = await app.db.transaction(async (tx) => {
    const source = (await lockDocument(tx, company.id, id, 'all')) as Document;
    return (await copyDocument(app.world, tx, source, 'operator')).copy.id;
  });
  expect((await fieldsOf(app, company, copy)).map(({ text_format }) => text_format)).toEqual(['AA-9999', null]);
});
