import { afterAll, beforeAll, expect, test } from 'vitest';
import { doerWithoutPerson } from '../../src/audit-log/who-without-person.ts';
import { cancelBulkSend, startBulkSend } from '../../src/bulk-send/bulk-send.ts';
import { sendNextRow } from '../../src/bulk-send/send-row.ts';
import { readAudit } from '../../src/documents/audit.ts';
import { editDocument } from '../../src/documents/edit-document.ts';
import { listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { deleteTemplate } from '../../src/documents/templates.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import { bulkRows, bulkStatus, csvOf, startBulk } from '../support/bulk-send.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';

/** Rows of a bulk send are sent once each, with several senders, failures and cancelling at the same time. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

/** The jobs are not needed here: the messages are counted in their table. */
const queue: JobQueue = { enqueue: async () => {} };

const start = (csv: string, template: { [detail: string]: unknown } = {}) =>
  startBulk(app, company, queue, csv, template);

const sendNext = (id: string, by: JobQueue = queue) => sendNextRow(app.world, app.db, by, company.id, id);

async function sendAll(id: string): Promise<void> {
  while ((await sendNext(id)) !== 'ended');
}

const rowsOf = (id: string) => bulkRows(app, id);
const statusOf = (id: string) => bulkStatus(app, id);

test('three senders send each row once, and leave out those with faults', async () => {
  const { id, templateId } = await start(`${csvOf(8)}Nobody,\n`);
  await Promise.all([sendAll(id), sendAll(id), sendAll(id)]);
  const rows = await rowsOf(id);
  expect(rows.slice(0, 8)).toEqual(
    Array.from({ length: 8 }, (_, n) => ({
      number: n + 2,
      status: 'sent',
      faults: [],
      title: 'Lease',
      document_id: expect.any(String),
      document: 'sent',
      email: `ada-${n}@example.com`,
      messages: 1,
    })),
  );
  expect(rows[8]).toMatchObject({ number: 10, status: 'faulty', document_id: null });
  expect(new Set(rows.slice(0, 8).map(({ document_id }) => document_id)).size).toBe(8);
  expect(await statusOf(id)).toEqual({ status: 'done', stop_reason: null });
  const [created] = await readAudit(app.db, company.id, rows[3]?.document_id ?? '');
  expect(created?.detail).toEqual({ copy_of: templateId, recipients: 1, bulk_send: id, row: 5 });
});

test('the documents of rows have the expiry and the reminders of the template', async () => {
  const reminders = { reminder_days: [2, 5], expiry_reminder_days: 3 };
  const { id } = await start(csvOf(2), { content: { expires_in_days: 9 }, reminders });
  await sendAll(id);
  const documents = await app.db.query({
    name: '',
    text: `select expires_in_days, reminder_days, expiry_reminder_days, expires_at - expiry_reminder_at = '3 days' as is_due
           from documents where account_id = $1 and id = any ($2::uuid[])`,
    values: [company.id, (await rowsOf(id)).map(({ document_id }) => document_id)],
  });
  const expected = { expires_in_days: 9, ...reminders, is_due: true };
  expect(documents).toEqual([expected, expected]);
});

test('a row whose transaction fails at its last step is sent later, and once', async () => {
  const { id } = await start(csvOf(2));
  const broken: JobQueue = { enqueue: () => Promise.reject(new Error('the queue is away')) };
  await expect(sendNext(id, broken)).rejects.toThrow('the queue is away');
  expect((await rowsOf(id)).map(({ status }) => status)).toEqual(['ready', 'ready']);
  await sendAll(id);
  expect((await rowsOf(id)).map(({ status }) => status)).toEqual(['sent', 'sent']);
});

test('after cancelling, the other rows stay unsent', async () => {
  const { id } = await start(csvOf(5));
  expect(await sendNext(id)).toBe('sent');
  expect(await app.db.transaction((tx) => cancelBulkSend(app.world, tx, company.id, id))).toBe(true);
  expect(await sendNext(id)).toBe('ended');
  expect((await rowsOf(id)).map(({ status }) => status)).toEqual(['sent', 'ready', 'ready', 'ready', 'ready']);
  expect(await statusOf(id)).toEqual({ status: 'cancelled', stop_reason: null });
});

test('sending stops when the template is deleted', async () => {
  const { id, templateId } = await start(csvOf(2));
  expect(await sendNext(id)).toBe('sent');
  await app.db.transaction(async (tx) => {
    const template = await lockDocument(tx, company.id, templateId, 'all');
    if (template !== null) await deleteTemplate(app.world, tx, template, 'operator');
  });
  expect(await sendNext(id)).toBe('ended');
  expect(await statusOf(id)).toEqual({ status: 'stopped', stop_reason: 'template_deleted' });
});

test('sending stops when the template is edited, and what was sent stays', async () => {
  const { id, templateId } = await start(csvOf(3));
  expect(await sendNext(id)).toBe('sent');
  await app.db.transaction(async (tx) => {
    const template = await lockDocument(tx, company.id, templateId, 'all');
    const body = { title: 'Another lease', recipients: [{ name: 'Tenant' }] };
    if (template !== null) await editDocument(app.world, tx, template, 'operator', body);
  });
  expect(await sendNext(id)).toBe('ended');
  expect(await statusOf(id)).toEqual({ status: 'stopped', stop_reason: 'template_changed' });
  const rows = await rowsOf(id);
  expect(rows.map(({ status }) => status)).toEqual(['sent', 'ready', 'ready']);
  expect(rows[0]).toMatchObject({ document: 'sent', title: 'Lease' });
  const entries = await app.db.query({
    name: '',
    text: `select person_id, action, detail from account_audit_entries where account_id = $1 and detail ->> 'bulk_send' = $2`,
    values: [company.id, id],
  });
  const detail = { template: templateId, bulk_send: id, reason: 'template_changed', rows: 2 };
  expect(entries).toEqual([{ person_id: null, action: 'bulk_send_stopped', detail }]);
  expect(doerWithoutPerson('bulk_send_stopped', detail)).toBe('service');
});

test('a row that the rules of documents refuse fails with the code, and leaves no document', async () => {
  const approver = { recipients: [{ name: 'Tenant' }, { name: 'Boss', email: 'boss@example.com', role: 'approver' }] };
  const { id } = await start(csvOf(2), approver);
  expect([await sendNext(id), await sendNext(id), await sendNext(id)]).toEqual(['failed', 'failed', 'ended']);
  const rows = await rowsOf(id);
  expect(rows.map(({ status, document_id }) => [status, document_id])).toEqual([
    ['failed', null],
    ['failed', null],
  ]);
  const fault = { column: null, target: null, code: 'approver_requires_sequential' };
  expect(rows.map(({ faults }) => faults)).toEqual([[fault], [fault]]);
  expect(await statusOf(id)).toEqual({ status: 'done', stop_reason: null });
  const text = `select from audit_entries where detail like '%' || $1 || '%'`;
  expect(await app.db.query({ name: '', text, values: [id] })).toEqual([]);
});

test('a bulk send starts once, and enqueues its job', async () => {
  const jobs: unknown[] = [];
  const keeping: JobQueue = { enqueue: async (_tx, more) => void jobs.push(...more) };
  const { id } = await startBulk(app, company, keeping, csvOf(1));
  const again = app.db.transaction((tx) =>
    startBulkSend(app.world, tx, keeping, { accountId: company.id, id, actor: 'operator', language: 'en' }),
  );
  expect(await again).toBe(false);
  expect(jobs).toEqual([{ name: 'send-bulk-rows', accountId: company.id, bulkSendId: id }]);
});

test('the erasure of a company and of a recipient covers the rows', async () => {
  const { id } = await start(csvOf(2));
  await sendAll(id);
  const cells = () =>
    app.db.query<{ cells: string[] | null }>({
      name: '',
      text: 'select cells from bulk_send_rows where bulk_send_id = $1 order by number',
      values: [id],
    });
  const [first] = await rowsOf(id);
  const documentId = first?.document_id ?? '';
  const [recipient] = await listRecipients(app.db, company.id, documentId);
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, documentId, 'all');
    if (document === null || recipient === undefined) throw new Error('the row has no document');
    // The row still names the person whose place another one took.
    const nora = { name: 'Nora Next', email: 'nora@example.com' };
    await reassignRecipient(app.world, tx, queue, document, recipient.id, nora, 'operator');
    await voidDocument(app.world, tx, queue, document, 'operator', 'Erased');
  });
  const found = (await findRecipients(app.db, { channel: 'email', address: 'ada-0@example.com' }, company.id)).filter(
    ({ document_id }) => document_id === documentId,
  );
  expect(await eraseRecipients(app.world, app.db, found, 'keep')).toMatchObject({ recipients: 1 });
  expect((await cells()).map((row) => row.cells)).toEqual([null, ['Ada 1', 'ada-1@example.com']]);

  await app.db.query({ name: '', text: 'update accounts set removed_at = now() where id = $1', values: [company.id] });
  await requestErasure(app.world, app.db, company.id);
  const stopping = new AbortController().signal;
  await eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping });
  expect(await cells()).toEqual([]);
  expect(await statusOf(id)).toBeUndefined();
});
