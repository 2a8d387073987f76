import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { sendScheduleNotice } from '../../src/documents/schedule-notice.ts';
import { sendScheduled } from '../../src/documents/send-scheduled.ts';
import type { ScheduleJob } from '../../src/messages/job-queue.ts';
import { createMailbox, listMailbox } from '../../src/platform/mailbox.ts';
import { holdRow, interleave } from '../races/interleave.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** Sending at a later time. The service has no worker, except in the tests that start one. */
let app: TestService;
let company: Company;
let ruth: Member;
let member: Visitor;
let admin: Visitor;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member');
  member = await signedIn(app, ruth);
  admin = await signedIn(app, await addMember(app, company.id, 'admin'));
});
/** Nothing of a test is due in the next one. */
afterEach(async () => void (await run()));

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const invalid = [400, 'invalid_input'];
const at = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
const hour = 3600;

const draft = (changes: object = {}) =>
  createDraft(app, company.key, { title: 'Lease', recipients: [ada], ...changes });
const view = async (id: string, visitor = admin) => (await visitor.get(`/documents/${id}`)).body;
const run = async () => sendScheduled(app.world, app.db, await app.queue());

async function schedule(id: string, sendAt = at(hour), visitor = member) {
  const { version } = await view(id);
  return visitor.post(`/documents/${id}/schedule`, { version, send_at: sendAt });
}

async function scheduled(changes: object = {}): Promise<string> {
  const id = await draft(changes);
  const answer = await schedule(id);
  if (answer.status !== 200) throw new Error(answer.text);
  return id;
}

async function actions(id: string): Promise<string[]> {
  const rows = await app.db.query<{ action: string }>({
    name: '',
    text: 'select action from audit_entries where document_id = $1 order by seq',
    values: [id],
  });
  return rows.map(({ action }) => action);
}

async function requests(id: string): Promise<number> {
  return (await app.db.query({ name: '', text: 'select 1 from messages where document_id = $1', values: [id] })).length;
}

/** The reason, and whom an e-mail is enqueued for. */
async function failureOf(id: string) {
  const mails = await app.db.query<{ member: string }>({
    name: '',
    text: `select data->>'memberId' as member from jobs.job where name = 'tell-of-schedule' and data->>'documentId' = $1`,
    values: [id],
  });
  return [(await view(id)).schedule?.failure, mails.map((mail) => mail.member)];
}

const soon = () => app.clock.advance({ seconds: hour });

test('a scheduled document is a draft until its time, and is then sent once, in the name of who scheduled it', async () => {
  const id = await draft();
  const answer = await schedule(id);
  expect(answer.body).toMatchObject({
    status: 'draft',
    schedule: { at: at(hour), by: { kind: 'person', name: ruth.email }, failure: null },
  });
  const { body } = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(body).toMatchObject({ status: 'draft', sent_at: null });
  expect(Object.keys(body).join()).not.toMatch(/schedule|send_/);
  app.clock.advance({ seconds: hour - 1 });
  expect(await run()).toBe(0);
  app.clock.advance({ seconds: 1 });
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  expect(await view(id)).toMatchObject({ status: 'sent', sent_at: at(0), schedule: null });
  expect(await actions(id)).toEqual(['created', 'send_scheduled', 'sent', 'requested']);
  const [sent] = (await member.get(`/documents/${id}/timeline`)).body.data.slice(-3, -2);
  expect(sent).toMatchObject({ action: 'sent', actor: { kind: 'person', name: ruth.email } });
  expect(await requests(id)).toBe(1);
});

test.each([
  ['no time', ''],
  ['a day alone', '2026-03-11'],
  ['another zone', '2026-03-11T12:00:00+01:00'],
  ['words', 'tomorrow\u202e at nine'],
  ['a day that does not exist', '2026-13-41T12:00:00Z'],
  ['a huge text', 'x'.repeat(10_000)],
])('%s is refused', async (_what, sendAt) => {
  const id = await draft();
  const [status, code] = refusal(await schedule(id, sendAt));
  expect([...invalid, 'invalid_send_time', 409]).toContain(code);
  expect([400, 409]).toContain(status);
  expect((await view(id)).schedule).toBeNull();
});

test('the time is at least a minute and at most a year ahead', async () => {
  const id = await draft();
  const year = 365 * 24 * hour;
  for (const wrong of [-hour, 0, 59, year + 1]) {
    expect(refusal(await schedule(id, at(wrong)))).toEqual([409, 'invalid_send_time']);
  }
  for (const right of [60, year]) expect((await schedule(id, at(right))).status).toBe(200);
  await member.call('DELETE', `/documents/${id}/schedule`);
});

