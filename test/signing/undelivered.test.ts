import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
      await app.db.query({
        name: '',
        text: `update jobs.job set start_after = now() + interval '1 day' where id = any ($1) and state = 'retry'`,
        values: [deliveries.map((each) => each.id)],
      });
      return deliveries;
    },
    (all) =>
      all.length > 0 && all.every(({ what, last_error: reason }) => !what.endsWith(' pending') || reason !== null),
  );

/** What the queue does with the jobs of a worker that was killed in the last attempt. */
const endJobs = (ids: readonly string[]) =>
  app.db.query({
    name: '',
    text: "update jobs.job set state = 'failed', completed_on = now() where id = any ($1) and state = 'retry' returning id",
    values: [ids],
  });

const deliveryFailures = async (id: string) =>
  (await auditOf(app, company, id)).filter(({ action }) => action === 'delivery_failed').map(({ detail }) => detail);

test('a message whose last attempt was cut off fails, and others are still tried', async () => {
  const lost = await sent([ada]);
  const waiting = await sent([ada]);
  await tried(waiting);
  const [request] = await tried(lost);
  expect(await endJobs([request?.id ?? ''])).toHaveLength(1);

  expect(await failUndelivered(app.world, app.db)).toBe(0);
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  expect(await failUndelivered(app.world, app.db)).toBe(0);
  expect((await deliveriesOf(lost)).map(({ what }) => what)).toEqual(['signature_request failed']);
  expect(await deliveryFailures(lost)).toEqual([
    expect.objectContaining({ kind: 'signature_request', reason: expect.stringContaining('Greylisted') }),
  ]);
  expect((await deliveriesOf(waiting))[0]?.what).toBe('signature_request pending');
  expect(await deliveryFailures(waiting)).toEqual([]);
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
  await app.db.query({ name: '', text: 'delete from jobs.job where id = $1', values: [pending[0]?.id] });
  app.clock.advance({ minutes: 16 });
  expect(await failUndelivered(app.world, app.db)).toBe(1);
  expect((await deliveriesOf(id)).map(({ what }) => what)).toContain('recipient_voided failed');
  expect(await deliveryFailures(id)).toEqual([]);
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
