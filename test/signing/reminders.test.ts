import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { readConfig } from '../../src/config.ts';
import type { Document } from '../../src/documents/document.ts';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import { listRecipients, lockDocument } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import type { Recipient } from '../../src/documents/recipient.ts';
import { remindDocument } from '../../src/documents/remind-document.ts';
import { remindRecipients } from '../../src/documents/remind-recipients.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { type RunningQueue, startQueue } from '../../src/jobs/job-queue.ts';
import type { Job } from '../../src/messages/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { freshDatabase } from '../support/postgres.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  TestClock,
  type TestService,
} from '../support/service.ts';
import { auditOf, openLinkOf, signature } from './signer.ts';

/** Reminders with a clock that the tests move. The service's own job is off; each test runs it when needed. */
let app: TestService;
let company: Company;
let queue: RunningQueue;

const schedule = [3, 7, 7, 7, 7];
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };

beforeAll(async () => {
  app = await startTestService({ env: { REMINDER_DAYS: 'none' } });
  company = await createCompany(app);
  queue = await startQueue(app.databaseUrl, createLog('silent'), false);
});
afterAll(async () => {
  await queue.stop();
  await app.stop();
});

const sweep = (waitDays = schedule) => remindRecipients(app.world, app.db, queue, waitDays);

interface Owed {
  name: string;
  kind: string;
  step: number | null;
  status: string;
  at: string;
}

async function owed({ db }: Pick<TestService, 'db'>, id: string): Promise<Owed[]> {
  return db.query<Owed>({
    name: '',
    text: `select r.display_name as name, m.kind, m.step, m.status, m.created_at as at
           from messages m join recipients r on r.id = m.recipient_id where m.document_id = $1 order by m.id`,
    values: [id],
  });
}

async function reminders(id: string, on: Pick<TestService, 'db'> = app): Promise<Array<[string, number | null]>> {
  return (await owed(on, id)).filter(({ kind }) => kind === 'reminder').map(({ name, step }) => [name, step]);
}

/** Waits until no message is pending, so the next wait has begun. */
async function settled(id: string, on: Pick<TestService, 'db'> = app): Promise<Owed[]> {
  return eventually(
    () => owed(on, id),
    (messages) => messages.length > 0 && messages.every(({ status }) => status !== 'pending'),
  );
}

/** Sends a document and waits until its requests have been delivered. */
async function asked(changes: object = {}, key = company.key): Promise<string> {
  const id = await createSent(app, key, { recipients: [ada], ...changes });
  await settled(id);
  return id;
}

const sequential = { recipients: [ada, { ...grace, sign_order: 2 }], content: { sign_order_mode: 'sequential' } };

async function signs(id: string, name: string): Promise<void> {
  const { status, text } = await (await openLinkOf(app, company, id, name)).post('sign', signature);
  if (status !== 200) throw new Error(text);
}

async function declines(id: string): Promise<void> {
  const { status, text } = await (await openLinkOf(app, company, id, ada.name)).post('decline', { reason: 'No.' });
  if (status !== 200) throw new Error(text);
}

async function isVoided(id: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, id, 'all');
    if (document !== null) await voidDocument(app.world, tx, await app.queue(), document, 'operator', 'Not needed');
  });
}

const mailTo = (to: string) => listMailbox(join(app.dataDir, 'mailbox'), { to });

