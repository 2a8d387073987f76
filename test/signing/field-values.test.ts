import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/canonical-json.ts';
import { copyDocument } from '../../src/documents/copy-document.ts';
import type { Document } from '../../src/documents/document.ts';
import { editDocument } from '../../src/documents/edit-document.ts';
import { enteredLengthMax } from '../../src/documents/number-value.ts';
import { findDocument, lockDocument } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { loadSealInput } from '../../src/signing/load-seal-input.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
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

/** Values that the sender gives, numbers and drop-down lists: stored, refused, signed and drawn. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function sentWith(fieldsToPlace: readonly FieldToPlace[], changes: object = {}) {
  const id = await createDraft(app, company.key, { recipients: [ada], ...changes });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, fields, signer: await openLinkOf(app, company, id, ada.name) };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);
const valuesHash = (fields: string[], values: (string | null)[]) => {
  const filled = fields.map((id, index) => ({ id, value: values[index] })).filter(({ value }) => value !== null);
  return createHash('sha256').update(canonicalJson(filled)).digest('hex');
};
const sealInputOf = async (id: string) =>
  loadSealInput(app.world, app.db, (await findDocument(app.db, id)) as Document, 'http://localhost/verify');

const presets: FieldToPlace[] = [
  { recipient: 1, type: 'text', label: 'Employer', value: 'Analytical Engines' },
  { recipient: 1, type: 'text', label: 'Contract', value: 'C-1843', read_only: true },
  { recipient: 1, type: 'date', value: '2026-01-31', read_only: true },
  { recipient: 1, type: 'checkbox', value: 'true' },
  { recipient: 1, type: 'checkbox', required: true, value: 'false', read_only: true },
  { recipient: 1, type: 'number', decimals: 2, value: '1200.5', read_only: true },
  { recipient: 1, type: 'dropdown', options: ['Monthly', 'Yearly'], value: 'Yearly' },
];

test('values of the sender are signed as they are, and the hash covers them and the fixed ones', async () => {
  const { id, fields, signer } = await sentWith(presets);
  const page = await signer.page();
  for (const shown of ['Analytical Engines', 'C-1843', '2026-01-31', '1200.50', '<option selected>Yearly</option>']) {
    expect(page.text).toContain(shown);
  }
  expect(page.text).not.toContain(`data-field="${fields[1]}"`);
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  const values = ['Analytical Engines', 'C-1843', '2026-01-31', 'true', 'false', '1200.50', 'Yearly'];
  expect(await valuesOf(id)).toEqual(values);
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(signed?.detail).toMatchObject({ fields: 7, fields_sha256: valuesHash(fields, values) });

  const input = await sealInputOf(id);
  expect(input.fields.map(({ value }) => value)).toEqual(values);
  const content = JSON.parse(
    Buffer.from(input.attachments.find(({ name }) => name === 'content.json')?.bytes ?? '', 'base64').toString(),
  );
  expect(content.fields[5]).toMatchObject({ value: '1200.50', read_only: true, decimals: 2 });
  expect(content.fields[6]).toMatchObject({ value: 'Yearly', options: ['Monthly', 'Yearly'] });
  expect(content.fields[0]).not.toHaveProperty('read_only');
});

test('the recipient changes or empties a value that is not fixed, also when saving', async () => {
  const { id, fields, signer } = await sentWith([
    { ...(presets[0] as FieldToPlace), required: false },
    ...presets.slice(1, 4),
  ]);
  const [employer, contract, day, box] = fields as [string, string, string, string];
  expect((await signer.post('progress', { fields: { [employer]: '', [box]: 'false' } })).status).toBe(200);
  expect(await valuesOf(id)).toEqual([null, 'C-1843', '2026-01-31', 'false']);
  expect((await signer.elsewhere().page()).text).not.toContain('Analytical Engines');
  for (const action of ['progress', 'sign']) {
    for (const fixed of [{ [contract]: 'C-1' }, { [contract]: null }, { [day]: '' }]) {
      const answer = await signer.post(action, { ...signature, fields: fixed });
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_field']);
    }
  }
  const kept = { ...signature, fields: { [contract]: 'C-1843' } };
  expect((await signer.post('sign', kept)).body).toEqual({ state: 'completed' });
  expect(await valuesOf(id)).toEqual([null, 'C-1843', '2026-01-31', 'false']);
});

test.each<[Partial<FieldToPlace>, string | null, string | null]>([
  [{ type: 'number' }, '-12.5', '-12.5'],
  [{ type: 'number', decimals: 2 }, '7', '7.00'],
  [{ type: 'number', min: '0', max: '10' }, '10', '10'],
  [{ type: 'number', min: '0', max: '10' }, '10.000001', null],
  [{ type: 'number', min: '0', max: '10' }, '-0.1', null],
  [{ type: 'number', decimals: 0 }, '1.5', null],
  [{ type: 'number' }, '1,5', null],
  [{ type: 'number' }, '1e3', null],
  [{ type: 'number' }, '\u0000', null],
  [{ type: 'number' }, '9'.repeat(16), null],
  [{ type: 'number' }, `1.${'0'.repeat(enteredLengthMax - 2)}`, '1'],
  [{ type: 'number' }, `1.${'0'.repeat(enteredLengthMax - 1)}`, null],
  [{ type: 'dropdown', options: ['Yes', 'No'] }, 'No', 'No'],
  [{ type: 'dropdown', options: ['Yes', 'No'] }, 'no', null],
  [{ type: 'dropdown', options: ['Yes', 'No'] }, 'Perhaps', null],
])('%j takes %s as %s', async (field, entered, stored) => {
  const { id, fields, signer } = await sentWith([{ recipient: 1, type: 'text', ...field, required: true }]);
  const body = { fields: { [fields[0] as string]: entered } };
  const saved = await signer.post('progress', body);
  expect(saved.body.error?.code ?? 'saved').toBe(stored === null ? 'invalid_field' : 'saved');
  expect(await valuesOf(id)).toEqual([stored]);
  const signed = await signer.post('sign', { ...signature, ...body });
  expect(signed.body.error?.code ?? 'signed').toBe(stored === null ? 'invalid_field' : 'signed');
  if (stored === null) {
    const empty = await signer.post('sign', signature);
    expect(empty.body.error?.code).toBe('fields_missing');
  }
});

test('a Spanish document takes a decimal comma, stores a point, and draws a comma', async () => {
  const field = { recipient: 1, type: 'number', decimals: 2, min: '0.5', max: '99.5' } as const;
  const { id, fields, signer } = await sentWith([field], { primary_language: 'es' });
  expect((await signer.page()).text).toContain('Escriba un número entre 0,5 y 99,5 con 2 decimales como máximo.');
  expect((await signer.post('progress', { fields: { [fields[0] as string]: '12.5' } })).status).toBe(200);
  expect(await valuesOf(id)).toEqual(['12.50']);
  expect((await signer.elsewhere().page()).text).toContain('value="12,50"');
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  expect((await sealInputOf(id)).fields).toMatchObject([{ type: 'text', value: '12,50' }]);
});

test('a copy and a new person begin with the values of the sender', async () => {
  const { id, fields, signer } = await sentWith(presets.slice(0, 2));
  await signer.post('progress', { fields: { [fields[0] as string]: 'Another' } });
  const copied = await app.db.transaction(async (tx) => {
    const source = (await lockDocument(tx, company.id, id, 'all')) as Document;
    return copyDocument(app.world, tx, source, 'operator');
  });
  const properties = ({ preset, is_fixed, value }: Awaited<ReturnType<typeof fieldsOf>>[number]) => [
    preset,
    is_fixed,
    value,
  ];
  const expected = [
    ['Analytical Engines', false, 'Analytical Engines'],
    ['C-1843', true, 'C-1843'],
  ];
  expect((await fieldsOf(app, company, copied.copy.id)).map(properties)).toEqual(expected);

  await app.db.transaction(async (tx) => {
    const document = (await lockDocument(tx, company.id, id, 'all')) as Document;
    const person = { name: 'Mary Jackson', email: 'mary@example.com' };
    await reassignRecipient(app.world, tx, await app.queue(), document, signer.recipientId, person, 'operator');
  });
  expect((await fieldsOf(app, company, id)).map(properties)).toEqual(expected);
});

/** Erases Ada from one document. */
async function eraseFrom(id: string): Promise<void> {
  const found = await findRecipients(app.db, { channel: 'email', address: ada.email }, company.id);
  const here = found.filter((one) => one.document_id === id);
  expect(await eraseRecipients(app.world, app.db, here, 'delete')).toMatchObject({ recipients: 1 });
}

