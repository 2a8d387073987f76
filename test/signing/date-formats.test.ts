import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDocument } from '../../src/documents/copy-document.ts';
import { dateFormats } from '../../src/documents/date-format.ts';
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
import { auditOf, openLinkOf, signature } from './signer.ts';

/** How dates of an attached file are written: on the pages of those who sign, and in the sealed PDF. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const mary = { name: 'Mary Jackson', email: 'mary@example.com' };
const dates = dateFormats.map((date_format): FieldToPlace => ({ recipient: 1, type: 'date', date_format }));

async function sentWith(fieldsToPlace: readonly FieldToPlace[], changes: object = {}) {
  const id = await createDraft(app, company.key, { recipients: [ada, mary], ...changes });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, fields };
}

const copyOf = (id: string) =>
  app.db.transaction(async (tx) => {
    const source = (await lockDocument(tx, company.id, id, 'all')) as Document;
    return (await copyDocument(app.world, tx, source, 'operator')).copy.id;
  });

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);

test('each format is shown to those who sign later and in the sealed PDF, and the value stays a day', async () => {
  const { id, fields } = await sentWith([...dates, { recipient: 1, type: 'date' }]);
  const first = await openLinkOf(app, company, id, ada.name);
  expect((await first.page()).text).toContain('type="date"');
  const entered = Object.fromEntries(fields.map((field) => [field, '2026-03-09']));
  expect((await first.post('sign', { ...signature, fields: entered })).status).toBe(200);
  expect(new Set(await valuesOf(id))).toEqual(new Set(['2026-03-09']));

  const written = ['2026-03-09', '09/03/2026', '03/09/2026', '09.03.2026', '9 March 2026', 'March 9, 2026'];
  const second = await openLinkOf(app, company, id, mary.name);
  const shown = (await second.page()).text;
  for (const text of written) expect(shown).toContain(text);
  expect((await second.post('sign', { ...signature, full_name: mary.name })).body).toEqual({ state: 'completed' });

  const pdf = await sealedPdf(app, id);
  const text = pdfText(pdf);
  for (const each of written) expect(text).toContain(each);
  const opened = await PDF.load(pdf);
  const embedded = (name: string) => JSON.parse(Buffer.from(opened.getAttachment(name) ?? []).toString());
  expect(embedded('content.json').fields.map((field: { date_format?: string }) => field.date_format)).toEqual([
    ...dateFormats,
    undefined,
  ]);
  const [signed] = embedded('values.json');
  expect(signed.values.map(({ value }: { value: string }) => value)).toEqual(fields.map(() => '2026-03-09'));
  expect((await postPdf(app, pdf)).against).toEqual([]);
});

test('a Spanish document has Spanish months, for a value of the sender and for the day of signing', async () => {
  const { id } = await sentWith(
    [
      { recipient: 1, type: 'date', date_format: 'D MMMM YYYY', value: '2026-01-31', read_only: true },
      { recipient: 1, type: 'date', date_format: 'DD/MM/YYYY' },
    ],
    { recipients: [ada], primary_language: 'es' },
  );
  const signer = await openLinkOf(app, company, id, ada.name);
  expect((await signer.page()).text).toContain('31 de enero de 2026');
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  const [, today] = await valuesOf(id);
  expect(today).toMatch(/^\d{4}-\d\d-\d\d$/);
  const text = pdfText(await sealedPdf(app, id));
  expect(text).toContain('31 de enero de 2026');
  expect(text).toContain(today?.split('-').reverse().join('/'));
});

test('a read-only date without a value is the day of the signature, whatever is sent', async () => {
  const field: FieldToPlace = { recipient: 1, type: 'date', read_only: true, date_format: 'DD.MM.YYYY' };
  const { id, fields } = await sentWith([field, { recipient: 2, type: 'text', required: false }]);
  const signer = await openLinkOf(app, company, id, ada.name);
  expect((await signer.page()).text).toContain('>Date of signing<');
  for (const action of ['progress', 'sign']) {
    const answer = await signer.post(action, { ...signature, fields: { [fields[0] as string]: '2020-01-01' } });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_field']);
  }
  expect((await signer.post('sign', { ...signature, fields: { [fields[0] as string]: null } })).status).toBe(200);
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  const day = signed?.at.slice(0, 10);
  expect((await valuesOf(id))[0]).toBe(day);

  const second = await openLinkOf(app, company, id, mary.name);
  const written = day?.split('-').reverse().join('.');
  expect((await second.page()).text).toContain(written);
  expect((await second.post('sign', { ...signature, full_name: mary.name })).body).toEqual({ state: 'completed' });
  const pdf = await sealedPdf(app, id);
  expect(pdfText(pdf)).toContain(written);
  expect((await postPdf(app, pdf)).against).toEqual([]);

  const [copied] = await fieldsOf(app, company, await copyOf(id));
  expect(copied).toMatchObject({ is_fixed: true, preset: null, value: null });
});

test('an optional date stays empty if the signer cleared it, and is the day of signing otherwise', async () => {
  const optional: FieldToPlace = { recipient: 1, type: 'date', required: false };
  const fieldsToPlace: FieldToPlace[] = [optional, optional, { ...optional, required: true }];
  const { id, fields } = await sentWith([...fieldsToPlace, { ...optional, value: '2026-01-31' }], {
    recipients: [ada],
  });
  const [cleared = '', , required = '', preset = ''] = fields;
  const signer = await openLinkOf(app, company, id, ada.name);
  const entered = { [cleared]: '', [required]: '', [preset]: '' };
  expect((await signer.post('progress', { fields: entered })).status).toBe(200);
  expect((await signer.post('sign', { ...signature, fields: entered })).body).toEqual({ state: 'completed' });
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  const day = signed?.at.slice(0, 10);
  expect(await valuesOf(id)).toEqual([null, day, day, null]);
  expect((await postPdf(app, await sealedPdf(app, id))).against).toEqual([]);
});

test('the form without JavaScript fills in the day of signing, as it says, also for a date that was saved and cleared', async () => {
  const optional: FieldToPlace = { recipient: 1, type: 'date', required: false };
  const { id, fields } = await sentWith([optional, optional, optional], { recipients: [ada] });
  const [left = '', cleared = '', entered = ''] = fields;
  const signer = await openLinkOf(app, company, id, ada.name);
  await signer.post('progress', { fields: { [cleared]: '2026-01-31', [entered]: '2026-01-31' } });
  expect((await signer.page('/form')).text).toContain('If you leave it empty, today is filled in.');
  const form = { [`field.${left}`]: '', [`field.${cleared}`]: '', [`field.${entered}`]: '2026-02-01' };
  const response = await fetchLocally(`${signer.link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...form,
      full_name: ada.name,
      disclosure: disclosureVersion,
      action: 'sign',
    }).toString(),
  });
  expect(response.status).toBe(303);
  const day = (await auditOf(app, company, id)).find(({ action }) => action === 'signed')?.at.slice(0, 10);
  expect(await valuesOf(id)).toEqual([day, day, '2026-02-01']);
});

test('the form without JavaScript shows a read-only date without a value, and signs it with the day', async () => {
  const { id } = await sentWith([{ recipient: 1, type: 'date', label: 'Day', read_only: true }], { recipients: [ada] });
  const signer = await openLinkOf(app, company, id, ada.name);
  expect((await signer.page('/form')).text).toContain('Date of signing');
  const response = await fetchLocally(`${signer.link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ full_name: ada.name, disclosure: disclosureVersion, action: 'sign' }).toString(),
  });
  expect(response.status).toBe(303);
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(await valuesOf(id)).toEqual([signed?.at.slice(0, 10)]);
});

test('a copy has the same formats', async () => {
  const { id } = await sentWith(dates);
  expect((await fieldsOf(app, company, await copyOf(id))).map(({ date_format }) => date_format)).toEqual(dateFormats);
});