test('only a document that could be sent is scheduled', async () => {
  const cc = await draft({ recipients: [{ ...ada, role: 'cc' }] });
  expect(refusal(await schedule(cc))).toEqual([409, 'no_signers']);
  const old = await draft();
  expect(refusal(await member.post(`/documents/${old}/schedule`, { version: 0, send_at: at(hour) }))).toEqual([
    409,
    'changed_meanwhile',
  ]);
  await member.post(`/documents/${old}/send`);
  expect(refusal(await schedule(old))).toEqual([409, 'document_not_sendable']);
  const template = (await member.post('/templates', { title: 'Lease', recipients: [ada] })).body.id;
  expect(refusal(await schedule(template))).toEqual([409, 'document_not_sendable']);
});

test('it is not edited, reviewed or made a template meanwhile; cancelling makes it a draft as before', async () => {
  const id = await scheduled();
  const { version, actions: offered, recipients } = await view(id, member);
  expect(offered).not.toContain('edit');
  expect(offered).not.toContain('review');
  expect(offered).toEqual(expect.arrayContaining(['send', 'schedule', 'unschedule', 'void', 'copy']));
  const body = { version, title: 'Other', recipients: [{ ...ada, id: recipients[0].id }] };
  expect(refusal(await member.post(`/documents/${id}`, body))).toEqual([409, 'refused']);
  expect(refusal(await member.post(`/documents/${id}/fields`, { version, fields: [] }))).toEqual([409, 'refused']);
  expect(refusal(await member.post(`/documents/${id}/review`))).toEqual([409, 'refused']);
  const copy = (await member.post(`/documents/${id}/copy`)).body.id;
  expect((await view(copy)).schedule).toBeNull();
  const cancelled = await member.call('DELETE', `/documents/${id}/schedule`);
  expect(cancelled.body).toMatchObject({ status: 'draft', schedule: null });
  expect(refusal(await member.call('DELETE', `/documents/${id}/schedule`))).toEqual([409, 'refused']);
  expect((await member.post(`/documents/${id}`, { ...body, version: cancelled.body.version })).status).toBe(200);
  soon();
  expect(await run()).toBe(0);
  expect(await actions(id)).toEqual(['created', 'send_scheduled', 'schedule_cancelled', 'edited']);
  const timeline = (await member.get(`/documents/${id}/timeline`)).body.data;
  expect(timeline.map((entry: { send_at: string | null }) => entry.send_at)).toEqual([null, null, at(0), null]);
});

test('another time, and another sender, replace the first', async () => {
  const id = await scheduled();
  const changed = await schedule(id, at(2 * hour), admin);
  expect(changed.body.schedule).toMatchObject({ at: at(2 * hour) });
  expect(changed.body.schedule.by.name).not.toBe(ruth.email);
  soon();
  expect(await run()).toBe(0);
  soon();
  expect(await run()).toBe(1);
  expect(await actions(id)).toEqual(['created', 'send_scheduled', 'send_scheduled', 'sent', 'requested']);
});

test('sending it now, in the console or over the API, ends the schedule', async () => {
  const ids = [await scheduled(), await scheduled()] as const;
  await admin.post(`/documents/${ids[0]}/send`, { version: (await view(ids[0])).version });
  const { status } = await call(app, 'POST', `/documents/${ids[1]}/send`, { key: company.key });
  expect(status).toBe(200);
  soon();
  expect(await run()).toBe(0);
  for (const id of ids) {
    expect(await view(id)).toMatchObject({ status: 'sent', schedule: null });
    expect(await requests(id)).toBe(1);
  }
});