describe('the schedule', () => {
  test('is 3 days, then weekly, five reminders in all, and not a second earlier', async () => {
    const id = await asked();
    for (const [index, days] of schedule.entries()) {
      app.clock.advance({ days, seconds: -1 });
      await sweep();
      expect(await reminders(id)).toHaveLength(index);
      app.clock.advance({ seconds: 1 });
      await sweep();
      await sweep();
      expect(await reminders(id)).toHaveLength(index + 1);
      await settled(id);
    }
    app.clock.advance({ days: 365 });
    await sweep();
    const [request, ...all] = await settled(id);
    const dayOf = ({ at }: Owed) => (Date.parse(at) - Date.parse(request?.at ?? '')) / 86_400_000;
    expect(all.map((reminder) => [dayOf(reminder), reminder.step, reminder.status])).toEqual([
      [3, 1, 'accepted'],
      [10, 2, 'accepted'],
      [17, 3, 'accepted'],
      [24, 4, 'accepted'],
      [31, 5, 'accepted'],
    ]);
  });

  test('is the setting, also for what was sent before it changed', async () => {
    const id = await asked();
    app.clock.advance({ days: 40 });
    await sweep([]);
    await sweep([41]);
    expect(await reminders(id)).toEqual([]);
    await sweep([1]);
    await settled(id);
    app.clock.advance({ days: 40 });
    await sweep([1]);
    expect(await reminders(id)).toEqual([[ada.name, 1]]);
    await sweep([1, 2]);
    expect(await reminders(id)).toHaveLength(2);
  });

  test('ends when the company is removed', async () => {
    const other = await createCompany(app);
    const id = await asked({}, other.key);
    await app.db.transaction((tx) => removeAccount(app.world, tx, other.id));
    app.clock.advance({ days: 3 });
    await sweep();
    expect(await reminders(id)).toEqual([]);
  });

  test('goes on when somebody has only looked, and tells the audit trail of each', async () => {
    const id = await asked();
    const signer = await openLinkOf(app, company, id, ada.name);
    expect((await signer.post('viewed')).status).toBe(200);
    app.clock.advance({ days: 3 });
    await sweep();
    const entry = (await auditOf(app, company, id)).at(-1);
    expect(entry).toMatchObject({
      at: app.clock.now().toISOString(),
      actor: 'service',
      action: 'reminded',
      detail: { recipient_id: signer.recipientId, name: ada.name, channel: 'email', number: 1 },
    });
    const events = await app.db.query<{ type: string }>({
      name: '',
      text: 'select type from events where document_id = $1 order by id',
      values: [id],
    });
    expect(events.map(({ type }) => type)).toEqual(['document.sent', 'document.viewed']);
  });

  test('begins for the next in a sequence when that one is asked', async () => {
    const id = await asked(sequential);
    app.clock.advance({ days: 2 });
    await signs(id, ada.name);
    await settled(id);
    app.clock.advance({ days: 3, seconds: -1 });
    await sweep();
    expect(await reminders(id)).toEqual([]);
    app.clock.advance({ seconds: 1 });
    await sweep();
    expect(await reminders(id)).toEqual([[grace.name, 1]]);
  });

  test('is only for those who are written to and have to sign', async () => {
    const sam = { name: 'Sam', phone: '+15550104711', channel: 'sms' };
    const guest = { name: 'Guest', channel: 'in_person' };
    const copy = { name: 'Copy', email: 'copy@example.com', role: 'cc' };
    const recipients = [ada, sam, guest, copy, grace];
    const id = await asked({ recipients });
    await signs(id, grace.name);
    app.clock.advance({ days: 3 });
    await sweep();
    expect((await reminders(id)).sort()).toEqual([
      [ada.name, 1],
      ['Sam', 1],
    ]);
  });

  test('is not for what was sent with a test key', async () => {
    const id = await createSent(app, company.testKey);
    app.clock.advance({ days: 40 });
    await sweep();
    expect(await owed(app, id)).toEqual([]);
  });

  test('ends at the date of expiry, marked or not', async () => {
    const [early, late] = [
      await asked({ content: { expires_in_days: 3 } }),
      await asked({ content: { expires_in_days: 4 } }),
    ];
    app.clock.advance({ days: 3 });
    await sweep();
    expect(await reminders(early)).toEqual([]);
    expect(await reminders(late)).toHaveLength(1);
  });
});

