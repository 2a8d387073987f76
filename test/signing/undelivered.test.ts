import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordDirectAttempt } from '../../src/messages/direct-message.ts';
import { failUndelivered } from '../../src/signing/fail-undelivered.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { type Inbox, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { auditOf, openLinkOf, signature } from './signer.ts';

/** Messages and notices that a mail server doesn't take for now, and whose jobs end without them. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let console: Visitor;

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({ env: { SMTP_URL: inbox.url, REMINDER_DAYS: 'none' } });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  company = await createCompany(app);
  console = await signedIn(app, await addMember(app, company.id, 'owner'));
});

const ada = { name: 'Ada Lovelace', email: 'ada@later.example' };
const grace = { name: 'Grace Hopper', email: 'grace@later.example' };
const alan = { name: 'Alan Turing', email: 'alan@example.com' };

async function sent(recipients: readonly object[]): Promise<string> {
  const id = await createDraft(app, company.key, { recipients });
  const { status, text } = await console.post(`/documents/${id}/send`);
  if (status !== 200) throw new Error(text);
  return id;
}

interface Delivery {
  id: string;
  what: string;
  last_error: string | null;
}

/** The messages and notices of a document by kind and status, such as `signature_request pending`. */
const deliveriesOf = (id: string) =>
  app.db.query<Delivery>({
    name: '',
    text: `select id, kind || ' ' || status as what, last_error from messages where document_id = $1
           union all select id, kind || ' ' || status, last_error from notices where document_id = $1 order by id`,
    values: [id],
  });

/** Waits for the first attempt of all that is pending, and keeps the queue from a second one. */
const tried = (id: string) =>
  eventually(
    async () => {
      const deliveries = await deliveriesOf(id);
      const pending = deliveries.filter(({ what }) => what.endsWith(' pending')).map((each) => each.id);
      const postponed = await app.db.query({
        name: '',
        text: `update jobs.job set start_after = now() + interval '1 day'
               where id = any ($1) and state = 'retry' returning id`,
        values: [pending],
      });
      return { deliveries, isTried: deliveries.length > 0 && postponed.length === pending.length };
    },
    ({ isTried }) => isTried,
  ).then(({ deliveries }) => deliveries);

/** Sets the state of a job, or deletes it, as the queue does a day after a job has failed. */
const endJob = (id: string, state: 'failed' | 'deleted') =>
  app.db.query({
    name: '',
    text:
      state === 'deleted'
        ? 'delete from jobs.job where id = $1 returning id'
        : "update jobs.job set state = 'failed', completed_on = now() where id = $1 returning id",
    values: [id],
  });

const deliveryFailures = async (id: string) =>
  (await auditOf(app, company, id)).filter(({ action }) => action === 'delivery_failed').map(({ detail }) => detail);

test('a message fails once its job is gone, and not while the job waits or can be retried', async () => {
  const lost = await sent([ada]);
  const waiting = await sent([ada]);
  await tried(waiting);
  const [request] = await tried(lost);
  const requestId = request?.id ?? '';
  expect(await endJob(requestId, 'failed')).toHaveLength(1);
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(0);

  expect(await endJob(requestId, 'deleted')).toHaveLength(1);
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  expect(await failUndelivered(app.world, app.db)).toBe(0);
  expect((await deliveriesOf(lost)).map(({ what }) => what)).toEqual(['signature_request failed']);
  expect(await deliveryFailures(lost)).toEqual([
    expect.objectContaining({ kind: 'signature_request', reason: expect.stringContaining('Greylisted') }),
  ]);
  expect((await deliveriesOf(waiting))[0]?.what).toBe('signature_request pending');
  expect(await deliveryFailures(waiting)).toEqual([]);
});

test('a message that was never tried says that its attempts were cut off', async () => {
  const id = await sent([ada]);
  const [request] = await tried(id);
  await endJob(request?.id ?? '', 'deleted');
  await app.db.query({ name: '', text: 'update messages set last_error = null where id = $1', values: [request?.id] });
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  const { data } = (await console.get(`/messages?document_id=${id}`)).body;
  expect(data[0].error.text).toBe('The attempts to deliver it were interrupted. Send it again.');
});

test('a notice whose job is gone fails too, without an entry in the audit trail', async () => {
  const id = await sent([alan, { ...grace, email: 'grace@example.com' }]);
  await tried(id);
  await app.db.query({
    name: '',
    text: `update recipients set email = 'grace@later.example' where document_id = $1 and display_name = $2`,
    values: [id, grace.name],
  });
  await console.post(`/documents/${id}/void`, { reason: 'Wrong price' });
  const pending = (await tried(id)).filter(({ what }) => what === 'recipient_voided pending');
  expect(pending).toHaveLength(1);
  await endJob(pending[0]?.id ?? '', 'deleted');
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  const notice = (await deliveriesOf(id)).find(({ what }) => what === 'recipient_voided failed');
  expect(notice?.last_error).toContain('Greylisted');
  expect(await deliveryFailures(id)).toEqual([]);
});

test('an e-mail to a member whose job is gone fails too, and not while the job waits', async () => {
  const id = await createDraft(app, company.key);
  const [lost, waiting] = [app.world.newId(), app.world.newId()];
  const message = { accountId: company.id, documentId: id, recipient: null, kind: 'review_submitted' } as const;
  const away = { kind: 'unavailable', reason: 'the mail server is away' } as const;
  for (const messageId of [lost, waiting]) {
    const sent = { ...message, id: messageId, channel: 'email', address: 'boss@example.com' } as const;
    await recordDirectAttempt(app.world, app.db, sent, away, false);
  }
  await app.db.query({
    name: '',
    text: `insert into jobs.job (id, name, data, start_after) values ($1, 'tell-of-review', '{}', now() + interval '1 day')`,
    values: [waiting],
  });
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  const { data } = (await console.get(`/messages?document_id=${id}`)).body;
  expect(data.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
    [waiting, 'waiting'],
    [lost, 'failed'],
  ]);
});

test('copies that still wait are not sent once the completed document is voided', async () => {
  const id = await sent([alan, { ...grace, role: 'cc' }]);
  await (await openLinkOf(app, company, id, alan.name)).post('sign', { ...signature, full_name: alan.name });
  await eventually(
    () => tried(id),
    (all) => all.some(({ what }) => what === 'completed_copy pending'),
  );
  await console.post(`/documents/${id}/void`, { reason: 'Wrong price' });
  const after = (await deliveriesOf(id)).map(({ what }) => what);
  expect(after).toContain('completed_copy cancelled');
  expect(after).not.toContain('completed_copy pending');
});
