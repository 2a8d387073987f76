import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { setSendingDefaults } from '../../src/accounts/sending-defaults.ts';
import { remindBeforeExpiry } from '../../src/documents/remind-before-expiry.ts';
import { newReminderPlaces, remindRecipients } from '../../src/documents/remind-recipients.ts';
import { type RunningQueue, startQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { impatient, whileLocked } from '../support/while-locked.ts';
import { auditOf, openLinkOf, signature } from './signer.ts';

/** Reminders of documents with a schedule of their own, with a clock that the tests move. */
let app: TestService;
let company: Company;
let queue: RunningQueue;
let ruth: Member;

beforeAll(async () => {
  app = await startTestService({ env: { REMINDER_DAYS: 'none' } });
  company = await createCompany(app);
  queue = await startQueue(app.databaseUrl, createLog('silent'), false);
  ruth = await addMember(app, company.id, 'member');
});
afterAll(async () => {
  await queue.stop();
  await app.stop();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const service = [3, 7];

async function sweep(): Promise<void> {
  await remindRecipients(app.world, app.db, queue, service);
  await remindBeforeExpiry(app.world, app.db, queue, service);
}

interface Row {
  name: string;
  step: number | null;
  status: string;
}

const rows = (id: string) =>
  app.db.query<Row>({
    name: '',
    text: `select r.display_name as name, m.step, m.status from messages m join recipients r on r.id = m.recipient_id
           where m.document_id = $1 order by m.id`,
    values: [id],
  });
const steps = async (id: string) => (await rows(id)).map(({ name, step }) => [name, step]);
const settled = (id: string) =>
  eventually(
    () => rows(id),
    (messages) => messages.length > 0 && messages.every(({ status }) => status !== 'pending'),
  );
/** Runs the scheduled jobs and returns how many messages of the document they added. */
async function swept(id: string): Promise<number> {
  const before = (await rows(id)).length;
  await sweep();
  return (await settled(id)).length - before;
}
function days(id: string, n: number): Promise<number> {
  app.clock.advance({ days: n });
  return swept(id);
}

/** Sessions end while the clock is moved, so each step signs in again. */
const visit = (): Promise<Visitor> => signedIn(app, ruth);

async function sent(more: object): Promise<string> {
  const visitor = await visit();
  const { body } = await visitor.post('/documents', { title: 'Lease', recipients: [ada], ...more });
  const answer = await visitor.post(`/documents/${body.id}/send`);
  if (answer.status !== 200) throw new Error(answer.text);
  await settled(body.id);
  return body.id;
}
const next = async (id: string) => (await (await visit()).get(`/documents/${id}`)).body.next_reminder_at;
const inDays = (n: number) => new Date(app.clock.now().getTime() + n * 86_400_000).toISOString();

const schedule = { first_after_days: 2, every_days: 5, at_most: 3 };

test('the document’s own schedule is followed to its end, and the page shows the next step', async () => {
  const id = await sent({ reminders: { schedule } });
  expect(await next(id)).toBe(inDays(2));
  app.clock.advance({ days: 2, seconds: -1 });
  expect(await swept(id)).toBe(0);
  app.clock.advance({ seconds: 1 });
  expect(await swept(id)).toBe(1);
  expect(await swept(id)).toBe(0);
  await settled(id);
  expect(await next(id)).toBe(inDays(5));
  expect(await days(id, 5)).toBe(1);
  expect(await days(id, 5)).toBe(1);
  expect(await next(id)).toBeNull();
  expect(await days(id, 400)).toBe(0);
  expect(await steps(id)).toEqual([0, 1, 2, 3].map((step) => [ada.name, step]));
});

test('with a schedule of its own or with none, the service’s schedule does not apply', async () => {
  const none = await sent({ reminders: { schedule: { ...schedule, at_most: 0 } } });
  const standard = await sent({});
  expect(await next(none)).toBeNull();
  await days(none, 3);
  await settled(standard);
  expect(await steps(standard)).toEqual([
    [ada.name, 0],
    [ada.name, 1],
  ]);
  await days(standard, 100);
  expect(await steps(none)).toEqual([[ada.name, 0]]);
});

test('a service that was off for months sends one reminder, and goes on from there', async () => {
  const id = await sent({ reminders: { schedule } });
  expect(await days(id, 100)).toBe(1);
  expect(await days(id, 4)).toBe(0);
  expect(await days(id, 1)).toBe(1);
});

/** Makes the database refuse new messages of these documents meanwhile. */
async function refusingMessagesOf(ids: string[], work: () => Promise<void>): Promise<void> {
  const run = (text: string) => app.db.query({ name: '', text, values: [] });
  await run(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await run(`create trigger refuse before insert on messages for each row
             when (new.document_id in (${ids.map((id) => `'${id}'`).join(', ')})) execute function refuse()`);
  try {
    await work();
  } finally {
    await run('drop trigger refuse on messages');
    await run('drop function refuse()');
  }
}

test('a document that fails does not stop the reminders of the others', async () => {
  const db = impatient(app.databaseUrl);
  onTestFinished(() => db.close());
  const [held, other] = [await sent({ reminders: { schedule } }), await sent({ reminders: { schedule } })];
  app.clock.advance({ days: 2 });
  await whileLocked(app.databaseUrl, held, async () => {
    await expect(remindRecipients(app.world, db, queue, service)).rejects.toThrow('timeout');
    expect([(await steps(held)).length, (await steps(other)).length]).toEqual([1, 2]);
  });
  expect(await swept(held)).toBe(1);
});

/** Runs of a sweep that reads two at once and ends after a number of failures. */
function remindingRecipients(failuresMax: number) {
  const places = newReminderPlaces();
  return () => remindRecipients(app.world, app.db, queue, service, undefined, places, { portion: 2, failuresMax });
}

function remindingBeforeExpiry(failuresMax: number) {
  const place = { after: null };
  return () => remindBeforeExpiry(app.world, app.db, queue, service, undefined, place, { portion: 2, failuresMax });
}

/** So that a run finds the documents of its test only. */
async function dropDueReminders(): Promise<void> {
  await app.db.query({ name: '', text: 'update messages set followed = true', values: [] });
  await app.db.query({ name: '', text: 'update documents set expiry_reminder_at = null', values: [] });
}

const beforeExpiry = { schedule: { ...schedule, at_most: 0 }, expiry_reminder_days: 8 };
test.each([
  ['scheduled reminders', remindingRecipients, { schedule }, 1, { failuresMax: 10, runs: 1 }],
  ['scheduled reminders', remindingRecipients, { schedule }, 1, { failuresMax: 2, runs: 2 }],
  ['reminders before the expiry', remindingBeforeExpiry, beforeExpiry, 1000, { failuresMax: 10, runs: 1 }],
  ['reminders before the expiry', remindingBeforeExpiry, beforeExpiry, 1000, { failuresMax: 2, runs: 2 }],
])(
  'documents that fail again and again do not stop the %s that are due after them',
  async (_kind, reminding, reminders, step, { failuresMax, runs }) => {
    await dropDueReminders();
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      ids.push(await sent({ content: { expires_in_days: 10 }, reminders }));
      app.clock.advance({ minutes: 1 });
    }
    const last = ids.pop() ?? '';
    app.clock.advance({ days: 2 });
    const remind = reminding(failuresMax);
    await refusingMessagesOf(ids, async () => {
      for (let run = 1; run < runs; run += 1) {
        await expect(remind()).rejects.toThrow('database');
        expect(await steps(last)).toHaveLength(1);
      }
      await expect(remind()).rejects.toThrow('database');
    });
    expect((await steps(last)).at(-1)).toEqual([ada.name, step]);
    for (const id of ids) expect(await steps(id)).toHaveLength(1);
  },
);

test('two workers send each reminder once', async () => {
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push(await sent({ recipients: [ada, grace], reminders: { schedule } }));
  app.clock.advance({ days: 2 });
  await Promise.all([sweep(), sweep(), sweep()]);
  for (const id of ids) expect((await steps(id)).filter(([, step]) => step === 1)).toHaveLength(2);
});

test('the next in a sequence is reminded from when they are asked', async () => {
  const recipients = [ada, { ...grace, sign_order: 2 }];
  const id = await sent({ recipients, content: { sign_order_mode: 'sequential' }, reminders: { schedule } });
  app.clock.advance({ days: 1 });
  await (await openLinkOf(app, company, id, ada.name)).post('sign', signature);
  await settled(id);
  expect(await days(id, 1)).toBe(0);
  expect(await next(id)).toBe(inDays(1));
  expect(await days(id, 1)).toBe(1);
  expect((await steps(id)).at(-1)).toEqual([grace.name, 1]);
});

describe('a reminder before the expiry', () => {
  const expiring = (expires: number, remind: number, more: object = { schedule: { ...schedule, at_most: 0 } }) => ({
    content: { expires_in_days: expires },
    reminders: { ...more, expiry_reminder_days: remind },
  });

  test('is sent once to those who have not signed, and stands in the trail', async () => {
    const id = await sent({ recipients: [ada, grace], ...expiring(10, 3) });
    expect(await next(id)).toBe(inDays(7));
    await (await openLinkOf(app, company, id, grace.name)).post('sign', signature);
    app.clock.advance({ days: 7, seconds: -1 });
    expect(await swept(id)).toBe(0);
    app.clock.advance({ seconds: 1 });
    await Promise.all([sweep(), sweep()]);
    await settled(id);
    expect(await steps(id)).toEqual([
      [ada.name, 0],
      [grace.name, 0],
      [ada.name, 1000],
    ]);
    const detail = { name: ada.name, channel: 'email', number: null, before_expiry: true };
    // The attestation of the signature may come before it or after it.
    const reminded = (await auditOf(app, company, id)).filter(({ action }) => action === 'reminded');
    expect(reminded).toMatchObject([{ actor: 'service', detail }]);
    expect(await next(id)).toBeNull();
    expect(await days(id, 2)).toBe(0);
  });

  test('is sent if the message on the day before did not arrive, and not if one did', async () => {
    const [failed, arrived] = [await sent(expiring(10, 3)), await sent(expiring(10, 3))];
    app.clock.advance({ days: 6, hours: 12 });
    for (const id of [failed, arrived]) {
      await (await visit()).post(`/documents/${id}/remind`);
      await settled(id);
    }
    await app.db.query({
      name: '',
      text: `update messages set status = 'failed' where document_id = $1 and kind = 'reminder'`,
      values: [failed],
    });
    app.clock.advance({ hours: 12 });
    await sweep();
    expect((await steps(failed)).at(-1)).toEqual([ada.name, 1000]);
    expect((await steps(arrived)).at(-1)).toEqual([ada.name, null]);
  });

  test('goes with the service’s schedule, and not on the day of another reminder', async () => {
    const together = await sent(expiring(10, 7, {}));
    const apart = await sent(expiring(10, 5, {}));
    await days(together, 3);
    await settled(apart);
    for (const id of [together, apart]) expect(await steps(id)).toHaveLength(2);
    expect(await next(apart)).toBe(inDays(2));
    await days(apart, 2);
    expect((await steps(apart)).at(-1)).toEqual([ada.name, 1000]);
    expect(await steps(together)).toHaveLength(2);
  });

  test('is not sent after the end, for a document without expiry, or for a removed company', async () => {
    const voided = await sent(expiring(9, 1));
    await (await visit()).post(`/documents/${voided}/void`, { reason: 'Not needed' });
    const defaults = (days: number | null) =>
      app.db.transaction((tx) => {
        const values = { expires_in_days: null, reminder_days: days === null ? null : [], expiry_reminder_days: days };
        return setSendingDefaults(app.world, tx, company.id, values, null);
      });
    await defaults(1);
    const never = await sent({});
    await defaults(null);
    expect(await next(never)).toBeNull();
    const late = await sent(expiring(4, 1));
    app.clock.advance({ days: 30 });
    await sweep();
    for (const id of [voided, never, late]) expect(await steps(id)).toEqual([[ada.name, 0]]);
    const id = await sent(expiring(4, 2));
    await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
    app.clock.advance({ days: 3 });
    expect(await swept(id)).toBe(0);
    expect(await steps(id)).toEqual([[ada.name, 0]]);
  });
});