describe('several workers', () => {
  test('that sweep at once send each reminder once', async () => {
    const other = await startQueue(app.databaseUrl, createLog('silent'), false);
    const ids = await Promise.all(Array.from({ length: 12 }, () => asked({ recipients: [ada, grace] })));
    app.clock.advance({ days: 3 });
    await Promise.all([queue, other].map((of) => remindRecipients(app.world, app.db, of, schedule)));
    for (const id of ids) {
      expect((await reminders(id)).sort()).toEqual([
        [ada.name, 1],
        [grace.name, 1],
      ]);
    }
    await other.stop();
  });

  test('that were off for three weeks send one reminder, and go on a week later', async () => {
    const database = await freshDatabase();
    const clock = new TestClock();
    const before = await startTestService({ databaseUrl: database.url, clock });
    const id = await createSent(before, (await createCompany(before)).key);
    await settled(id, before);
    await before.stop();

    clock.advance({ days: 21 });
    const workers = await Promise.all([1, 2].map(() => startTestService({ databaseUrl: database.url, clock })));
    const [one] = workers as [TestService, TestService];
    await eventually(
      () => owed(one, id),
      (messages) => messages.length === 2 && messages.every(({ status }) => status === 'accepted'),
    );
    clock.advance({ days: 7, seconds: -1 });
    await remindRecipients(one.world, one.db, queue, schedule);
    expect(await reminders(id, one)).toEqual([['Ada Lovelace', 1]]);

    await eventually(
      async () => (await fetch(`${new URL(one.baseUrl).origin}/metrics`)).text(),
      (metrics) => metrics.includes('countersign_sweeps_total{sweep="remind recipients",outcome="done"}'),
    );
    await Promise.all(workers.map((worker) => worker.stop()));
    await database.drop();
  });

  test('that come back after weeks send a request that was still owed, and no reminder with it', async () => {
    const database = await freshDatabase();
    const clock = new TestClock();
    const web = await startTestService({ databaseUrl: database.url, clock, env: { ROLE: 'web' } });
    const id = await createSent(web, (await createCompany(web)).key);
    clock.advance({ days: 5 });
    const worker = await startTestService({ databaseUrl: database.url, clock });
    expect(await settled(id, worker)).toHaveLength(1);
    await remindRecipients(worker.world, worker.db, queue, schedule);
    expect(await reminders(id, worker)).toEqual([]);
    await Promise.all([worker.stop(), web.stop()]);
    await database.drop();
  });
});

describe('a reminder that is queued', () => {
  /** Jobs wait in the queue until the test releases them. */
  async function queued(id: string) {
    const held: Job[] = [];
    await remindRecipients(app.world, app.db, { enqueue: async (_tx, jobs) => void held.push(...jobs) }, schedule);
    expect(await reminders(id)).toHaveLength(1);
    return () => app.db.transaction((tx) => queue.enqueue(tx, held));
  }

  test.each([
    ['signs, which completes it', (id: string) => signs(id, ada.name), 1],
    ['declines', declines, 0],
    ['finds it voided', isVoided, 0],
    ['lets it expire', async () => app.clock.advance({ days: 1 }), 0],
    [
      'lets it expire, and that is marked',
      async () => {
        app.clock.advance({ days: 1 });
        await expireDocuments(app.world, app.db, await app.queue());
      },
      0,
    ],
  ])('is not sent when the recipient %s', async (_what, ends, copies) => {
    const to = `ada-${app.world.newId()}@example.com`;
    const id = await asked({ recipients: [{ ...ada, email: to }], content: { expires_in_days: 4 } });
    app.clock.advance({ days: 3 });
    const letGo = await queued(id);
    await ends(id);
    await letGo();
    const messages = await eventually(
      () => owed(app, id),
      (all) => all.length === 2 + copies && all.every(({ status }) => status !== 'pending'),
    );
    expect(messages.filter(({ kind }) => kind === 'reminder').map(({ status }) => status)).toEqual(['cancelled']);
    expect((await mailTo(to)).filter(({ subject }) => subject?.startsWith('Reminder'))).toEqual([]);

    app.clock.advance({ days: 30 });
    await sweep();
    expect(await reminders(id)).toHaveLength(1);
  });

  test('is sent once the worker comes to it', async () => {
    const id = await asked();
    app.clock.advance({ days: 3 });
    await (await queued(id))();
    expect((await settled(id)).map(({ status }) => status)).toEqual(['accepted', 'accepted']);
  });

  test('is not sent to one who signed, while the other of the two still gets theirs', async () => {
    const id = await asked({ recipients: [ada, grace] });
    app.clock.advance({ days: 3 });
    const held: Job[] = [];
    await remindRecipients(app.world, app.db, { enqueue: async (_tx, jobs) => void held.push(...jobs) }, schedule);
    await signs(id, ada.name);
    await app.db.transaction((tx) => queue.enqueue(tx, held));
    const sent = (await settled(id)).filter(({ kind }) => kind === 'reminder');
    expect(sent.map(({ name, status }) => [name, status]).sort()).toEqual([
      [ada.name, 'cancelled'],
      [grace.name, 'accepted'],
    ]);
  });
});

