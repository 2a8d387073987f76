import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldsMax } from '../../src/documents/field.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openLinkOf, signature } from './signer.ts';

/** Results of calculated fields: which ones a signature needs, and which ones it can do without. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const bob = { name: 'Bob Builder', email: 'bob@example.com' };

async function sentWith(fieldsToPlace: readonly FieldToPlace[], recipients: object[] = [ada]) {
  const content = { content: { sign_order_mode: 'sequential' } };
  const id = await createDraft(app, company.key, { recipients, ...content });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  /** Posts values by the index of the field. Returns the code of the error, or `done`. */
  const postAs = async (name: string, action: 'progress' | 'sign', values: Record<number, string | null>) => {
    const entries = Object.entries(values).map(([index, value]) => [fields[Number(index)], value]);
    const signer = await openLinkOf(app, company, id, name);
    const answer = await signer.post(action, { ...signature, fields: Object.fromEntries(entries) });
    return answer.body.error?.code ?? 'done';
  };
  return { id, postAs, sign: (values: Record<number, string | null>) => postAs(ada.name, 'sign', values) };
}

const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);

test('a required result that is missing refuses the signature, and an optional one stays empty', async () => {
  const division = (required: boolean): FieldToPlace[] => [
    { recipient: 1, type: 'number', label: 'Days', required: false },
    { recipient: 1, type: 'number', label: 'Rate', required, formula: '100 / {1}' },
  ];
  const required = await sentWith(division(true));
  expect(await required.sign({})).toBe('fields_missing');
  expect(await required.sign({ 0: '0' })).toBe('fields_missing');
  expect(await required.sign({ 0: '0', 1: '5' })).toBe('fields_missing');
  expect(await valuesOf(required.id)).toEqual([null, null]);
  expect(await required.sign({ 0: '8' })).toBe('done');
  expect(await valuesOf(required.id)).toEqual(['8', '12.5']);
  const optional = await sentWith(division(false));
  expect(await optional.sign({ 0: '0' })).toBe('done');
  expect(await valuesOf(optional.id)).toEqual(['0', null]);
});

test('a required result that only others could bring about refuses no signature', async () => {
  const fields: FieldToPlace[] = [
    { recipient: 1, type: 'number', label: 'Days', required: false },
    { recipient: 1, type: 'number', label: 'Hours', required: false },
    { recipient: 2, type: 'number', label: 'Rate', required: false },
    { recipient: 2, type: 'number', label: 'Per day', required: true, formula: '100 / {1}' },
    { recipient: 2, type: 'number', label: 'Twice', required: true, formula: '{4} * 2' },
    { recipient: 2, type: 'number', label: 'Sum', required: true, formula: '{3} / {2}' },
  ];
  for (const [given, refused, accepted, stored] of [
    [{}, {}, { 2: '7' }, [null, null, '7', null, null, null]],
    [{ 0: '0' }, {}, { 2: '7' }, ['0', null, '7', null, null, null]],
    [{ 1: '0' }, {}, { 2: '7' }, [null, '0', '7', null, null, null]],
    [{ 1: '2' }, {}, { 2: '7' }, [null, '2', '7', null, null, '3.5']],
  ] as const) {
    const { id, sign, postAs } = await sentWith(fields, [ada, bob]);
    expect(await sign(given)).toBe('done');
    expect(await postAs(bob.name, 'sign', refused)).toBe('fields_missing');
    expect(await postAs(bob.name, 'sign', accepted)).toBe('done');
    expect(await valuesOf(id)).toEqual(stored);
  }
});

test('hidden numbers are missing, except from a sum, and a hidden result is not stored', async () => {
  const { id, sign, postAs } = await sentWith([
    { recipient: 1, type: 'checkbox', label: 'Extra' },
    { recipient: 1, type: 'number', label: 'Base' },
    { recipient: 1, type: 'number', label: 'Extra price', shown_if: { field: 1, value: 'true' } },
    { recipient: 1, type: 'number', label: 'Sum', formula: 'sum({2}, {3})' },
    { recipient: 1, type: 'number', label: 'Twice', formula: '{3} * 2', shown_if: { field: 1, value: 'true' } },
    { recipient: 1, type: 'number', label: 'Both', formula: '{4} + {5}', required: false },
  ]);
  expect(await postAs(ada.name, 'progress', { 0: 'true', 1: '10', 2: '5' })).toBe('done');
  expect(await sign({ 0: 'false', 2: '5' })).toBe('done');
  expect(await valuesOf(id)).toEqual(['false', '10', null, '10', null, null]);
});

test('a required result that only a hidden number lacks refuses no signature', async () => {
  const { id, sign } = await sentWith([
    { recipient: 1, type: 'checkbox', label: 'Weekend', required: false },
    { recipient: 1, type: 'number', label: 'Days', required: false },
    { recipient: 1, type: 'number', label: 'Sundays', required: false, shown_if: { field: 1, value: 'true' } },
    { recipient: 1, type: 'number', label: 'Twice', required: true, formula: '{3} * 2' },
    { recipient: 1, type: 'number', label: 'Rate', required: true, formula: '100 / sum({2}, {3})' },
  ]);
  expect(await sign({ 0: 'false' })).toBe('fields_missing');
  // The recipient can change the days.
  expect(await sign({ 0: 'false', 1: '0' })).toBe('fields_missing');
  expect(await sign({ 0: 'true', 1: '5' })).toBe('fields_missing');
  expect(await sign({ 0: 'false', 1: '5' })).toBe('done');
  expect(await valuesOf(id)).toEqual(['false', '5', null, null, '20']);
});

test('the longest chain of fields that can be placed is signed', async () => {
  const number = { recipient: 1, type: 'number', y: 20 } as const;
  const chain = Array.from({ length: fieldsMax - 1 }, (_, index) => ({
    ...number,
    formula: `{${index + 2}}${' + 1'.repeat(120)}`,
  }));
  const { id, sign } = await sentWith([...chain, number]);
  expect(await sign({ [chain.length]: '7' })).toBe('done');
  expect((await valuesOf(id))[0]).toBe(String(7 + chain.length * 120));
});
