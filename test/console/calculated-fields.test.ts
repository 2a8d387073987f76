import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachPdf, fieldsOf } from '../support/attach.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Calculated fields through the console API: placed, refused, and kept in templates and documents from them. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member', 'ruth@example.com'));
});
afterAll(() => app.stop());

const people = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Bob Builder', email: 'bob@example.com' },
];
const inOrder = { title: 'Order', content: { sign_order_mode: 'sequential' } };
const box = { type: 'number', page: 1, x: 72, width: 90, height: 22 };
const fields = [
  { ...box, recipient: 1, y: 100, label: 'Price' },
  { ...box, recipient: 2, y: 140, label: 'Total', decimals: 2, formula: '{1} * 1.21' },
];

async function draft(): Promise<string> {
  const id = await createDraft(app, company.key, { ...inOrder, recipients: people });
  await attachPdf(app, company, id);
  return id;
}

const versionOf = async (id: string) => (await member.get(`/documents/${id}`)).body.version as number;
const place = async (id: string, fields: object[]) =>
  member.post(`/documents/${id}/fields`, { version: await versionOf(id), fields });
const formulas = async (id: string) =>
  (await member.get(`/documents/${id}/fields`)).body.data.map(({ formula }: { formula: string | null }) => formula);

test('a formula is placed, read back with numbers in the list, and refused with its own code', async () => {
  const id = await draft();
  expect((await place(id, fields)).status).toBe(200);
  expect(await formulas(id)).toEqual([null, '{1} * 1.21']);
  const [price, total] = fields;
  const later = [
    { ...price, formula: '{2}' },
    { ...box, recipient: 2, y: 140 },
  ];
  expect(refusal(await place(id, later))).toEqual([409, 'formula_unfit']);
  expect(refusal(await place(id, [price as object, { ...total, formula: '{2}' }]))).toEqual([409, 'formula_unfit']);
  expect(refusal(await place(id, [price as object, { ...total, formula: '{1} *' }]))).toEqual([409, 'refused']);
  expect(await formulas(id)).toEqual([null, '{1} * 1.21']);
});

test('recipients that a formula can’t do with are refused, when editing and when using a template', async () => {
  const id = await draft();
  await place(id, fields);
  const { recipients } = (await member.get(`/documents/${id}`)).body as { recipients: { id: string }[] };
  const kept = people.map((person, index) => ({ ...person, id: recipients[index]?.id }));
  const edit = async (changes: object) =>
    member.post(`/documents/${id}`, { ...inOrder, recipients: kept, version: await versionOf(id), ...changes });
  expect(refusal(await edit({ recipients: kept.slice(1) }))).toEqual([409, 'formula_unfit']);
  expect(refusal(await edit({ content: { sign_order_mode: 'parallel' } }))).toEqual([409, 'formula_unfit']);
  expect((await edit({ title: 'Other order' })).status).toBe(200);

  const template = (await member.post(`/documents/${id}/template`)).body.id as string;
  const roles = (await member.get(`/documents/${template}`)).body.recipients as { id: string }[];
  const used = people.map((person, index) => ({ ...person, id: roles[index]?.id }));
  const use = async (changes: object) =>
    member.post(`/templates/${template}/use`, {
      ...inOrder,
      recipients: used,
      version: await versionOf(template),
      ...changes,
    });
  expect(refusal(await use({ recipients: used.toReversed() }))).toEqual([409, 'formula_unfit']);
  const made = await use({});
  expect([made.status, await formulas(made.body.id)]).toEqual([200, [null, '{1} * 1.21']]);
  const copy = (await member.post(`/documents/${made.body.id}/copy`)).body.id as string;
  expect(await formulas(copy)).toEqual([null, '{1} * 1.21']);
  // Renaming and moving a field changes its number, not what the formula uses.
  const [price, total] = (await member.get(`/documents/${copy}/fields`)).body.data;
  await place(copy, [
    { ...total, formula: '{2} * 1.21' },
    { ...price, label: 'Rate' },
  ]);
  expect((await fieldsOf(app, company, copy)).map(({ label, formula }) => [label, formula])).toEqual([
    ['Total', '{1} * 1.21'],
    ['Rate', null],
  ]);
});