test('what ended is looked at once more and never again', async () => {
  const ids = [await asked(), await asked(), await asked()] as const;
  await signs(ids[0], ada.name);
  await declines(ids[1]);
  await isVoided(ids[2]);
  app.clock.advance({ days: 3 });
  await sweep();
  const waiting = await app.db.query({
    name: '',
    text: `select 1 from messages where document_id = any ($1::uuid[]) and not followed and kind = 'signature_request'`,
    values: [ids],
  });
  expect(waiting).toEqual([]);
});

test('the message says what it is, in the language of the document, with a link beside which older ones go on working', async () => {
  for (const [language, subject, label] of [
    ['en', 'Reminder: Acme Builders awaits your signature: “Roof repair”', 'Review and sign'],
    ['es', 'Recordatorio: Acme Builders espera su firma: «Roof repair»', 'Revisar y firmar'],
  ] as const) {
    const to = `${language}@example.com`;
    const phone = language === 'en' ? '+15550104001' : '+15550104002';
    const recipients = [
      { ...ada, email: to },
      { name: 'Sam', phone, channel: 'sms' },
    ];
    const id = await asked({ primary_language: language, recipients, content: { expires_in_days: 10 } });
    app.clock.advance({ days: 3 });
    await sweep();
    await settled(id);
    const [reminder, request] = await mailTo(to);
    expect(reminder?.subject).toBe(subject);
    expect(reminder?.text).toContain(`${label}:\nhttp://`);
    expect(reminder?.text).toMatch(/\n(Expires|Vence): .*20\d\d.* UTC\n/);
    const [sms] = await mailTo(phone);
    expect(sms?.text).toMatch(
      /^(Reminder|Recordatorio): .* \((expires|vence) 20\d\d-\d\d-\d\d \d\d:\d\d UTC\):\nhttp:/,
    );

    const links = [reminder?.links[0] ?? '', request?.links[0] ?? '', sms?.links[0] ?? ''];
    expect(new Set(links).size).toBe(3);
    for (const link of links) expect((await fetch(link)).status).toBe(200);
  }
});

