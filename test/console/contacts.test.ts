import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertMany } from '../support/insert-many.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Earlier recipients, which the console suggests. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());

const draftFor = (...recipients: object[]) => createDraft(app, company.key, { recipients });
const find = async (q: string, visitor = member) =>
  (await visitor.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

test('people are found by the beginning of a name or an address, each once, the last used first', async () => {
  await draftFor(ada, { name: 'Åsa Öberg', email: 'asa@example.com' });
  await draftFor({ ...ada, email: 'ADA@example.com' });
  await draftFor({ name: 'Ada Other', phone: '+1 555 010 0199', channel: 'sms' });
  const found = [
    { name: 'Ada Other', email: null, phone: '+1 555 010 0199' },
    { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
  ];
  expect((await find('aDa')).map(({ name }: { name: string }) => name)).toEqual(found.map(({ name }) => name));
  expect(await find('loVe')).toMatchObject([{ name: 'Ada Lovelace' }]);
  expect(await find('ada@')).toHaveLength(1);
  expect(await find('öb')).toMatchObject([{ name: 'Åsa Öberg' }]);
  expect(await find('ovelace')).toEqual([]);
  for (const q of ['', '  ', '%', '_da', "'", '\\', 'ada lovelace of nowhere']) expect(await find(q)).toEqual([]);
});

test('at most eight are suggested, and nobody of another company or of a restricted document', async () => {
  await draftFor(...Array.from({ length: 12 }, (_, i) => ({ name: `Zoe ${i}`, email: `zoe${i}@example.com` })));
  expect(await find('zoe')).toHaveLength(8);
  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect(await find('zoe', stranger)).toEqual([]);

  const id = await draftFor({ name: 'Quinn Secret', email: 'quinn@example.com' });
  expect(await find('quinn')).toHaveLength(1);
  await app.db.query({ name: '', text: "update documents set restricted_kind = 'pay' where id = $1", values: [id] });
  expect(await find('quinn')).toEqual([]);
});

test('people of older documents are found while the newest have too few', async () => {
  const id = await draftFor({ name: 'Ida Rhodes', email: 'ida@example.com' });
  await insertMany(
    app.db,
    1500,
    `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
             recipient_count, created_at, updated_at, audit_seq, audit_hash)
           select ('f0000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, account_id, type, status, title,
             primary_language, sign_order_mode, 0, created_at, updated_at, 1, audit_hash
           from documents, generate_series($1::int, $2::int) n where id = $3`,
    [id],
  );
  expect(await find('rhod')).toMatchObject([{ name: 'Ida Rhodes' }]);
});

test('a text that cannot be searched for is refused', async () => {
  for (const q of [`q=${'a'.repeat(201)}`, 'q=%00', 'q=a&q=b']) {
    expect(refusal(await member.get(`/contacts?${q}`))).toEqual([400, 'invalid_input']);
  }
});
