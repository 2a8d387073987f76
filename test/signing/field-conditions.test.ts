import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDocument } from '../../src/documents/copy-document.ts';
import type { Document } from '../../src/documents/document.ts';
import { findDocument, lockDocument } from '../../src/documents/queries.ts';
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
import { auditOf, openLinkOf, type Signer, signature } from './signer.ts';

/** Radio buttons, and fields that are shown only while another field has a value. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function sentWith(fieldsToPlace: readonly FieldToPlace[]) {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const signer = await openLinkOf(app, company, id, ada.name);
  /** Posts values by the index of the field. */
  const post = (action: 'progress' | 'sign', values: Record<number, string | null>) => {
    const entries = Object.entries(values).map(([index, value]) => [fields[Number(index)], value]);
    return signer.post(action, { ...signature, fields: Object.fromEntries(entries) });
  };
  return { id, fields, signer, post };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);
const outcome = async (answer: ReturnType<Signer['post']>) => (await answer).body.error?.code ?? 'done';
const drawnOn = async (id: string) => {
  const document = (await findDocument(app.db, id)) as Document;
  return (await loadSealInput(app.world, app.db, document, 'http://localhost/verify')).fields;
};

const button = (label: string, changes: Partial<FieldToPlace> = {}): FieldToPlace => {
  return { recipient: 1, type: 'radio', group: 'Payment', label, ...changes };
};

test('of a group one button is chosen: another one replaces it, two are refused, none is not enough', async () => {
  const { id, post } = await sentWith([button('By bank'), button('In cash'), button('By card')]);
  expect(await outcome(post('sign', {}))).toBe('fields_missing');
  expect(await outcome(post('progress', { 0: 'true' }))).toBe('done');
  expect(await outcome(post('progress', { 2: 'true' }))).toBe('done');
  expect(await valuesOf(id)).toEqual([null, null, 'true']);
  for (const action of ['progress', 'sign'] as const) {
    expect(await outcome(post(action, { 0: 'true', 1: 'true' }))).toBe('invalid_field');
    expect(await outcome(post(action, { 0: 'false' }))).toBe('invalid_field');
  }
  expect(await outcome(post('sign', { 2: null }))).toBe('fields_missing');
  expect(await outcome(post('sign', { 1: 'true' }))).toBe('done');
  expect(await valuesOf(id)).toEqual([null, 'true', null]);
  expect(await drawnOn(id)).toMatchObject([{ type: 'checkbox', label: 'Payment: In cash', value: 'true' }]);
});

test('an optional group can stay empty', async () => {
  const { id, post } = await sentWith([button('Yes', { required: false }), button('No', { required: false })]);
  expect(await outcome(post('sign', {}))).toBe('done');
  expect(await valuesOf(id)).toEqual([null, null]);
});

/** A chain: the dog decides over the size, the size over the breed. And a fixed note that belongs to the dog. */
const dog: FieldToPlace[] = [
  { recipient: 1, type: 'checkbox', label: 'Dog' },
  { recipient: 1, type: 'dropdown', label: 'Size', options: ['Small', 'Large'], shown_if: { field: 1, value: 'true' } },
  { recipient: 1, type: 'text', label: 'Breed', shown_if: { field: 2, value: 'Large' } },
  { recipient: 1, type: 'text', value: 'A fence', read_only: true, shown_if: { field: 1, value: 'true' } },
  { recipient: 1, type: 'date', shown_if: { field: 1, value: 'true' } },
  {
    recipient: 1,
    type: 'text',
    label: 'Note',
    value: 'No animals',
    required: false,
    shown_if: { field: 1, value: false },
  },
];

test.each<[string, Record<number, string>, string | (string | null)[]]>([
  ['without a dog', { 2: 'Poodle', 1: 'Large' }, [null, null, null, null, null, 'No animals']],
  ['with a dog of no size', { 0: 'true' }, 'fields_missing'],
  ['with a small dog', { 0: 'true', 1: 'Small', 2: 'Poodle' }, ['true', 'Small', null, 'A fence', 'today', null]],
  ['with a large dog of no breed', { 0: 'true', 1: 'Large' }, 'fields_missing'],
  ['with a large dog', { 0: 'true', 1: 'Large', 2: 'Poodle' }, ['true', 'Large', 'Poodle', 'A fence', 'today', null]],
])('%s, a hidden field is neither required nor stored nor drawn', async (_name, entered, expected) => {
  const { id, fields, post } = await sentWith(dog);
  const answer = await outcome(post('sign', entered));
  if (typeof expected === 'string') return expect(answer).toBe(expected);
  expect(answer).toBe('done');
  const today = app.clock.now().toISOString().slice(0, 10);
  const values = expected.map((value) => (value === 'today' ? today : value));
  expect(await valuesOf(id)).toEqual(values);
  const filled = values.filter((value) => value !== null);
  expect((await drawnOn(id)).map(({ value }) => value)).toEqual(filled);
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(signed?.detail).toMatchObject({ fields: filled.length });
  expect(fields).toHaveLength(6);
});

test('what is saved of a hidden field is dropped, and a value of the sender is there again', async () => {
  const { id, post } = await sentWith(dog);
  await post('progress', { 0: 'true', 1: 'Large', 2: 'Poodle' });
  expect(await valuesOf(id)).toEqual(['true', 'Large', 'Poodle', 'A fence', null, 'No animals']);
  await post('progress', { 0: 'false' });
  expect(await valuesOf(id)).toEqual(['false', null, null, 'A fence', null, 'No animals']);
  await post('progress', { 5: 'Cats only' });
  await post('progress', { 0: 'true' });
  expect((await valuesOf(id))[5]).toBe('No animals');
});

test('an invalid value is dropped while its field is hidden, and refused while it is shown', async () => {
  const { id, post } = await sentWith([
    ...dog.slice(0, 1),
    { recipient: 1, type: 'number', label: 'Age', shown_if: { field: 1, value: 'true' } },
  ]);
  expect(await outcome(post('progress', { 0: 'true', 1: 'two' }))).toBe('invalid_field');
  expect(await outcome(post('progress', { 0: 'false', 1: 'two' }))).toBe('done');
  expect(await outcome(post('sign', { 0: 'true', 1: 'two' }))).toBe('invalid_field');
  expect(await outcome(post('sign', { 0: 'false', 1: 'two' }))).toBe('done');
  expect(await valuesOf(id)).toEqual(['false', null]);
});

test('conditions belong to what is sent, and a copy has them', async () => {
  const { id } = await sentWith([
    button('By bank'),
    button('In cash'),
    ...dog.slice(0, 1),
    {
      ...{ recipient: 1, type: 'text', label: 'Account', shown_if: { field: 1, value: 'true' } },
    },
  ]);
  const copied = await app.db.transaction(async (tx) => {
    const source = (await lockDocument(tx, company.id, id, 'all')) as Document;
    return copyDocument(app.world, tx, source, 'operator');
  });
  const copy = await fieldsOf(app, company, copied.copy.id);
  expect(copy.map((field) => [field.group_name, field.condition_position, field.condition_value])).toEqual([
    ['Payment', null, null],
    ['Payment', null, null],
    [null, null, null],
    [null, 0, 'true'],
  ]);
  const text = 'update document_fields set condition_value = $2 where document_id = $1 and condition_value is not null';
  await app.db.query({ name: 'tamper', text, values: [id, 'false'] });
  await expect(drawnOn(id)).rejects.toThrow('is not what was sent');
});
