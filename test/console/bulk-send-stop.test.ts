import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { sendBulkRows } from '../../src/bulk-send/send-rows.ts';
import { sendStopNotice } from '../../src/bulk-send/stop-notice.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import type { BulkStopJob } from '../../src/messages/job-queue.ts';
import type { MailMessage } from '../../src/platform/mail.ts';
import { csvOf } from '../support/bulk-send.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, signedIn, type Visitor } from './visitor.ts';

/** Whom a bulk send that stops is told to, and what its page says while it waits. A test decides which rows are sent. */
let app: TestService;
let company: Company;
let ruth: Member;
let member: Visitor;
let admin: Member;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'member');
  member = await signedIn(app, ruth);
  admin = await addMember(app, company.id, 'admin');
});

interface Started {
  template: string;
  id: string;
  path: string;
}

/** Starts a file of three rows, in the language of the console. */
async function start(language = 'en'): Promise<Started> {
  const created = await member.post('/templates', { title: 'Lease', recipients: [{ name: 'Tenant' }] });
  const template: string = created.body.id;
  const csv = new TextEncoder().encode(csvOf(3));
  const uploaded = await member.upload(`/templates/${template}/bulk-sends?name=Tenants.csv`, csv);
  const id: string = uploaded.body.bulk_send.id;
  const path = `/templates/${template}/bulk-sends/${id}`;
  const begun = await member.call('POST', `${path}/start`, { skip_faulty: false }, { 'accept-language': language });
  expect(begun.status, begun.text).toBe(200);
  return { template, id, path };
}

async function editTemplate({ template }: Started): Promise<void> {
  const { version } = (await member.get(`/documents/${template}`)).body;
  const body = { version, title: 'Another lease', recipients: [{ name: 'Tenant' }] };
  const edited = await member.post(`/documents/${template}`, body);
  expect(edited.status, edited.text).toBe(200);
}

const sendNext = async ({ id }: Started) => sendNextRow(app.world, app.db, await app.queue(), company.id, id);

async function jobsOf({ id }: Started): Promise<BulkStopJob[]> {
  const rows = await app.db.query<{ data: BulkStopJob }>({
    name: '',
    text: `select data from jobs.job where name = 'tell-of-bulk-send' and data ->> 'bulkSendId' = $1`,
    values: [id],
  });
  return rows.map(({ data }) => data);
}

/** Runs the jobs twice, as after a crash, and returns what was sent. */
async function mailsOf(started: Started): Promise<MailMessage[]> {
  const sent: MailMessage[] = [];
  const mail = {
    send: async (message: MailMessage) => {
      sent.push(message);
      return { kind: 'accepted', providerId: null } as const;
    },
    close: async () => {},
  };
  const deps = { world: app.world, mail, origin: 'https://sign.example', isLastAttempt: false };
  const jobs = await jobsOf(started);
  for (const job of [...jobs, ...jobs]) await sendStopNotice(app.db, deps, job);
  return sent;
}

describe('a bulk send that stops', () => {
  test('is told once to the member who started it, with the reason and the rows that were not sent', async () => {
    const started = await start();
    expect(await sendNext(started)).toBe('sent');
    await editTemplate(started);
    expect(await Promise.all([sendNext(started), sendNext(started)])).toEqual(['ended', 'ended']);
    const mails = await mailsOf(started);
    expect(mails.map(({ to }) => to.address)).toEqual([ruth.email]);
    expect(mails[0]?.subject).toBe('Bulk send stopped: Tenants.csv');
    expect(mails[0]?.text).toContain('Someone changed the template after the file was checked. 2 rows were not sent.');
    expect(mails[0]?.text).toContain(`https://sign.example/templates/${started.template}/bulk/${started.id}`);
    const logged = await app.db.query({
      name: '',
      text: 'select kind, status, document_id from direct_messages where account_id = $1',
      values: [company.id],
    });
    expect(logged).toEqual([{ kind: 'bulk_send_stopped', status: 'accepted', document_id: started.template }]);
  });

  test('is told in the language of the member, also when the template was deleted', async () => {
    const started = await start('es');
    const deleted = await (await signedIn(app, admin)).call('DELETE', `/templates/${started.template}`);
    expect(deleted.status, deleted.text).toBe(200);
    expect(await sendNext(started)).toBe('ended');
    const [mail] = await mailsOf(started);
    expect(mail?.subject).toBe('Envío a muchos detenido: Tenants.csv');
    expect(mail?.text).toContain('La plantilla se eliminó. No se enviaron 3 filas.');
  });

  test('names no file to a member who no longer sees the template', async () => {
    const started = await start();
    await app.db.transaction(async (tx) => {
      const template = await lockDocument(tx, company.id, started.template, 'all');
      if (template !== null) await restrictDocument(app.world, tx, template, 'operator', 'pay');
    });
    expect(await sendNext(started)).toBe('ended');
    const [mail] = await mailsOf(started);
    expect(mail?.subject).toBe('Bulk send stopped: a CSV file');
    expect(mail?.text).not.toContain(started.template);
    expect(mail?.text).toContain('An owner or admin can download the rows');
  });

  test('is told to owners and admins when the member has left, and to nobody of a removed company', async () => {
    const started = await start();
    await editTemplate(started);
    await app.db.query({ name: '', text: 'delete from members where id = $1', values: [ruth.id] });
    expect(await sendNext(started)).toBe('ended');
    expect((await jobsOf(started)).map(({ memberId }) => memberId)).toEqual([admin.id]);
    await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
    expect(await mailsOf(started)).toEqual([]);
  });

  test('is told by a worker', async () => {
    const started = await start();
    await editTemplate(started);
    const worker = await startTestService({ env: { ROLE: 'worker' }, databaseUrl: app.databaseUrl, clock: app.clock });
    try {
      await eventually(
        () =>
          app.db.query<{ status: string }>({
            name: '',
            text: 'select status from direct_messages where account_id = $1',
            values: [company.id],
          }),
        ([message]) => message?.status === 'accepted',
      );
    } finally {
      await worker.stop();
    }
  });
});

test('the page of a bulk send says what it waits for', async () => {
  const [first, second] = [await start(), await start()];
  const waitOf = async ({ path }: Started) => (await member.get(path)).body.waits_for;
  expect([await waitOf(first), await waitOf(second)]).toEqual([null, 'earlier_file']);
  const job = { accountId: company.id, bulkSendId: first.id };
  const limits = { rowsMax: 2, msMax: 60_000, unsentMax: 500 };
  await sendBulkRows(app.world, app.db, await app.queue(), job, limits);
  const [{ document_id: sent }] = (await member.get(`${first.path}/rows?status=sent`)).body.data;
  await app.db.query({
    name: '',
    text: `insert into messages (id, account_id, document_id, recipient_id, holder, kind, channel, step, status, created_at)
           select gen_random_uuid(), account_id, document_id, recipient_id, holder, 'reminder', channel, null, 'pending', created_at
           from messages, generate_series(1, 500) where document_id = $1`,
    values: [sent],
  });
  expect(await waitOf(first)).toBe('messages');
  await member.post(`${first.path}/cancel`);
  expect([await waitOf(first), await waitOf(second)]).toEqual([null, null]);
});
