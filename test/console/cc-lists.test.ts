import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CcList, ccListsMax, ccPeopleMax, changeCcList, lockCcList } from '../../src/accounts/cc-lists.ts';
import { eraseFromCcLists } from '../../src/erasure/erase-recipient.ts';
import { canonicalEmail } from '../../src/platform/canonical-email.ts';
import { canonicalEmail as canonicalInBrowser } from '../../web/src/documents/canonical-email.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Lists of people who get copies: who manages and sees them, their rules and limits. */
let app: TestService;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const listOf = (name: string, people: object[] = [ada], is_default = false) => ({ name, is_default, people });
const create = (body: object, by = admin) => by.post('/cc-lists', body);
const all = async (by = admin) => (await by.get('/cc-lists')).body.data;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Person ${n}`, email: `person-${n}@example.com` }));

test('a list is created, changed and deleted, and the audit log says so without addresses', async () => {
  const { status, body, text } = await create(listOf('  Legal   team ', [ada, grace], true));
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ name: 'Legal team', is_default: true, version: 1, people: [ada, grace] });
  await create(listOf('board'));
  expect((await all()).map(({ name }: { name: string }) => name)).toEqual(['board', 'Legal team']);

  const changed = await admin.post(`/cc-lists/${body.id}`, { ...listOf('Legal', [grace, ada]), version: 1 });
  expect(changed.body).toMatchObject({ name: 'Legal', is_default: false, version: 2, people: [grace, ada] });
  expect((await admin.call('DELETE', `/cc-lists/${body.id}`)).status).toBe(200);
  expect(await all()).toMatchObject([{ name: 'board' }]);
  expect(refusal(await admin.call('DELETE', `/cc-lists/${body.id}`))).toEqual([404, 'not_found']);

  const log = (await admin.get('/audit-log?limit=100')).body.data as Array<{ action: string }>;
  const entries = log.filter(({ action }) => action.startsWith('cc_list_'));
  expect(entries.map(({ action }) => action)).toEqual([
    'cc_list_deleted',
    'cc_list_changed',
    'cc_list_created',
    'cc_list_created',
  ]);
  expect(JSON.stringify(entries)).toContain('Legal team → Legal');
  for (const { email } of [ada, grace]) expect(JSON.stringify(entries)).not.toContain(email);
});

test('an erasure waits for a change of the list, so that it does not bring the person back', async () => {
  const { body } = await create(listOf('Legal', [ada, grace]));
  const isLocked = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const changing = app.db.transaction(async (tx) => {
    const list = (await lockCcList(tx, company.id, body.id)) as CcList;
    isLocked.resolve();
    await mayCommit.promise;
    await changeCcList(app.world, tx, list, { ...list, key: 'legal', isDefault: true }, null);
  });
  await isLocked.promise;
  const erasing = app.db.transaction((tx) => eraseFromCcLists(tx, ada.email, company.id));
  await new Promise((resolve) => setTimeout(resolve, 100)); // it has begun, and waits
  mayCommit.resolve();
  await changing;
  expect(await erasing).toEqual([company.id]);
  expect(await all()).toMatchObject([{ is_default: true, version: 3, people: [grace] }]);
});

test('saving the same again changes nothing', async () => {
  const { body } = await create(listOf('Legal'));
  const saved = await admin.post(`/cc-lists/${body.id}`, { ...listOf('Legal'), version: 1 });
  expect(saved.body).toEqual(body);
});

test('members see the lists and change none; another company sees none', async () => {
  const { body } = await create(listOf('Legal'));
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  expect(await all(member)).toEqual([body]);
  expect(refusal(await create(listOf('Board'), member))).toEqual([403, 'forbidden']);
  expect(refusal(await member.post(`/cc-lists/${body.id}`, { ...listOf('Board'), version: 1 }))[1]).toBe('forbidden');
  expect(refusal(await member.call('DELETE', `/cc-lists/${body.id}`))).toEqual([403, 'forbidden']);

  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect(await all(stranger)).toEqual([]);
  expect(refusal(await stranger.post(`/cc-lists/${body.id}`, { ...listOf('Mine'), version: 1 }))[1]).toBe('not_found');
  expect(refusal(await stranger.call('DELETE', `/cc-lists/${body.id}`))).toEqual([404, 'not_found']);
  expect((await create(listOf('Legal'), stranger)).status).toBe(200);
});

describe('input', () => {
  test.each([
    ['an empty name', listOf(' \u200b'), 'name'],
    ['a long name', listOf('x'.repeat(81)), 'name'],
    ['a name that turns the text around', listOf('a\u202eb'), 'name'],
    ['nobody', listOf('Legal', []), 'people'],
    ['too many people', listOf('Legal', numbered(ccPeopleMax + 1)), 'people'],
    ['a blank person', listOf('Legal', [ada, { name: ' ', email: 'x@example.com' }]), 'people[1].name'],
    [
      'a person with a line break',
      listOf('Legal', [{ name: 'Ada\nBcc: x', email: 'x@example.com' }]),
      'people[0].name',
    ],
    ['half a character', listOf('Legal', [{ name: 'Ada \ud800', email: 'x@example.com' }]), 'people[0].name'],
    ['a long person', listOf('Legal', [{ name: 'x'.repeat(121), email: 'x@example.com' }]), 'people[0].name'],
    ['no address', listOf('Legal', [ada, grace, { name: 'Eve', email: 'eve' }]), 'people[2].email'],
    [
      'an address with a header',
      listOf('Legal', [{ name: 'Eve', email: 'eve@example.com\r\nBcc:x' }]),
      'people[0].email',
    ],
  ])('%s is refused', async (_what, body, param) => {
    const answer = await create(body);
    expect(refusal(answer)).toEqual([400, 'invalid_input']);
    expect(answer.body.error.param).toBe(param);
    expect(await all()).toEqual([]);
  });

  test('the most people are accepted, and the same address in another form is left out', async () => {
    expect((await create(listOf('Everyone', numbered(ccPeopleMax)))).body.people).toHaveLength(ccPeopleMax);
    const twice = [
      { name: 'Ada', email: 'ada@bücher.example' },
      { name: 'Countess', email: ' ADA@xn--bcher-kva.example ' },
    ];
    expect((await create(listOf('Twice', twice))).body.people).toEqual([twice[0]]);
  });

  test('a name is taken without regard to case', async () => {
    const { body } = await create(listOf('Legal'));
    expect(refusal(await create(listOf('LEGAL')))).toEqual([409, 'cc_list_exists']);
    const { body: board } = await create(listOf('Board'));
    const renamed = await admin.post(`/cc-lists/${board.id}`, { ...listOf('legal'), version: 1 });
    expect(refusal(renamed)).toEqual([409, 'cc_list_exists']);
    expect((await admin.post(`/cc-lists/${body.id}`, { ...listOf('LEGAL'), version: 1 })).status).toBe(200);
  });
});

describe('at once', () => {
  test('a company has no more lists than the maximum, also when two are created at once', async () => {
    await app.db.query({
      name: '',
      text: `insert into cc_lists (account_id, id, name, name_key, is_default, version, created_at)
             select $1, gen_random_uuid(), 'List ' || n, 'list ' || n, false, 1, now() from generate_series(2, $2) n`,
      values: [company.id, ccListsMax],
    });
    const answers = await Promise.all([create(listOf('One')), create(listOf('Two'))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.map(({ body }) => body.error?.code)).toContain('too_many_cc_lists');
    expect(await all()).toHaveLength(ccListsMax);
  });

  test('of two changes of the same version, one is refused', async () => {
    const { body } = await create(listOf('Legal'));
    const changes = [ada, grace].map((person) =>
      admin.post(`/cc-lists/${body.id}`, { ...listOf(`By ${person.name}`, [person]), version: 1 }),
    );
    const answers = await Promise.all(changes);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.map((answer) => answer.body.error?.code)).toContain('changed_meanwhile');
  });
});

test('an erased person leaves the lists of the chosen company, and an open form can’t bring them back', async () => {
  const { body } = await create(listOf('Legal', [{ ...ada, email: 'Ada@BÜCHER.example' }, grace]));
  const other = await createCompany(app);
  const eraseIn = (accountId: string | null) =>
    app.db.transaction((tx) => eraseFromCcLists(tx, 'ada@xn--bcher-kva.example', accountId));
  expect(await eraseIn(other.id)).toEqual([]);
  expect(await eraseIn(null)).toContain(company.id);
  expect(await all()).toMatchObject([{ version: 2, people: [grace] }]);
  const stale = await admin.post(`/cc-lists/${body.id}`, { ...listOf('Legal', body.people), version: 1 });
  expect(refusal(stale)).toEqual([409, 'changed_meanwhile']);
});

test('the form compares addresses as the server does', () => {
  const addresses = [
    ...['Ada@Example.COM', ' ada@example.com\n', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example', 'é@example.com'],
    ...['e\u0301@example.com', '\u212a@example.com', '\u0130@example.com', '\u037e@x.example', 'a@b@ex.example'],
    ...['ada@127.1', 'ada@１２７.0.0.1', 'ada@ex%61mple.com', 'ada@exa mple.com', 'ada@faß.example', 'ada@☃.example'],
    ...['ada', '', '@', 'ada@', 'ada@[::1]', 'ada@a\u200db.example', 'ada@ⅰ.example', 'ada@xn--zzzz9999.é'],
  ];
  for (const address of addresses) expect(canonicalInBrowser(address), address).toBe(canonicalEmail(address));
});