const copyOf = (id: string) =>
  app.db.transaction(async (tx) => {
    const source = (await lockDocument(tx, company.id, id, 'all')) as Document;
    return (await copyDocument(app.world, tx, source, 'operator')).copy.id;
  });

test('erasing someone erases the texts and numbers of their fields, those of the sender too', async () => {
  const { id, signer } = await sentWith(presets);
  await signer.post('sign', signature);
  await sealedPdf(app, id);
  await eraseFrom(id);
  expect((await fieldsOf(app, company, id)).map(({ value, preset }) => [value, preset])).toEqual([
    ['-', '-'],
    ['-', '-'],
    ['2026-01-31', '2026-01-31'],
    ['true', 'true'],
    ['false', 'false'],
    ['-', '-'],
    ['-', '-'],
  ]);

  const copied = await fieldsOf(app, company, await copyOf(id));
  expect(copied.map(({ value, preset, is_fixed }) => [value, preset, is_fixed])).toEqual([
    [null, null, false],
    [null, null, false],
    ['2026-01-31', '2026-01-31', true],
    ['true', 'true', false],
    ['false', 'false', true],
    [null, null, false],
    [null, null, false],
  ]);
});

test('erasing someone from a draft leaves the values of the sender, which the next person signs', async () => {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await attachPdf(app, company, id);
  const [{ recipient_id: recipientId } = { recipient_id: '' }] = await placeOn(app, company, id, [
    ...presets,
    { recipient: 1, type: 'text', value: '-', read_only: true },
  ]);
  const values = ['Analytical Engines', 'C-1843', '2026-01-31', 'true', 'false', '1200.50', 'Yearly', '-'];
  await eraseFrom(id);
  expect(await valuesOf(id)).toEqual(values);

  await app.db.transaction(async (tx) => {
    const document = (await lockDocument(tx, company.id, id, 'all')) as Document;
    const mary = { id: recipientId, name: 'Mary Jackson', email: 'mary@example.com' };
    await editDocument(app.world, tx, document, 'operator', { title: 'Lease', recipients: [mary] } as never);
  });
  expect(await valuesOf(await copyOf(id))).toEqual(values);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const mary = await openLinkOf(app, company, id, 'Mary Jackson');
  expect((await mary.post('sign', { ...signature, full_name: 'Mary Jackson' })).body).toEqual({ state: 'completed' });
  expect(await valuesOf(id)).toEqual(values);

  const pdf = await sealedPdf(app, id);
  expect((await postPdf(app, pdf)).against).toEqual([]);
  const text = pdfText(pdf);
  expect(text).toContain('Personal data erased · Operator');
  expect(text).not.toContain('entries');
});