describe('by hand', () => {
  const remind = (id: string) =>
    app.db.transaction(async (tx) => {
      const document = await lockDocument(tx, company.id, id, 'all');
      if (document === null) throw new Error('there is no such document');
      await remindDocument(app.world, tx, queue, document, 'operator');
    });

  test('someone who has taken the place of a person who was reminded can be reminded too', async () => {
    const id = await asked();
    await remind(id);
    await app.db.transaction(async (tx) => {
      const document = (await lockDocument(tx, company.id, id, 'all')) as Document;
      const [{ id: recipient }] = (await listRecipients(tx, company.id, id)) as [Recipient];
      await reassignRecipient(app.world, tx, queue, document, recipient, grace, 'operator');
    });
    await remind(id);
    await expect(remind(id)).rejects.toThrow('reminded by hand in the last 24 hours');
  });

  test('everybody whose turn it is gets one, at most one in 24 hours, and the schedule goes on as it was', async () => {
    const id = await asked(sequential);
    await remind(id);
    await expect(remind(id)).rejects.toThrow('reminded by hand in the last 24 hours');
    app.clock.advance({ days: 1, seconds: -1 });
    await expect(remind(id)).rejects.toThrow('reminded by hand in the last 24 hours');
    app.clock.advance({ seconds: 1 });
    await remind(id);
    app.clock.advance({ days: 2, seconds: -1 });
    await sweep();
    expect(await reminders(id)).toEqual([
      [ada.name, null],
      [ada.name, null],
    ]);
    app.clock.advance({ seconds: 1 });
    await sweep();
    expect((await reminders(id)).at(-1)).toEqual([ada.name, 1]);
    expect((await settled(id)).map(({ status }) => status)).toEqual(Array(4).fill('accepted'));

    await remind(id);
    await signs(id, ada.name);
    await remind(id);
    expect((await reminders(id)).at(-1)).toEqual([grace.name, null]);
    const entries = (await auditOf(app, company, id)).filter(({ action }) => action === 'reminded');
    expect(entries.map(({ actor, detail }) => [actor, detail.number])).toEqual([
      ['operator', null],
      ['operator', null],
      ['service', 1],
      ['operator', null],
      ['operator', null],
    ]);
  });

  test('those not reminded today get theirs when others have had it', async () => {
    const id = await asked({ ...sequential, recipients: [{ ...ada }, { ...grace }, { ...ada, name: 'Zoe' }] });
    await remind(id);
    expect(await reminders(id)).toHaveLength(1);
    await signs(id, ada.name);
    await remind(id);
    expect(await reminders(id)).toHaveLength(2);
  });

  test('is refused with the reason when there is nobody to write to', async () => {
    await expect(remind(await createDraft(app, company.key))).rejects.toThrow('does not await signatures: it is draft');
    const signed = await asked();
    await signs(signed, ada.name);
    await expect(remind(signed)).rejects.toThrow('it is completed');
    const expired = await asked({ content: { expires_in_days: 1 } });
    app.clock.advance({ days: 1 });
    await expect(remind(expired)).rejects.toThrow('it is expired');
    await expect(remind(await createSent(app, company.testKey))).rejects.toThrow('sent with a test key');
    const inPerson = await createSent(app, company.key, { recipients: [{ name: 'Guest', channel: 'in_person' }] });
    await expect(remind(inPerson)).rejects.toThrow('signs in person');
  });

  test('the API shows nothing of it', async () => {
    const id = await asked();
    const read = () => call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
    const before = await read();
    await remind(id);
    expect((await read()).body).toEqual(before.body);
  });
});

describe('REMINDER_DAYS', () => {
  test.each([
    [undefined, schedule],
    ['', schedule],
    ['none', []],
    ['1', [1]],
    ['2, 365', [2, 365]],
    [Array(20).fill(7).join(), Array(20).fill(7)],
  ])('%s is understood', (value, expected) => {
    expect(readConfig(value === undefined ? {} : { REMINDER_DAYS: value }).reminderDays).toEqual(expected);
  });

  test.each(['0', '366', '-1', '1.5', '3,', ',', 'x', 'None', ' ', '3;7', Array(21).fill(7).join()])(
    '%j is refused at start with the rule',
    (value) => {
      expect(() => readConfig({ REMINDER_DAYS: value })).toThrow(
        'bad setting REMINDER_DAYS: it must be at most 20 whole numbers from 1 to 365 with commas between, or none',
      );
    },
  );
});
