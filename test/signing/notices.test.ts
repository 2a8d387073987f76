import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { removeMember } from '../../src/accounts/members.ts';
import { setNoticeKinds } from '../../src/accounts/notice-kinds.ts';
import { personActor } from '../../src/actor.ts';
import type { Document } from '../../src/documents/document.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import type { JobQueue } from '../../src/messages/job-queue.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { operate } from '../api/operate.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { emptyInbox, type Inbox, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';
import { openLinkOf, signature } from './signer.ts';

let app: TestService;
let inbox: Inbox;
let company: Company;
let sender: Member;
let console: Visitor;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({
    env: { SMTP_URL: inbox.url, MAIL_FROM: 'Acme <no-reply@acme.example>', REMINDER_DAYS: 'none' },
  });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  company = await createCompany(app);
  sender = await addMember(app, company.id, 'member');
  console = await signedIn(app, sender);
  await emptyInbox(app, inbox);
});

/** Creates a document and sends it in the console. */
async function sent(changes: object = {}, by = console): Promise<string> {
  const id = await createDraft(app, company.key, { recipients: [ada], ...changes });
  const { status, text } = await by.post(`/documents/${id}/send`);
  if (status !== 200) throw new Error(text);
  return id;
}

async function act(id: string, name: string, action: 'sign' | 'decline', body: object = signature): Promise<void> {
  const { status, text } = await (await openLinkOf(app, company, id, name)).post(action, body);
  if (status !== 200) throw new Error(text);
}

const decline = (id: string, reason: string, name = ada.name) => act(id, name, 'decline', { reason });
const mailsTo = (address: string) => inbox.received.filter(({ to }) => to === address).map(({ email }) => email);

/** Waits until nothing about the company's documents waits for the mail server any more. */
async function delivered(): Promise<void> {
  await eventually(
    () =>
      app.db.query<{ open: number }>({
        name: '',
        text: `select (select count(*) from notices where account_id = $1 and status = 'pending')
                    + (select count(*) from messages where account_id = $1 and status = 'pending')
                    + (select count(*) from documents where account_id = $1 and status = 'completed' and sealed_at is null)
                    as open`,
        values: [company.id],
      }),
    ([row]) => row?.open === 0,
  );
}

async function kindsOf(id: string): Promise<string[]> {
  const rows = await app.db.query<{ kind: string; status: string }>({
    name: '',
    text: 'select kind, status from notices where account_id = $1 and document_id = $2 order by id',
    values: [company.id, id],
  });
  return rows.map(({ kind, status }) => `${kind} ${status}`);
}