describe('at its time it is not sent, and the reason is kept and told', () => {
  test('when it was restricted, and a member scheduled it', async () => {
    const id = await scheduled();
    await admin.post('/restricted-papers', { document_id: id, kind: 'pay' });
    soon();
    expect(await run()).toBe(0);
    expect(await failureOf(id)).toEqual(['not_allowed', [ruth.id]]);
    expect(await view(id)).toMatchObject({ status: 'draft', schedule: { at: at(0), by: { name: ruth.email } } });
    expect((await actions(id)).at(-1)).toBe('schedule_failed');
    expect(await run()).toBe(0);
    expect((await schedule(id, at(hour), admin)).body.schedule.failure).toBeNull();
    soon();
    expect(await run()).toBe(1);
    expect(await view(id)).toMatchObject({ status: 'sent', schedule: null });
  });

  test('when the one who scheduled it is no longer a member: owners and admins are told', async () => {
    const id = await scheduled();
    const owner = await addMember(app, company.id, 'owner');
    await app.db.query({ name: '', text: 'delete from members where id = $1', values: [ruth.id] });
    soon();
    expect(await run()).toBe(0);
    const [failure, told] = await failureOf(id);
    expect(failure).toBe('not_a_member');
    expect(told).toContain(owner.id);
    expect(told).toHaveLength(2);
    const dismissed = await admin.call('DELETE', `/documents/${id}/schedule`);
    expect(dismissed.body.schedule).toBeNull();
  });

  test('when an admin who scheduled it in review became a member', async () => {
    const id = await draft();
    await member.post(`/documents/${id}/review`);
    const grace = await addMember(app, company.id, 'admin');
    expect((await schedule(id, at(hour), await signedIn(app, grace))).status).toBe(200);
    expect(refusal(await member.call('DELETE', `/documents/${id}/schedule`))).toEqual([403, 'forbidden']);
    await app.db.query({ name: '', text: `update members set role = 'member' where id = $1`, values: [grace.id] });
    soon();
    await run();
    expect(await failureOf(id)).toEqual(['not_allowed', [grace.id]]);
    expect((await view(id)).status).toBe('in_review');
  });

  test('when a rule of sending is broken by then', async () => {
    const id = await scheduled();
    await app.db.query({ name: '', text: 'update recipients set email = null where document_id = $1', values: [id] });
    soon();
    expect(await run()).toBe(0);
    expect(await failureOf(id)).toEqual(['recipient_contact_required', [ruth.id]]);
  });

  test('when the company was removed: nobody is told', async () => {
    const id = await scheduled();
    await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
    soon();
    expect(await run()).toBe(0);
    const [row] = await app.db.query<{ status: string; send_failure: string }>({
      name: '',
      text: 'select status, send_failure from documents where id = $1',
      values: [id],
    });
    expect(row).toEqual({ status: 'draft', send_failure: 'company_removed' });
  });

  test('when it fails for reasons of its own: it is tried for an hour, and does not stop the others', async () => {
    const broken = await scheduled();
    const other = (await createCompany(app)).id;
    await app.db.query({
      name: '',
      text: `alter table recipients drop constraint if exists recipients_account_id_document_id_fkey`,
      values: [],
    });
    const strayed = 'update recipients set account_id = $2 where document_id = $1';
    await app.db.query({ name: '', text: strayed, values: [broken, other] });
    soon();
    const after = await scheduled();
    soon();
    expect(await run()).toBe(1);
    expect((await view(after)).status).toBe('sent');
    expect((await view(broken)).schedule.failure).toBeNull();
    app.clock.advance({ seconds: 1 });
    expect(await run()).toBe(0);
    expect(await failureOf(broken)).toEqual(['failed', [ruth.id]]);
    await app.db.query({ name: '', text: strayed, values: [broken, company.id] });
  });

  test('when it was voided', async () => {
    const id = await scheduled();
    await member.post(`/documents/${id}/void`, { reason: 'Not needed' });
    soon();
    expect(await run()).toBe(0);
    expect(await view(id)).toMatchObject({ status: 'voided', schedule: null });
  });
});

test('a worker that was off sends late; a clock that goes back sends nothing twice', async () => {
  const id = await scheduled();
  app.clock.advance({ days: 40 });
  expect(await run()).toBe(1);
  app.clock.advance({ days: -40 });
  expect(await run()).toBe(0);
  soon();
  expect(await run()).toBe(0);
  expect(await requests(id)).toBe(1);
});

test('a document whose transaction fails at its last step stays due, and is sent once', async () => {
  const id = await scheduled();
  soon();
  const broken = { enqueue: () => Promise.reject(new Error('the queue is away')) };
  expect(await sendScheduled(app.world, app.db, broken)).toBe(0);
  expect(await view(id)).toMatchObject({ status: 'draft', schedule: { failure: null } });
  expect(await requests(id)).toBe(0);
  expect(await run()).toBe(1);
  expect(await requests(id)).toBe(1);
});

test('many due documents are sent in batches, by several workers at once, each once', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 12; i += 1) ids.push(await scheduled());
  soon();
  const queue = await app.queue();
  const limits = { batchMax: 3, msMax: 60_000 };
  const counts = await Promise.all([1, 2, 3].map(() => sendScheduled(app.world, app.db, queue, limits)));
  expect(counts.reduce((all, one) => all + one)).toBe(ids.length);
  for (const id of ids) expect(await requests(id)).toBe(1);
  const more = [await scheduled(), await scheduled()];
  soon();
  expect(await sendScheduled(app.world, app.db, queue, { batchMax: 3, msMax: 0 })).toBe(1);
  expect(await run()).toBe(more.length - 1);
});

