import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/canonical-json.ts';
import { copyDocument } from '../../src/documents/copy-document.ts';
import type { Document } from '../../src/documents/document.ts';
import { editDocument } from '../../src/documents/edit-document.ts';
import type { Field } from '../../src/documents/field.ts';
import { findDocument, listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { draftFromTemplate, saveAsTemplate } from '../../src/documents/templates.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { loadSealInput } from '../../src/signing/load-seal-input.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { auditOf, openLinkOf, type Signer, signature } from './signer.ts';

/** Fields that are calculated from others: shown, signed, copied and erased. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const bob = { name: 'Bob Builder', email: 'bob@example.com' };

const order: FieldToPlace[] = [
  { recipient: 1, type: 'number', label: 'Quantity', decimals: 0 },
  { recipient: 1, type: 'number', label: 'Price', decimals: 2 },
  { recipient: 1, type: 'number', label: 'Total', decimals: 2, formula: '{1} * {2} * 1.21' },
];

async function draftWith(fieldsToPlace: readonly FieldToPlace[], recipients: object[] = [ada]) {
  const content = { content: { sign_order_mode: 'sequential' } };
  const id = await createDraft(app, company.key, { recipients, ...content });
  await attachPdf(app, company, id);
  return { id, fields: await placeOn(app, company, id, fieldsToPlace) };
}

async function sentWith(fieldsToPlace: readonly FieldToPlace[], recipients: object[] = [ada]) {
  const { id, fields } = await draftWith(fieldsToPlace, recipients);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, fields, ...(await signerOf(id, fields, ada.name)) };
}

async function signerOf(id: string, fields: readonly Field[], name: string) {
  const signer = await openLinkOf(app, company, id, name);
  /** Posts values by the index of the field. */
  const post = (action: 'progress' | 'sign', values: Record<number, string | null>) => {
    const entries = Object.entries(values).map(([index, value]) => [fields[Number(index)]?.id, value]);
    return signer.post(action, { ...signature, fields: Object.fromEntries(entries) });
  };
  return { signer, post };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);
const outcome = async (answer: ReturnType<Signer['post']>) => (await answer).body.error?.code ?? 'done';
const documentOf = async (id: string) => (await findDocument(app.db, id)) as Document;
const sealInputOf = async (id: string) =>
  loadSealInput(app.world, app.db, await documentOf(id), 'http://localhost/verify');
const locked = <T>(id: string, act: (document: Document, tx: Parameters<typeof lockDocument>[0]) => Promise<T>) =>
  app.db.transaction(async (tx) => act((await lockDocument(tx, company.id, id, 'all')) as Document, tx));

test('the server’s result is stored, hashed and drawn, whatever the page sends', async () => {
  const { id, fields, signer, post } = await sentWith(order);
  expect((await signer.page()).text).toContain('data-formula="{0} * {1} * 1.21"');
  expect(await outcome(post('progress', { 0: '3', 2: '999' }))).toBe('done');
  expect(await valuesOf(id)).toEqual(['3', null, null]);
  expect(await outcome(post('sign', { 1: '9.99', 2: '1.00' }))).toBe('done');
  const values = ['3', '9.99', '36.26'];
  expect(await valuesOf(id)).toEqual(values);
  const hashed = fields.map((field, index) => ({ id: field.id, value: values[index] }));
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(signed?.detail).toMatchObject({
    fields: 3,
    fields_sha256: createHash('sha256').update(canonicalJson(hashed)).digest('hex'),
  });
  const input = await sealInputOf(id);
  expect(input.fields.map(({ value }) => value)).toEqual(values);
  const content = JSON.parse(
    Buffer.from(input.attachments.find(({ name }) => name === 'content.json')?.bytes ?? '', 'base64').toString(),
  );
  expect(content.fields[2].formula).toBe(`{${fields[0]?.id}} * {${fields[1]?.id}} * 1.21`);
  expect(content.fields[0]).not.toHaveProperty('formula');
});

test('a formula is part of what is sent', async () => {
  const { id, post } = await sentWith(order);
  const text = `update document_fields set formula = '{0} * {1}' where document_id = $1 and formula is not null`;
  await app.db.query({ name: 'tamper', text, values: [id] });
  expect(await outcome(post('sign', { 0: '1', 1: '1' }))).toBe('done');
  await expect(sealInputOf(id)).rejects.toThrow('is not what was sent');
});

