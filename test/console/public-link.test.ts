import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { operate } from '../api/operate.ts';
import { visitLink } from '../support/public-link.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Public links in the console: who makes them, what is shown of them, and what keeps visitors from a document. */
let app: TestService;
let company: Company;
let ruth: Member;
let member: Visitor;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member');
  member = await signedIn(app, ruth);
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

const guest = { name: 'Guest' };
const boss = { name: 'Boss', email: 'boss@example.com' };

async function createTemplate(body: object = {}): Promise<string> {
  const answer = await owner.post('/templates', { title: 'Photo consent', recipients: [guest], ...body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.id;
}

async function createLink(settings: object = {}, template: object = {}, visitor = member) {
  const id = await createTemplate(template);
  const { status, text, body } = await visitor.post(`/templates/${id}/links`, settings);
  expect(status, text).toBe(200);
  return { template: id, path: `/templates/${id}/links/${body.id}`, link: body };
}

const tokenOf = (link: { url: string }) => ({ token: link.url.split('/').at(-1) ?? '' });
const visit = (link: { url: string }) => visitLink(app, tokenOf(link));
const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString();

async function signUp(link: { url: string }, name = 'Ada', email = `guest-${app.world.newId()}@example.com`) {
  const visitor = visit(link);
  return visitor.post('verify', { code: await visitor.askCode(name, email) });
}

test('a member makes a link with the defaults, reads it again, and finds it in the list', async () => {
  const { template, path, link } = await createLink();
  expect(link).toEqual({
    id: expect.any(String),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/link\/[0-9A-Za-z]{22}$/),
    name: null,
    template: { id: template, title: 'Photo consent' },
    language: 'en',
    ends_at: null,
    documents_max: 100,
    documents: 0,
    one_per_email: true,
    is_on: true,
    availability: 'open',
    obstacle: null,
    acts_for: { kind: 'person', name: ruth.email },
    created_at: expect.any(String),
  });
  expect((await member.get(path)).body).toEqual(link);
  const second = (await member.post(`/templates/${template}/links`, { name: 'Second' })).body;
  const list = await member.get(`/templates/${template}/links?limit=1`);
  expect([list.body.data, list.body.has_more]).toEqual([[second], true]);
  const next = await member.get(`/templates/${template}/links?limit=1&starting_after=${list.body.next_cursor}`);
  expect(next.body.data).toEqual([link]);
});

test('settings are changed one by one, and switching off and on again changes nothing else', async () => {
  const { path, link } = await createLink({ name: '  Summer party ', language: 'es', one_per_email: false });
  expect(link).toMatchObject({ name: 'Summer party', language: 'es', one_per_email: false });
  const ends_at = inAnHour();
  expect((await member.post(path, { ends_at, documents_max: 7 })).body).toEqual({ ...link, ends_at, documents_max: 7 });
  expect((await member.post(path, { name: null, ends_at: null })).body).toEqual({
    ...link,
    name: null,
    documents_max: 7,
  });
  const off = await member.post(`${path}/off`);
  expect(off.body).toMatchObject({ is_on: false, availability: 'off', documents_max: 7 });
  expect((await visit(link).get()).text).toContain('No disponible por el momento');
  const on = await owner.post(`${path}/on`);
  expect(on.body).toMatchObject({ is_on: true, availability: 'open', acts_for: { kind: 'person' } });
  expect(on.body.acts_for.name).not.toBe(ruth.email);
});

test.each([
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['an invisible name', { name: '\u200b' }, 'name'],
  ['a name with U+0000', { name: 'a\u0000' }, 'name'],
  ['a name of 201 characters', { name: 'a'.repeat(201) }, 'name'],
  ['a name that is no text', { name: 7 }, 'name'],
  ['an unknown language', { language: 'fr' }, 'language'],
  ['an end that is no time', { ends_at: 'tomorrow' }, 'ends_at'],
  ['no documents', { documents_max: 0 }, 'documents_max'],
  ['too many documents', { documents_max: 10_001 }, 'documents_max'],
  ['half a document', { documents_max: 1.5 }, 'documents_max'],
  ['a word for yes', { one_per_email: 'yes' }, 'one_per_email'],
])('%s is refused', async (_what, settings, param) => {
  const { path, template } = await createLink();
  for (const to of [path, `/templates/${template}/links`]) {
    const { status, body } = await member.post(to, settings);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_input', param]);
  }
});

test('an end in the past is refused, unless it was the end before', async () => {
  const { path, link, template } = await createLink({ ends_at: inAnHour() });
  const past = { ends_at: '2026-01-01T00:00:00Z' };
  expect(refusal(await member.post(path, past))).toEqual([409, 'invalid_link_end']);
  expect(refusal(await member.post(`/templates/${template}/links`, past))).toEqual([409, 'invalid_link_end']);
  app.clock.advance({ hours: 2 });
  const changed = await member.post(path, { ends_at: link.ends_at, name: 'Over' });
  expect(changed.body).toMatchObject({ name: 'Over', availability: 'ended' });
});

describe('a template', () => {
  test.each([
    ['link_needs_role', [boss]],
    ['link_has_many_roles', [guest, { name: 'Second guest' }]],
    ['link_role_unreachable', [{ name: 'Guest', channel: 'sms' }]],
    ['link_role_unreachable', [{ name: 'Guest', auth_level: 'l1_email_sms_otp' }]],
    ['link_role_unreachable', [boss, { name: 'Archive', role: 'cc' }]],
    ['no_recipients', []],
    ['approver_requires_sequential', [guest, { ...boss, role: 'approver' }]],
  ])('is refused with %s when nobody can sign from a link', async (code, recipients) => {
    const template = await createTemplate({ recipients });
    expect(refusal(await member.post(`/templates/${template}/links`, {}))).toEqual([409, code]);
  });

  test('has one link more when the request is repeated, and keeps only the id with the request', async () => {
    const template = await createTemplate();
    const requestId = randomUUID();
    const create = () => member.post(`/templates/${template}/links`, { request_id: requestId });
    const [first, second] = [await create(), await create()];
    expect(second.body).toEqual(first.body);
    const records = await app.db.query<{ body: string }>({
      name: '',
      text: 'select body from idempotency_records where key like $1',
      values: [`% ${requestId}`],
    });
    expect(records.map(({ body }) => JSON.parse(body))).toEqual([{ id: first.body.id }]);
  });

  test('has at most 50 links', async () => {
    const template = await createTemplate();
    for (let n = 0; n < 50; n += 1) await member.post(`/templates/${template}/links`, {});
    expect(refusal(await member.post(`/templates/${template}/links`, {}))).toEqual([409, 'too_many_public_links']);
  });

  test('that is restricted is hidden from members, and its links with it', async () => {
    const { template, path, link } = await createLink({}, {}, owner);
    await operate(app, template, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
    for (const get of [path, `/templates/${template}/links`, `${path}/documents`]) {
      expect(refusal(await member.get(get))).toEqual([404, 'not_found']);
    }
    expect(refusal(await member.post(`${path}/off`))).toEqual([404, 'not_found']);
    expect((await signUp(link)).status).toBe(303);
    expect((await owner.get(`${path}/documents`)).body.data).toEqual([]);
    expect((await owner.get(path)).body.documents).toBe(1);
  });

  test('that was changed keeps its links, which say what is wrong and stay open to later corrections', async () => {
    const { template, path, link } = await createLink();
    const edit = async (recipients: object[]) => {
      const { version } = (await owner.get(`/documents/${template}`)).body;
      const answer = await owner.post(`/documents/${template}`, { version, title: 'Photo consent', recipients });
      expect(answer.status, answer.text).toBe(200);
    };
    await edit([boss]);
    expect((await member.get(path)).body).toMatchObject({ availability: 'unavailable', obstacle: 'link_needs_role' });
    const page = await visit(link).get();
    expect([page.status, page.text.includes('Not available at the moment')]).toEqual([409, true]);
    expect(page.text).not.toContain('Photo consent</h1>');
    await member.post(`${path}/off`);
    expect(refusal(await member.post(`${path}/on`))).toEqual([409, 'link_needs_role']);
    await edit([boss, guest]);
    expect((await member.post(`${path}/on`)).body).toMatchObject({ availability: 'open', obstacle: null });
    expect((await signUp(link)).status).toBe(303);
  });

  test('that was deleted ends its links, which can still be read and deleted', async () => {
    const { template, path, link } = await createLink();
    await owner.call('DELETE', `/templates/${template}`);
    expect((await member.get(path)).body).toMatchObject({ availability: 'unavailable', obstacle: 'template_deleted' });
    expect((await visit(link).get()).status).toBe(409);
    expect(refusal(await member.post(`/templates/${template}/links`, {}))).toEqual([404, 'not_found']);
    expect(refusal(await member.post(`${path}/on`))).toEqual([404, 'not_found']);
    expect((await member.call('DELETE', path)).status).toBe(200);
    expect((await visit(link).get()).status).toBe(404);
  });
});

describe('a link', () => {
  test('makes no documents for someone who left, until another member takes it over', async () => {
    const leaver = await addMember(app, company.id, 'member');
    const { path, link } = await createLink({}, {}, await signedIn(app, leaver));
    const visitor = visit(link);
    const code = await visitor.askCode('Ada', 'ada-of-leaver@example.com');
    await app.db.query({ name: '', text: 'delete from members where id = $1', values: [leaver.id] });
    expect((await owner.get(path)).body).toMatchObject({ availability: 'unavailable', obstacle: 'not_a_member' });
    expect((await visitor.post('verify', { code })).status).toBe(409);
    await owner.post(`${path}/on`);
    expect((await visitor.post('verify', { code })).status).toBe(303);
  });

  test('makes no restricted documents for someone who is no admin any more', async () => {
    const admin = await addMember(app, company.id, 'admin');
    const { template, path } = await createLink({}, {}, await signedIn(app, admin));
    await operate(app, template, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
    expect((await owner.get(path)).body.obstacle).toBeNull();
    await app.db.query({ name: '', text: "update members set role = 'member' where id = $1", values: [admin.id] });
    expect((await owner.get(path)).body).toMatchObject({ availability: 'unavailable', obstacle: 'not_allowed' });
  });

  test('of a closed company tells visitors nothing but whom to ask', async () => {
    const closed = await createCompany(app);
    const closing = await signedIn(app, await addMember(app, closed.id, 'owner'));
    const { id } = (await closing.post('/templates', { title: 'Secret plan', recipients: [guest] })).body;
    const { body: link } = await closing.post(`/templates/${id}/links`, {});
    await app.db.query({
      name: '',
      text: 'update accounts set removed_at = $2 where id = $1',
      values: [closed.id, app.clock.now()],
    });
    const page = await visit(link).get();
    expect([page.status, page.text.includes('Please ask')]).toEqual([409, true]);
    expect(page.text).not.toContain('closed');
    expect((await visit(link).post('request', { name: 'Ada', email: 'ada@closed.example' })).status).toBe(409);
  });

  test('lists its documents, newest first, and each document names it, until it is deleted', async () => {
    const { path, link } = await createLink({ name: 'Party', one_per_email: false });
    for (const name of ['Ada', 'Grace', 'Mary']) expect((await signUp(link, name)).status).toBe(303);
    const first = await member.get(`${path}/documents?limit=2`);
    expect(first.body.data.map((each: { recipient_names: string[] }) => each.recipient_names)).toEqual([
      ['Mary'],
      ['Grace'],
    ]);
    const rest = await member.get(`${path}/documents?limit=2&starting_after=${first.body.next_cursor}`);
    expect(rest.body.data).toHaveLength(1);
    const [{ id }] = rest.body.data;
    const shown = (await member.get(`/documents/${id}`)).body;
    expect(shown.public_link).toEqual({ id: link.id, template_id: link.template.id, name: 'Party' });
    expect((await member.get(path)).body).toMatchObject({ documents: 3, documents_max: 100 });
    expect((await member.call('DELETE', path)).status).toBe(200);
    expect(refusal(await member.get(path))).toEqual([404, 'not_found']);
    expect((await member.get(`/documents/${id}`)).body).toMatchObject({ status: 'sent', public_link: null });
  });

  test('whose maximum is lowered below what was used is used up, and opens again when it is raised', async () => {
    const { path, link } = await createLink({ documents_max: 5 });
    await signUp(link);
    await signUp(link);
    expect((await member.post(path, { documents_max: 1 })).body).toMatchObject({
      documents: 2,
      documents_max: 1,
      availability: 'used_up',
    });
    expect((await signUp(link).catch(({ message }) => message)) as string).toContain('409');
    await member.post(path, { documents_max: 3 });
    expect((await signUp(link)).status).toBe(303);
  });

  test('leads a replaced recipient nowhere', async () => {
    const { link, path } = await createLink();
    await signUp(link, 'Ada', 'replaced@example.com');
    const [{ id }] = (await member.get(`${path}/documents`)).body.data;
    const [{ id: recipient }] = (await member.get(`/documents/${id}`)).body.recipients;
    const person = { name: 'Grace', email: 'grace@example.com' };
    expect((await member.post(`/documents/${id}/recipients/${recipient}/reassign`, person)).status).toBe(200);
    const again = await signUp(link, 'Ada', 'replaced@example.com');
    expect([again.status, again.text.includes('Someone else has been asked to sign')]).toEqual([409, true]);
  });

  test('gives an address a new document after the first was voided', async () => {
    const { link, path } = await createLink();
    await signUp(link, 'Ada', 'voided@example.com');
    const [{ id }] = (await member.get(`${path}/documents`)).body.data;
    expect((await member.post(`/documents/${id}/void`, { reason: 'Wrong text' })).status).toBe(200);
    expect((await signUp(link, 'Ada', 'voided@example.com')).status).toBe(303);
    expect((await member.get(path)).body.documents).toBe(2);
  });

  test('is found under its own template only', async () => {
    const { link } = await createLink();
    const other = await createTemplate();
    for (const id of [link.id, 'x', app.world.newId()]) {
      expect(refusal(await member.get(`/templates/${other}/links/${id}`))).toEqual([404, 'not_found']);
      expect(refusal(await member.call('DELETE', `/templates/${other}/links/${id}`))).toEqual([404, 'not_found']);
    }
  });
});

test('the audit log says who made, changed, switched and deleted a link', async () => {
  const { template, path, link } = await createLink({ name: 'Logged' });
  await member.post(path, { documents_max: 2 });
  await member.post(`${path}/off`);
  await member.post(`${path}/on`);
  await member.call('DELETE', path);
  const entries = await app.db.query<{ action: string; person_id: string; detail: object }>({
    name: '',
    text: `select action, person_id, detail from account_audit_entries
           where account_id = $1 and detail->>'public_link' = $2 order by id`,
    values: [company.id, link.id],
  });
  const about = { template, public_link: link.id };
  const settings = { name: 'Logged', language: 'en', ends_at: null, documents_max: 100, one_per_email: true };
  expect(entries).toEqual(
    [
      ['public_link_created', { ...about, ...settings }],
      ['public_link_changed', { ...about, ...settings, documents_max: 2 }],
      ['public_link_switched_off', about],
      ['public_link_switched_on', about],
      ['public_link_deleted', { ...about, name: 'Logged', documents: 0 }],
    ].map(([action, detail]) => ({ action, person_id: ruth.personId, detail })),
  );
  const log = await owner.get('/audit-log?q=Logged');
  expect(log.text).toContain('made a public link: Logged');
});