test('the sender is told once that a document is complete, by a link to its page in the console', async () => {
  const id = await sent({ title: 'Lease of the attic', recipients: [ada, grace] });
  await act(id, ada.name, 'sign');
  await delivered();
  expect(mailsTo(sender.email)).toEqual([]);
  await act(id, grace.name, 'sign');
  await act(id, grace.name, 'sign'); // a second click
  await delivered();
  const [mail, ...more] = mailsTo(sender.email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Completed: “Lease of the attic”');
  expect(mail?.text).toContain(`${new URL(app.baseUrl).origin}/documents/${id}\n`);
  expect(mail?.html).toContain(`/documents/${id}"`);
  expect(`${mail?.text} ${mail?.html}`).not.toContain('/sign/');
  expect(mail?.replyTo).toBeUndefined();
  expect(await kindsOf(id)).toEqual(['sender_completed accepted']);
});

test('the sender is told who declined and why, in the words of the signer, which do no harm', async () => {
  const reason = 'Too dear.\r\n<img src=x onerror=alert(1)> & "quoted"\u202Egnp.exe';
  const name = 'Ada <b>Lovelace</b>\u202E';
  const id = await sent({ title: '<script>alert(1)</script>', recipients: [{ ...ada, name }] });
  await decline(id, reason, name);
  await delivered();
  const [mail, ...more] = mailsTo(sender.email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Ada <b>Lovelace</b> declined: “<script>alert(1)</script>”');
  expect(mail?.text).toContain('  Too dear.\n  <img src=x onerror=alert(1)> & "quoted"gnp.exe\n');
  expect(mail?.html).toContain('Too dear.<br>\n&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;gnp.exe');
  expect(mail?.html).not.toMatch(/<(img|script|b)\b|\u202E/);
  expect(await kindsOf(id)).toEqual(['sender_declined accepted']);
});

test('a Spanish document has Spanish notices', async () => {
  const id = await sent({ title: 'Contrato', primary_language: 'es' });
  await decline(id, 'Es demasiado caro.');
  await delivered();
  const [mail] = mailsTo(sender.email);
  expect(mail?.subject).toBe('Ada Lovelace ha rechazado: «Contrato»');
  expect(mail?.html).toContain('lang="es"');
  expect(mail?.text).toContain('Motivo indicado por Ada Lovelace:\n\n  Es demasiado caro.');
});

test('e-mails to recipients are answered to the sender, as long as the sender is a member', async () => {
  await sent();
  await delivered();
  expect(mailsTo(ada.email).map(({ replyTo }) => replyTo)).toEqual([[{ name: '', address: sender.email }]]);
  await createSent(app, company.key, { recipients: [grace] });
  await delivered();
  expect(mailsTo(grace.email).map(({ replyTo }) => replyTo)).toEqual([undefined]);
  const id = await sent({ recipients: [ada, grace], content: { sign_order_mode: 'sequential' } });
  await app.db.transaction((tx) => removeMember(app.world, tx, sender.id, null));
  await act(id, ada.name, 'sign');
  await delivered();
  expect(mailsTo(grace.email).map(({ replyTo }) => replyTo)).toEqual([undefined, undefined]);
});

/** The subjects of the e-mails to an address, without requests. */
const noticesTo = (address: string) =>
  mailsTo(address).flatMap(({ subject = '' }) => (subject.includes('requests your') ? [] : [subject]));
const voidIt = (id: string, reason = 'Wrong price') => console.post(`/documents/${id}/void`, { reason });
const alan = { name: 'Alan Turing', email: 'alan@example.com' };
const carol = { name: 'Carol Shaw', email: 'carol@example.com', role: 'cc' };

test('who was asked is told once that the document was voided, and why, also after signing', async () => {
  const reason = 'Wrong price.\n<a href="https://evil.example">Pay here</a>';
  const refused = { name: 'Bob Kahn', email: 'bob@refused.example' };
  const id = await sent({
    title: 'Lease',
    recipients: [ada, grace, { ...refused, sign_order: 2 }, { ...alan, sign_order: 3 }, carol],
    content: { sign_order_mode: 'sequential' },
  });
  await act(id, ada.name, 'sign');
  await delivered();
  expect((await Promise.all([voidIt(id, reason), voidIt(id, reason)])).map(({ status }) => status).sort()).toEqual([
    200, 409,
  ]);
  expect((await voidIt(id, reason)).status).toBe(409);
  await delivered();
  for (const { email } of [ada, grace]) expect(noticesTo(email)).toEqual(['Voided: “Lease”']);
  for (const { email } of [refused, alan, carol, sender]) expect(noticesTo(email)).toEqual([]);
  const mail = mailsTo(grace.email).at(-1);
  expect(mail?.replyTo).toEqual([{ name: '', address: sender.email }]);
  expect(mail?.text).toContain('  Wrong price.\n  <a href="https://evil.example">Pay here</a>\n');
  expect(mail?.text).toContain('reply to this e-mail');
  expect(mail?.html).not.toContain('<a ');
  expect(mail?.html).toContain('Wrong price.<br>\n&lt;a href=');
  expect(await kindsOf(id)).toEqual(['recipient_voided accepted', 'recipient_voided accepted']);
});

test('of a completed document that is voided, copies are told too', async () => {
  const id = await sent({ title: 'Lease', recipients: [ada, carol] });
  await act(id, ada.name, 'sign');
  await delivered();
  await voidIt(id);
  await delivered();
  for (const { email } of [ada, carol]) expect(noticesTo(email).at(-1)).toBe('Voided: “Lease”');
  expect(noticesTo(sender.email)).toEqual(['Completed: “Lease”']);
});

test('the others are told that one declined, without the reason, and nothing more when it is voided', async () => {
  const id = await sent({ title: 'Lease', recipients: [ada, grace] });
  await delivered();
  await decline(id, 'Far too dear', grace.name);
  await voidIt(id);
  await delivered();
  expect(noticesTo(ada.email)).toEqual(['Declined: “Lease”']);
  expect(JSON.stringify(mailsTo(ada.email))).not.toContain('Far too dear');
  expect(noticesTo(grace.email)).toEqual([]);
});

test('who was asked is told that the document has expired, by SMS if asked by SMS, and not in person', async () => {
  const number = '+1 555 0142';
  await sent({
    title: 'Lease',
    recipients: [
      ada,
      { name: 'Grace Hopper', phone: number, channel: 'sms' },
      { name: 'Alan Turing', email: 'alan@example.com', channel: 'in_person' },
    ],
    content: { expires_in_days: 1 },
  });
  await delivered();
  app.clock.advance({ days: 1 });
  await Promise.all([1, 2].map(async () => expireDocuments(app.world, app.db, await app.queue())));
  await delivered();
  expect(noticesTo(ada.email)).toEqual(['Expired: “Lease”']);
  expect(noticesTo(alan.email)).toEqual([]);
  const texts = await listMailbox(join(app.dataDir, 'mailbox'), { to: number });
  expect(texts.map(({ text }) => text)).toEqual([
    'Acme Builders: "Lease" has expired. Nobody can sign it any more.',
    expect.stringMatching(/asks you to sign "Lease"/),
  ]);
  console = await signedIn(app, sender);
});

test('who is replaced by another is told, and who only gets another name is not', async () => {
  const id = await sent({ title: 'Lease', recipients: [ada, grace] });
  await delivered();
  const reassign = async (name: string, person: object) => {
    const { body } = await console.get(`/documents/${id}`);
    const found = body.recipients.find((recipient: { name: string }) => recipient.name === name);
    expect((await console.post(`/documents/${id}/recipients/${found.id}/reassign`, person)).status).toBe(200);
  };
  await reassign(ada.name, alan);
  await reassign(grace.name, { ...grace, name: 'Grace B. Hopper' });
  await delivered();
  expect(noticesTo(ada.email)).toEqual(['No longer needed from you: “Lease”']);
  expect(mailsTo(ada.email).at(-1)?.text).toContain('Hello Ada Lovelace,');
  expect([noticesTo(grace.email), noticesTo(alan.email)]).toEqual([[], []]);
  // Given back and taken away again: another person in between, so another notice.
  await reassign(alan.name, ada);
  await delivered();
  await reassign(ada.name, alan);
  await delivered();
  expect([noticesTo(ada.email).length, noticesTo(alan.email).length]).toEqual([2, 1]);
  const kept = await app.db.query({
    name: '',
    text: 'select from notices where former_name is not null or former_address is not null',
    values: [],
  });
  expect(kept).toEqual([]);
});

const actor = personActor('00000000-0000-7000-8000-000000000001');

test.each<[string, string, (tx: Tx, document: Document, queue: JobQueue) => Promise<void>]>([
  ['voided', 'recipient_voided', (tx, document, queue) => voidDocument(app.world, tx, queue, document, actor, 'wrong')],
  [
    'reassigned',
    'recipient_reassigned',
    async (tx, document, queue) => {
      const [recipient] = await listRecipients(tx, document.account_id, document.id);
      await reassignRecipient(app.world, tx, queue, document, recipient?.id ?? '', alan, actor);
    },
  ],
])('who is asked by an e-mail that was on its way when the document was %s is told', async (_act, kind, act) => {
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const mail = await startMailServer(() => {
    arrived.resolve();
    return answered.promise;
  });
  const slow = await startTestService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@acme.example' } });
  onTestFinished(async () => {
    answered.resolve();
    await slow.stop();
    await mail.close();
  });
  const id = await createSent(slow, (await createCompany(slow)).key, { recipients: [ada] });
  await arrived.promise;
  await operate(slow, id, act);
  answered.resolve();
  const stored = (table: 'messages' | 'notices') => async () =>
    slow.db.query<{ kind: string; status: string; attempts: number }>({
      name: '',
      text: `select kind, status, attempts from ${table} where document_id = $1 order by id`,
      values: [id],
    });
  const notices = await eventually(stored('notices'), ([notice]) => notice?.status === 'accepted');
  expect(notices).toEqual([{ kind, status: 'accepted', attempts: 1 }]);
  const [message] = await stored('messages')();
  expect(message).toEqual({ kind: 'signature_request', status: 'accepted', attempts: 1 });
});

test('each notice to recipients can be switched off', async () => {
  await app.db.transaction((tx) => setNoticeKinds(app.world, tx, company.id, ['recipient_expired'], null));
  const voided = await sent({ recipients: [ada] });
  const declined = await sent({ recipients: [ada, grace] });
  await delivered();
  await voidIt(voided);
  await decline(declined, 'No.', grace.name);
  await delivered();
  expect(noticesTo(ada.email)).toEqual([]);
});

test('a notice that is switched off is not sent, and the other one is', async () => {
  await app.db.transaction((tx) => setNoticeKinds(app.world, tx, company.id, ['sender_declined'], null));
  const id = await sent();
  await act(id, ada.name, 'sign');
  const declined = await sent({ recipients: [grace] });
  await decline(declined, 'No.', grace.name);
  await delivered();
  expect(mailsTo(sender.email).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Grace Hopper declined/),
  ]);
  expect(await kindsOf(id)).toEqual([]);
});