const twoSteps: FieldToPlace[] = [
  { recipient: 1, type: 'number', label: 'Price <b>', decimals: 2 },
  { recipient: 1, type: 'number', label: 'Discount', required: false },
  { recipient: 2, type: 'number', label: 'Quantity' },
  { recipient: 2, type: 'number', label: 'Total', decimals: 2, formula: '{1} * {3}' },
  { recipient: 2, type: 'number', label: 'Reduced', decimals: 2, required: false, formula: '{4} - {2}' },
];

test('numbers of an earlier recipient count as they were signed, and the result is shown to others', async () => {
  const eve = { name: 'Eve', email: 'eve@example.com' };
  const { id, fields, post } = await sentWith(twoSteps, [ada, bob, eve]);
  expect(await outcome(post('sign', { 0: '12.5' }))).toBe('done');
  const second = await signerOf(id, fields, bob.name);
  const page = (await second.signer.page()).text;
  expect(page).toContain(
    'data-others="{&quot;0&quot;:{&quot;value&quot;:&quot;12.50&quot;,&quot;name&quot;:&quot;Price &lt;b&gt;&quot;}}"',
  );
  expect(await outcome(second.post('sign', { 0: '1', 2: '4' }))).toBe('invalid_field');
  expect(await outcome(second.post('sign', { 2: '4', 3: '1' }))).toBe('done');
  expect(await valuesOf(id)).toEqual(['12.50', null, '4', '50.00', null]);
  expect((await (await signerOf(id, fields, eve.name)).signer.page()).text).toContain('50.00');
});

test.each<[string, FieldToPlace[], string]>([
  [
    'a field that does not exist',
    [{ recipient: 1, type: 'number', formula: '{2}' }],
    'fields[0].formula uses a field that does not exist',
  ],
  ['field number 0', [{ recipient: 1, type: 'number', formula: '{0}' }], 'must be the number of a field'],
  ['a label', [{ recipient: 1, type: 'number', formula: '{Price}' }], '{Price} must be the number of a field'],
  [
    'a text',
    [
      { recipient: 1, type: 'text' },
      { recipient: 1, type: 'number', formula: '{1}' },
    ],
    'fields of type number',
  ],
  [
    'a later recipient',
    [
      { recipient: 2, type: 'number' },
      { recipient: 1, type: 'number', formula: '{1}' },
    ],
    'in an earlier step',
  ],
  [
    'a recipient of the same step',
    [
      { recipient: 3, type: 'number' },
      { recipient: 2, type: 'number', formula: '{1}' },
    ],
    'in an earlier step',
  ],
  [
    'a private field of another',
    [
      { recipient: 1, type: 'number', private: true },
      { recipient: 2, type: 'number', formula: '{1}', private: true },
    ],
    "can't use a private field of another",
  ],
  [
    'an own private field',
    [
      { recipient: 1, type: 'number', private: true },
      { recipient: 1, type: 'number', formula: '{1}' },
    ],
    'must be private too',
  ],
  ['itself', [{ recipient: 1, type: 'number', formula: '{1} + 1' }], 'makes a circle'],
  [
    'itself by way of another',
    [
      { recipient: 1, type: 'number', formula: 'sum({2})' },
      { recipient: 1, type: 'number', formula: '{1}' },
    ],
    'makes a circle',
  ],
  [
    'a text for a formula',
    [{ recipient: 1, type: 'text', formula: '{1}' }],
    'formula is only for fields of type number',
  ],
  [
    'a limit too',
    [{ recipient: 1, type: 'number', formula: '{2}', max: '5' }],
    "max can't be given for a calculated field",
  ],
  [
    'a value too',
    [{ recipient: 1, type: 'number', formula: '{2}', value: '5' }],
    "value can't be given for a calculated field",
  ],
  ['nothing', [{ recipient: 1, type: 'number', formula: ' ' }], 'formula must not be empty'],
  ['an unfinished formula', [{ recipient: 1, type: 'number', formula: '{1} *' }], 'formula ends too early'],
  [
    'a formula that is too long',
    [{ recipient: 1, type: 'number', formula: `{1}${'+1'.repeat(150)}` }],
    'at most 500 characters',
  ],
  ['no text', [{ recipient: 1, type: 'number', formula: 5 as never }], 'formula must be a text'],
])('a formula that uses %s is refused', async (_name, fields, message) => {
  const second = { ...bob, sign_order: 2 };
  await expect(draftWith(fields, [{ ...ada, sign_order: 1 }, second, { ...second, name: 'Cy' }])).rejects.toThrow(
    message,
  );
});

