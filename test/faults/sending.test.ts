import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Company, call, createCompany, createDraft } from '../support/service.ts';
import { expectFailure } from './expect-failure.ts';
import { type FaultyService, failWrites, onceFree, startFaultyService, written } from './faulty-service.ts';

let app: FaultyService;
let company: Company;

beforeAll(async () => {
  app = await startFaultyService();
  company = await createCompany(app);
});
afterEach(() => app.proxy.restore());
afterAll(() => app.stop());

const send = (id: string, idempotencyKey?: string) =>
  call(app, 'POST', `/documents/${id}/send`, {
    key: company.key,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });

/** Expects that it was sent once: one event, one pending message, one job. */
async function expectSentOnce(id: string): Promise<void> {
  const [row] = await app.db.query({
    name: '',
    text: `select (select status from documents where id = $1) as status,
             (select count(*)::int from events where document_id = $1 and type = 'document.sent') as events,
             (select count(*)::int from messages where document_id = $1) as messages,
             (select count(*)::int from audit_entries where document_id = $1 and action = 'sent') as audits,
             (select count(*)::int from jobs.job join messages m on m.id::text = data->>'messageId'
              where m.document_id = $1) as jobs`,
    values: [id],
  });
  expect(row).toEqual({ status: 'sent', events: 1, messages: 1, audits: 1, jobs: 1 });
}

describe('document_send_failed', () => {
  test.each([
    ['documents', 'at once'],
    ['recipients', 'at once'],
    ['messages', 'at once'],
    ['events', 'at once'],
    ['audit_entries', 'at once'],
    ['jobs.job_common', 'at once'],
    ['documents', 'at commit'],
    ['events', 'at commit'],
  ] as const)('writing %s fails %s: nothing is written, with and without a key', async (table, when) => {
    const id = await createDraft(app, company.key);
    const before = await written(app);
    const mend = await failWrites(app, table, when);
    expectFailure(await send(id), 'document_send_failed', company.key, 'the disk under');
    expectFailure(await send(id, id), 'document_send_failed', company.key, 'the disk under');
    expect(await written(app)).toEqual(before);
    await mend();
    expect((await onceFree(() => send(id, id))).status).toBe(200);
    await expectSentOnce(id);
  });

  test.each([
    'lock_document_visible',
    'list_recipients',
    'send_document',
    'mark_recipients_sent',
    'enqueue_messages',
    'commit',
  ])('the connection is lost before %s: nothing is written', async (statement) => {
    const id = await createDraft(app, company.key);
    const before = await written(app);
    app.proxy.cutBefore(statement);
    expectFailure(await send(id, id), 'document_send_failed');
    expect(await written(app)).toEqual(before);
    expect((await onceFree(() => send(id, id))).status).toBe(200);
    await expectSentOnce(id);
  });

  test('the answer to the commit is lost: the same key replays the send that happened', async () => {
    const id = await createDraft(app, company.key);
    app.proxy.cutAfter('commit');
    expectFailure(await send(id, id), 'document_send_failed');
    await expectSentOnce(id);
    const replayed = await send(id, id);
    expect(replayed.status).toBe(200);
    expect(replayed.body).toMatchObject({ id, status: 'sent' });
    await expectSentOnce(id);
  });

  test('without a key it says so, and the second send finds the document sent', async () => {
    const id = await createDraft(app, company.key);
    app.proxy.cutAfter('commit');
    expectFailure(await send(id), 'document_send_failed');
    expect((await send(id)).body.error.code).toBe('document_not_sendable');
    await expectSentOnce(id);
  });
});