test('nobody is told of a test document, of one that an API key sent, or after leaving the company', async () => {
  const test = await createSent(app, company.testKey, { recipients: [ada] });
  const byKey = await createSent(app, company.key, { recipients: [ada] });
  const left = await sent();
  await app.db.transaction((tx) => removeMember(app.world, tx, sender.id, null));
  for (const id of [test, byKey, left]) await decline(id, 'No.');
  await delivered();
  expect(inbox.received.map(({ to }) => to)).toEqual([ada.email, ada.email]);
  expect(await Promise.all([test, byKey, left].map(kindsOf))).toEqual([[], [], []]);
});

test('of a restricted document, owners and admins are told without title, name and reason, and members nothing', async () => {
  const owner = await addMember(app, company.id, 'owner');
  const texts = ['Payroll of March', 'Too little', ada.name];
  const ids = await Promise.all([console, await signedIn(app, owner)].map((by) => sent({ title: texts[0] }, by)));
  for (const id of ids) {
    await operate(app, id, (tx, document) =>
      restrictDocument(app.world, tx, document, personActor(owner.personId), 'pay'),
    );
    await decline(id, texts[1] as string);
  }
  await delivered();
  expect(mailsTo(sender.email)).toEqual([]);
  const [mail, ...more] = mailsTo(owner.email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('A recipient declined: “A restricted document”');
  for (const text of texts) expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain(text);
  expect(await kindsOf(ids[0] as string)).toEqual(['sender_declined cancelled']);
});