test('recipients can’t be changed so that a formula would use a number that isn’t final', async () => {
  const { id } = await draftWith(twoSteps, [ada, bob]);
  const recipients = await locked(id, (document, tx) => listRecipients(tx, document.account_id, id));
  const people = recipients.map(({ id, display_name: name, email }) => ({ id, name, email: email ?? '' }));
  const edit = (changes: object) =>
    locked(id, (document, tx) => {
      const body = { title: 'Order', recipients: people, content: { sign_order_mode: 'sequential' }, ...changes };
      return editDocument(app.world, tx, document, 'operator', body as never);
    });
  await expect(edit({ content: { sign_order_mode: 'parallel' } })).rejects.toThrow('in an earlier step');
  await expect(edit({ recipients: people.toReversed() })).rejects.toThrow('in an earlier step');
  await expect(edit({ recipients: people.slice(1) })).rejects.toThrow('a field that does not exist');
  expect(await fieldsOf(app, company, id)).toHaveLength(5);
  await edit({ title: 'Other order' });
  await edit({ recipients: people.slice(0, 1) });
  expect(await fieldsOf(app, company, id)).toHaveLength(2);
});

test('copies, templates and documents from templates have the formula, and renaming changes nothing', async () => {
  const { id } = await draftWith(order);
  const formulas = async (id: string) => (await fieldsOf(app, company, id)).map(({ formula }) => formula);
  const expected = [null, null, '{0} * {1} * 1.21'];
  const copy = await locked(id, (source, tx) => copyDocument(app.world, tx, source, 'operator'));
  expect(await formulas(copy.copy.id)).toEqual(expected);
  const template = await locked(id, (source, tx) => saveAsTemplate(app.world, tx, source, 'operator'));
  expect(await formulas(template.id)).toEqual(expected);
  const draft = await locked(template.id, async (source, tx) => {
    const [recipient] = await listRecipients(tx, company.id, source.id);
    const body = { title: 'Order', recipients: [{ ...ada, id: recipient?.id }] };
    return draftFromTemplate(app.world, tx, source, 'operator', body as never);
  });
  expect(await formulas(draft.id)).toEqual(expected);
  await placeOn(
    app,
    company,
    draft.id,
    order.map((field) => ({ ...field, label: `New ${field.label}` })),
  );
  expect(await formulas(draft.id)).toEqual(expected);
});

test('someone a document is reassigned to begins without a result', async () => {
  const { id, post } = await sentWith(order);
  await post('progress', { 0: '3', 1: '2' });
  const [recipient] = await listRecipients(app.db, company.id, id);
  const queue = await app.queue();
  await locked(id, (document, tx) =>
    reassignRecipient(app.world, tx, queue, document, recipient?.id ?? '', bob, 'operator'),
  );
  expect(await valuesOf(id)).toEqual([null, null, null]);
});

test('erasing a person erases what was calculated from their numbers, also for others', async () => {
  const { id, fields, post } = await sentWith(
    [
      ...twoSteps.slice(0, 4),
      { recipient: 2, type: 'number', label: 'Chain', formula: '{4} * 2' },
      { recipient: 2, type: 'number', label: 'Own', formula: '{3} * 2' },
    ],
    [ada, bob],
  );
  expect(await outcome(post('sign', { 0: '12.5' }))).toBe('done');
  expect(await outcome((await signerOf(id, fields, bob.name)).post('sign', { 2: '4' }))).toBe('done');
  expect(await valuesOf(id)).toEqual(['12.50', null, '4', '50.00', '100', '8']);
  await eventually(
    () => documentOf(id),
    (document) => document.sealed_file != null,
  );
  const [first] = await listRecipients(app.db, company.id, id);
  const found = await findRecipients(app.db, { channel: 'email', address: first?.email ?? '' }, company.id);
  const here = found.filter(({ document_id }) => document_id === id);
  await eraseRecipients(app.world, app.db, here, 'keep');
  expect(await valuesOf(id)).toEqual(['-', null, '4', '-', '-', '8']);
});
