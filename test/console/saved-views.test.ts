import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseFromViews } from '../../src/erasure/erase-from-views.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Views of the document list that members save under a name. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const newMember = async (accountId = company.id, email?: string): Promise<Visitor> =>
  signedIn(app, await addMember(app, accountId, 'member', email));
const names = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/documents/views')).body.data.map(({ name }: { name: string }) => name);

test('views are saved, listed by name, replaced and removed', async () => {
  const visitor = await newMember();
  await visitor.post('/documents/views', { name: ' unsigned ', search: 'status=sent&sort=oldest' });
  await visitor.post('/documents/views', { name: 'Contracts', search: 'type=contract' });
  const { body } = await visitor.post('/documents/views', { name: 'unsigned', search: 'status=sent' });
  const views = [
    { name: 'Contracts', search: 'type=contract' },
    { name: 'unsigned', search: 'status=sent' },
  ];
  expect(body).toEqual({ data: views });
  expect((await visitor.get('/documents/views')).body).toEqual({ data: views });
  expect((await visitor.post('/documents/views/remove', { name: 'Contracts' })).body).toEqual({ data: views.slice(1) });
  expect((await visitor.post('/documents/views/remove', { name: 'Contracts' })).status).toBe(200);
});

test('each member has views of their own in each company', async () => {
  const other = await createCompany(app);
  const both = await addMember(app, company.id, 'member', 'both@example.com');
  await addMember(app, other.id, 'owner', 'both@example.com');
  const visitor = await signedIn(app, both);
  const colleague = await newMember();
  await visitor.post('/documents/views', { name: 'Mine', search: '' });
  expect([await names(visitor), await names(colleague)]).toEqual([['Mine'], []]);
  await colleague.post('/documents/views/remove', { name: 'Mine' });
  expect(await names(visitor)).toEqual(['Mine']);
  await visitor.post('/account', { account_id: other.id });
  expect(await names(visitor)).toEqual([]);
});

test.each([
  { name: '', search: '' },
  { name: '  ', search: '' },
  { name: 'x'.repeat(61), search: '' },
  { name: 'a\u0000b', search: '' },
  { name: 'A', search: 'x'.repeat(2001) },
  { name: 'A', search: 'q=a b' },
  { name: 'A' },
])('refuses %j', async (body) => {
  expect(refusal(await (await newMember()).post('/documents/views', body))).toEqual([400, 'invalid_input']);
});

test('a member saves at most 50 views, of names and addresses up to their limits', async () => {
  const visitor = await newMember();
  for (let n = 0; n < 49; n++) await visitor.post('/documents/views', { name: `View ${n}`, search: '' });
  const longest = { name: '😀'.repeat(60), search: 'x'.repeat(2000) };
  expect((await visitor.post('/documents/views', longest)).body.data).toHaveLength(50);
  expect(refusal(await visitor.post('/documents/views', { name: 'Too many', search: '' }))).toEqual([409, 'refused']);
  expect((await visitor.post('/documents/views', { name: 'View 1', search: 'sort=title' })).status).toBe(200);
  expect(await names(visitor)).toHaveLength(50);
});

test('views with the address of an erased recipient are deleted, in the chosen company', async () => {
  const elsewhere = await createCompany(app);
  const [here, there] = [await newMember(), await newMember(elsewhere.id)];
  const search = String(new URLSearchParams({ recipient: 'Erased_Ada@example.com' }));
  for (const visitor of [here, there]) {
    await visitor.post('/documents/views', { name: 'Ada', search });
    await visitor.post('/documents/views', { name: 'For erased_ada@example.com', search: '' });
    await visitor.post('/documents/views', { name: 'Other', search: 'recipient=erasedXada%40example.com' });
  }
  await eraseFromViews(app.db, 'erased_ada@example.com', company.id);
  expect([await names(here), await names(there)]).toEqual([['Other'], ['Ada', 'For erased_ada@example.com', 'Other']]);
  await eraseFromViews(app.db, 'erased_ada@example.com', null);
  expect(await names(there)).toEqual(['Other']);
});

test('views with a longer address or number, which is that of a colleague, are kept', async () => {
  const own = await createCompany(app);
  const visitor = await newMember(own.id);
  const query = (value: string) => String(new URLSearchParams({ q: value, sort: 'title' }));
  const kept = ['joann@x.com', 'jo+ann@x.com', 'jo.ann@x.com', 'ann@x.com.au', 'ann@x.community', 'éann@x.com'];
  const erased = ['ann@x.com', 'Lease ANN@x.com', '(ann@x.com)', 'ann@x.com.', 'joann@x.com ann@x.com'];
  const byPhone = ['0790000000', 'Ann,0790000000'];
  const otherPhones = ['00790000000', '07900000001'];
  for (const value of [...kept, ...erased, ...byPhone, ...otherPhones]) {
    await visitor.post('/documents/views', { name: `For ${value}`, search: '' });
    await visitor.post('/documents/views', { name: [...value].join(' '), search: query(value) });
  }
  const views = (values: string[]) => values.flatMap((value) => [`For ${value}`, [...value].join(' ')]).sort();
  const left = async () => (await names(visitor)).sort();

  expect(await eraseFromViews(app.db, 'ann@x.com', own.id)).toEqual(views(erased).map(() => own.id));
  expect(await left()).toEqual(views([...kept, ...byPhone, ...otherPhones]));
  await eraseFromViews(app.db, '0790000000', own.id);
  expect(await left()).toEqual(views([...kept, ...otherPhones]));
});

test('views go with the membership', async () => {
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, member);
  await visitor.post('/documents/views', { name: 'Gone', search: '' });
  const count = () =>
    app.db.query<{ n: number }>({
      name: '',
      text: 'select count(*)::int as n from saved_views where member_id = $1',
      values: [member.id],
    });
  expect(await count()).toEqual([{ n: 1 }]);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.call('DELETE', `/members/${member.id}`)).status).toBe(200);
  expect(await count()).toEqual([{ n: 0 }]);
});
