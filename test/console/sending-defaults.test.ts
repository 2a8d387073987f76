import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Defaults of a company for expiry and reminders, and the values of each document. */
let app: TestService;
let company: Company;
let admin: Visitor;
let member: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { REMINDER_DAYS: '3,7' } });
  company = await createCompany(app);
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  member = await signedIn(app, await addMember(app, company.id, 'member'));
  stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
});
afterAll(() => app.stop());

const invalid = [400, 'invalid_input'];
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const weekly = { first_after_days: 2, every_days: 7, at_most: 3 };
const unset = { expires_in_days: null, reminder_days: null, expiry_reminder_days: null };
const chosen = { expires_in_days: 30, reminder_days: [2, 7, 7], expiry_reminder_days: 4 };
const choose = (visitor = admin) =>
  visitor.post('/sending', { expires_in_days: 30, reminders: { schedule: weekly, expiry_reminder_days: 4 } });
const clear = () => admin.post('/sending', { reminders: {} });

async function plan(id: string, visitor = admin) {
  const { expires_in_days, reminder_days, expiry_reminder_days } = (await visitor.get(`/documents/${id}`)).body;
  return { expires_in_days, reminder_days, expiry_reminder_days };
}

async function create(more: object = {}): Promise<string> {
  const answer = await member.post('/documents', { title: 'Lease', recipients: [ada], ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.id;
}

test('are unset at first, are set by owners and admins, read by members, and are of one company', async () => {
  const service = { service_reminder_days: [3, 7] };
  expect((await member.get('/sending')).body).toEqual({ ...unset, ...service });
  expect(refusal(await choose(member))).toEqual([403, 'forbidden']);
  expect((await choose()).body).toEqual({ ...chosen, ...service });
  expect((await member.get('/sending')).body).toEqual({ ...chosen, ...service });
  expect((await stranger.get('/sending')).body).toEqual({ ...unset, ...service });
  const reminders = { schedule: weekly, expiry_reminder_days: 4 };
  const save = (shown: object) => admin.post('/sending', { expires_in_days: 30, reminders, shown });
  expect(refusal(await save(unset))).toEqual([409, 'changed_meanwhile']);
  expect((await save(chosen)).status).toBe(200);
  const none = { ...weekly, at_most: 0 };
  expect((await admin.post('/sending', { reminders: { schedule: none } })).body).toEqual({
    ...unset,
    reminder_days: [],
    ...service,
  });
  expect((await clear()).body).toEqual({ ...unset, ...service });
  const audit = await app.db.query<{ detail: unknown }>({
    name: '',
    text: `select detail from account_audit_entries
           where account_id = $1 and person_id is not null and action = 'sending_defaults_set' order by id`,
    values: [company.id],
  });
  expect(audit.map(({ detail }) => detail)).toEqual([chosen, chosen, { ...unset, reminder_days: [] }, unset]);
});

test.each([
  ['expires_in_days', { expires_in_days: 0 }],
  ['expires_in_days', { expires_in_days: 366 }],
  ['expires_in_days', { expires_in_days: 1.5 }],
  ['expires_in_days', { expires_in_days: '7' }],
  ['reminders', { reminders: [] }],
  ['reminders', { reminders: null }],
  ['reminders.expiry_reminder_days', { reminders: { expiry_reminder_days: 0 } }],
  ['reminders.expiry_reminder_days', { reminders: { expiry_reminder_days: 366 } }],
  ['reminders.schedule', { reminders: { schedule: [3, 7] } }],
  ['reminders.schedule.first_after_days', { reminders: { schedule: { ...weekly, first_after_days: 0 } } }],
  ['reminders.schedule.first_after_days', { reminders: { schedule: { ...weekly, first_after_days: 366 } } }],
  ['reminders.schedule.every_days', { reminders: { schedule: { ...weekly, every_days: -1 } } }],
  ['reminders.schedule.every_days', { reminders: { schedule: { ...weekly, every_days: 1e12 } } }],
  ['reminders.schedule.at_most', { reminders: { schedule: { ...weekly, at_most: 21 } } }],
  ['reminders.schedule.at_most', { reminders: { schedule: { ...weekly, at_most: 'many' } } }],
])('a wrong %s is refused, and changes nothing', async (param, body) => {
  const answer = await admin.post('/sending', { reminders: {}, ...body });
  expect([...refusal(answer), answer.body.error.param]).toEqual([...invalid, param]);
  expect((await admin.get('/sending')).body).toMatchObject(unset);
  if (!('reminders' in body)) return;
  const draft = await member.post('/documents', { title: 'Lease', recipients: [ada], ...body });
  expect([...refusal(draft), draft.body.error.param]).toEqual([...invalid, param]);
});

test('the limits themselves are allowed', async () => {
  for (const days of [1, 365]) {
    const schedule = { first_after_days: days, every_days: days, at_most: 20 };
    const body = { reminders: { schedule, expiry_reminder_days: days } };
    expect((await admin.post('/sending', { expires_in_days: days, reminders: {} })).body).toMatchObject({
      expires_in_days: days,
    });
    expect((await admin.post('/sending', body)).body).toMatchObject({
      reminder_days: Array(20).fill(days),
      expiry_reminder_days: days,
    });
  }
  await clear();
});

describe('with defaults set', () => {
  beforeAll(async () => void (await choose()));
  afterAll(async () => void (await clear()));

  test('a document of the API gets the reminders, and never the expiry', async () => {
    const id = await createDraft(app, company.key, { content: { reminders: { schedule: weekly } }, reminders: {} });
    expect(await plan(id)).toEqual({ ...chosen, expires_in_days: null });
    const given = await createDraft(app, company.key, { content: { expires_in_days: 9 } });
    expect(await plan(given)).toEqual({ ...chosen, expires_in_days: 9 });
    const { body } = await call(app, 'GET', `/documents/${id}`, { key: company.key });
    expect(Object.keys(body).join()).not.toMatch(/remind/);
    const sent = await createSent(app, company.key);
    expect((await call(app, 'GET', `/documents/${sent}`, { key: company.key })).body.expires_at).toBeNull();
  });

  test('the console sends what its form says', async () => {
    expect(await plan(await create())).toEqual({ ...chosen, expires_in_days: null });
    expect(await plan(await create({ content: { expires_in_days: 5 }, reminders: {} }))).toEqual({
      ...unset,
      expires_in_days: 5,
    });
    const none = await create({
      content: { expires_in_days: 2 },
      reminders: { schedule: { ...weekly, at_most: 0 }, expiry_reminder_days: 1 },
    });
    expect(await plan(none)).toEqual({ expires_in_days: 2, reminder_days: [], expiry_reminder_days: 1 });
  });

  test('what exists keeps its own, and copies and templates pass it on', async () => {
    const own = { content: { expires_in_days: 8 }, reminders: { schedule: { ...weekly, at_most: 1 } } };
    const expected = { expires_in_days: 8, reminder_days: [2], expiry_reminder_days: null };
    const id = await create(own);
    const template = (await member.post('/templates', { title: 'Lease', recipients: [ada], ...own })).body.id;
    await admin.post('/sending', { expires_in_days: 90, reminders: {} });
    expect(await plan(id)).toEqual(expected);
    expect(await plan((await member.post(`/documents/${id}/copy`)).body.id)).toEqual(expected);
    expect(await plan((await member.post(`/documents/${id}/template`)).body.id)).toEqual(expected);
    const { version } = (await member.get(`/documents/${template}`)).body;
    const use = { version, title: 'Lease of Ada', recipients: [ada], content: { expires_in_days: 8 } };
    expect(await plan((await member.post(`/templates/${template}/use`, use)).body.id)).toEqual(expected);
    const changed = { ...use, reminders: { expiry_reminder_days: 2 } };
    expect(await plan((await member.post(`/templates/${template}/use`, changed)).body.id)).toEqual({
      expires_in_days: 8,
      reminder_days: null,
      expiry_reminder_days: 2,
    });
    await choose();
  });
});

test('a draft is edited: reminders that are left out stay, and the history names what changed', async () => {
  const id = await create({ reminders: { schedule: weekly } });
  const edit = async (more: object) => {
    const { version } = (await member.get(`/documents/${id}`)).body;
    return member.post(`/documents/${id}`, { version, title: 'Lease', recipients: await recipients(), ...more });
  };
  const recipients = async () =>
    (await member.get(`/documents/${id}`)).body.recipients.map((recipient: { id: string }) => ({
      id: recipient.id,
      ...ada,
    }));
  const changes = async () => (await member.get(`/documents/${id}/timeline`)).body.data[0].changes;
  expect((await edit({})).body).toMatchObject({ reminder_days: [2, 7, 7], version: 1 });
  expect((await edit({ reminders: { schedule: weekly } })).body).toMatchObject({ version: 1 });
  expect((await edit({ reminders: {} })).body).toMatchObject({ ...unset, version: 2 });
  expect(await changes()).toEqual(['reminders']);
  const late = { content: { expires_in_days: 4 }, reminders: { expiry_reminder_days: 3 } };
  expect((await edit(late)).body).toMatchObject({ expires_in_days: 4, expiry_reminder_days: 3 });
  expect(await changes()).toEqual(['expires_in_days', 'reminders']);
  const wrong = await edit({ reminders: { expiry_reminder_days: 0 } });
  expect(refusal(wrong)).toEqual(invalid);
});

test('a reminder before the expiry that would never be sent is refused', async () => {
  const reminders = { expiry_reminder_days: 5 };
  const refused = async (path: string, body: object) => {
    const answer = await admin.post(path, body);
    expect([...refusal(answer), answer.body.error.param]).toEqual([...invalid, 'reminders.expiry_reminder_days']);
  };
  const id = await create();
  const template = (await member.post('/templates', { title: 'Lease', recipients: [ada] })).body.id;
  const versionOf = async (of: string) => (await member.get(`/documents/${of}`)).body.version;
  const paths = [
    '/documents',
    `/documents/${id}`,
    '/templates',
    `/documents/${template}`,
    `/templates/${template}/use`,
  ];
  for (const content of [{}, { expires_in_days: 4 }, { expires_in_days: 5 }]) {
    for (const path of paths) {
      const version = await versionOf(path.includes(template) ? template : id);
      await refused(path, { version, title: 'Lease', recipients: [ada], content, reminders });
    }
  }
  expect([await plan(id), await plan(template)]).toEqual([unset, unset]);
  for (const days of [1, 5]) await refused('/sending', { expires_in_days: days, reminders });
  expect((await admin.get('/sending')).body).toMatchObject(unset);
  const content = { expires_in_days: 6 };
  expect(await plan(await create({ content, reminders }))).toMatchObject({ expiry_reminder_days: 5 });
  expect((await admin.post('/sending', { expires_in_days: 6, reminders })).status).toBe(200);
  await clear();
});

test('two admins who save at once leave the values of one of them', async () => {
  const answers = await Promise.all(
    [10, 20].map((days) =>
      admin.post('/sending', { expires_in_days: days, reminders: { expiry_reminder_days: days - 1 } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { expires_in_days, expiry_reminder_days } = (await admin.get('/sending')).body;
  expect([10, 20]).toContain(expires_in_days);
  expect(expiry_reminder_days).toBe(expires_in_days - 1);
  await clear();
});

test('the page of a sent document shows the next reminder of the service’s schedule', async () => {
  const id = await createSent(app, company.key, { recipients: [ada] });
  const next = async () => (await member.get(`/documents/${id}`)).body.next_reminder_at;
  expect(await next()).toBe(new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString());
  await member.post(`/documents/${id}/void`, { reason: 'Not needed' });
  expect(await next()).toBeNull();
});