test('of cancelling and sending at the same moment exactly one happens', async () => {
  for (const order of [0, 1]) {
    const id = await scheduled();
    soon();
    const both = [() => member.call('DELETE', `/documents/${id}/schedule`), run] as const;
    const hold = holdRow('documents', 'id', id);
    await (order === 0 ? interleave(app, hold, both[0], both[1]) : interleave(app, hold, both[1], both[0]));
    const { status } = await view(id);
    const wasCancelled = (await actions(id)).includes('schedule_cancelled');
    expect(status).toBe(wasCancelled ? 'draft' : 'sent');
    expect(await requests(id)).toBe(wasCancelled ? 0 : 1);
    expect(wasCancelled).toBe(order === 0);
  }
});

test('the list finds scheduled documents, and no company sees those of another', async () => {
  const id = await scheduled();
  await draft();
  const { data } = (await member.get('/documents?scheduled=yes')).body;
  expect(data).toMatchObject([{ id, send_at: at(hour) }]);
  const counts = (await member.get('/documents/counts?scheduled=yes')).body.statuses;
  expect(counts.draft).toEqual({ count: 1, is_more: false });
  expect(refusal(await member.get('/documents?scheduled=no'))).toEqual(invalid);
  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect((await stranger.get('/documents?scheduled=yes')).body.data).toEqual([]);
  const body = { version: 2, send_at: at(hour) };
  expect(refusal(await stranger.post(`/documents/${id}/schedule`, body))).toEqual([404, 'not_found']);
  expect(refusal(await stranger.call('DELETE', `/documents/${id}/schedule`))).toEqual([404, 'not_found']);
});

test('a worker sends it by itself, and mails the reason when it can’t', async () => {
  const worker = await startTestService({ env: { ROLE: 'worker' }, databaseUrl: app.databaseUrl, clock: app.clock });
  try {
    const good = await scheduled();
    const bad = await scheduled({ title: 'Secret\u202e\r\nBcc: x' });
    await app.db.query({ name: '', text: 'update recipients set email = null where document_id = $1', values: [bad] });
    soon();
    await eventually(
      () => view(good),
      ({ status }) => status === 'sent',
    );
    const [mail] = await eventually(
      () => listMailbox(`${worker.dataDir}/mailbox`, { to: ruth.email }),
      (found) => found.length > 0,
    );
    expect(mail?.subject).toBe('Not sent: Secret Bcc: x');
    expect(mail?.text).toContain('A recipient has no e-mail address or phone number.');
    expect(mail?.text).toContain(`/documents/${bad}`);
  } finally {
    await worker.stop();
  }
});

/** Runs the job that tells why a document was not sent, and returns the e-mails. */
async function noticesOf(id: string, changes: Partial<ScheduleJob> = {}) {
  const jobs = await app.db.query<{ data: ScheduleJob }>({
    name: '',
    text: `select data from jobs.job where name = 'tell-of-schedule' and data->>'documentId' = $1`,
    values: [id],
  });
  expect(jobs).toHaveLength(1);
  const dir = await mkdtemp(join(tmpdir(), 'notices-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const { data } of jobs) {
    const deps = {
      world: app.world,
      mail: createMailbox({ dir }).mail,
      origin: 'https://sign.example',
      isLastAttempt: false,
    };
    // Each time as another message: one that was sent isn't sent again.
    await sendScheduleNotice(app.db, deps, { ...data, messageId: app.world.newId(), ...changes });
  }
  return listMailbox(dir, {});
}

test('the e-mail names no state that the document may not have, and a removed company gets none', async () => {
  const id = await draft();
  await member.post(`/documents/${id}/review`);
  expect((await schedule(id, at(hour), admin)).status).toBe(200);
  await admin.post('/restricted-papers', { document_id: id, kind: 'pay' });
  await app.db.query({ name: '', text: 'update recipients set email = null where document_id = $1', values: [id] });
  soon();
  expect(await run()).toBe(0);
  const [english] = await noticesOf(id, { language: 'en' });
  expect(english?.text).toContain('It was not sent. Open it to send it or to schedule it again:');
  const [spanish] = await noticesOf(id, { language: 'es' });
  expect(spanish?.subject).toBe('No enviado: un documento restringido');
  expect(spanish?.text).toContain('No se ha enviado. Ábralo para enviarlo o programarlo de nuevo:');
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  expect(await noticesOf(id)).toEqual([]);
});
