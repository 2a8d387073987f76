import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setNoticeKinds } from '../../src/accounts/notice-kinds.ts';
import type { MessageJson } from '../../src/message-log/message-json.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { openLinkOf, withCode } from '../signing/signer.ts';
import { emptyInbox, type Inbox, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { type Place, placeOn, runCommand } from './countersign.ts';
import { exchangeReport, gmailReport, postfixReport } from './delivery-reports.ts';

/** The message log on the command line, and what mail servers report after they have accepted a message. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let sender: Member;
let console: Visitor;
let at: Place;
const settings = { MAIL_FROM: 'Acme <no-reply@acme.example>' };

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({ env: { ...settings, SMTP_URL: inbox.url, REMINDER_DAYS: 'none' } });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  company = await createCompany(app);
  sender = await addMember(app, company.id, 'owner');
  console = await signedIn(app, sender);
  at = placeOn({ ...settings, DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
  await emptyInbox(app, inbox);
});

const messages = (...options: string[]) => at.json<MessageJson[]>('account', 'messages', company.id, ...options);
const noticesTo = (address: string) => inbox.received.filter(({ to }) => to === address).map(({ email }) => email);
const settled = () =>
  eventually(
    async () => (await console.get('/messages?state=waiting')).body.data,
    (waiting) => waiting.length === 0,
  );

/** Sends a document, and returns it with the request, which the mail server has accepted. */
async function sent(changes: object = {}): Promise<{ id: string; request: MessageJson; messageId: string }> {
  const id = await createDraft(app, company.key, { recipients: [ada], ...changes });
  const { status, text } = await console.post(`/documents/${id}/send`);
  if (status !== 200) throw new Error(text);
  await settled();
  const { data } = (await console.get(`/messages?document_id=${id}&kind=signature_request`)).body;
  return { id, request: data[0], messageId: `<${data[0].id}@acme.example>` };
}

async function pipe(mail: string, environment: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH ?? '',
    ...settings,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.dataDir,
    ...environment,
  };
  const { code, stdout, stderr } = await runCommand(['message', 'read-bounce', '--json'], env, at.cwd, mail);
  return { code, stderr, result: code === 0 ? JSON.parse(stdout.toString()) : null };
}

const trailOf = async (id: string) =>
  (await at.json<{ action: string; detail: Record<string, unknown> }[]>('document', 'audit', id)).filter(
    ({ action }) => action === 'delivery_failed',
  );

test('the log of a company is listed, filtered and exported', async () => {
  const { id } = await sent({ recipients: [ada, { name: 'Lost', email: 'lost@refused.example' }] });
  const all = await messages();
  expect(all.map(({ state }) => state).sort()).toEqual(['accepted', 'failed']);
  expect(await messages('--state', 'failed')).toMatchObject([
    { to: { name: 'Lost' }, error: { reply: '550 no such mailbox' } },
  ]);
  expect(await messages('--to', 'ADA@example.com')).toMatchObject([{ to: { name: ada.name } }]);
  expect(await messages('--to', 'nobody@example.com')).toEqual([]);
  expect(await messages('--kind', 'reminder', '--document', id)).toEqual([]);
  expect(await messages('--since', app.clock.now().toISOString(), '--limit', '1')).toHaveLength(1);
  expect(await messages('--until', '2020-01-01T00:00:00Z')).toEqual([]);
  const table = (await at.run('account', 'messages', company.id)).stdout.toString();
  expect(table).toMatch(/Request +ada@example\.com +accepted/);
  const csv = (
    await at.run('account', 'messages', company.id, '--format', 'csv', '--state', 'failed')
  ).stdout.toString();
  expect(csv.trim().split('\r\n')).toHaveLength(2);
  const lines = (await at.run('account', 'messages', company.id, '--format', 'json')).stdout.toString();
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(all.map((message) => message.id));
  expect(await at.fails(2, 'account', 'messages', company.id, '--state', 'lost')).toContain('--state must be one of');
  expect(await at.fails(2, 'account', 'messages', company.id, '--format', 'csv', '--json')).toContain('not both');
  expect(await at.fails(1, 'account', 'messages', company.id, '--document', 'x')).toContain(
    'no document with the id "x"',
  );
  expect(await at.fails(1, 'account', 'messages', 'x')).toContain('no account with the id "x"');
});

test('a bounce is in the log, on the page and in the trail, and the sender is told once', async () => {
  const { id, request, messageId } = await sent();
  const reports = await Promise.all([pipe(postfixReport(messageId)), pipe(postfixReport(messageId))]);
  expect(reports.map(({ result }) => result.recorded).sort()).toEqual([false, true]);
  expect(reports[0]?.result).toMatchObject({ message_id: request.id, outcome: 'bounced', document_id: id });
  await settled();
  const [bounced] = await messages('--state', 'bounced');
  expect(bounced).toMatchObject({
    id: request.id,
    state: 'bounced',
    error: {
      text: 'The address does not exist.',
      reply: '550 5.1.1 (address): Recipient address rejected: User unknown in virtual mailbox table',
    },
  });
  expect(await messages('--state', 'accepted', '--kind', 'signature_request')).toEqual([]);
  const { recipients } = (await console.get(`/documents/${id}`)).body;
  expect(recipients[0]).toMatchObject({ delivery: { state: 'bounced' }, actions: ['remind', 'reassign'] });
  expect(await trailOf(id)).toMatchObject([{ detail: { kind: 'signature_request', bounced: true } }]);
  const [mail, ...more] = noticesTo(sender.email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('E-mail to Ada Lovelace came back: “Roof repair”');
  expect(mail?.text).toContain('Reply of the mail server:\n\n  550 5.1.1 (address): Recipient address rejected');
  expect(mail?.text).toContain(`/documents/${id}\n`);
  expect(mail?.text).not.toContain('ada@example.com');

  const reminded = await at.fails(1, 'document', 'remind', id, '--recipient', app.world.newId());
  expect(reminded).toContain('not a recipient whose turn it is');
  const again = await console.post(`/documents/${id}/recipients/${recipients[0].id}/remind`);
  expect(again.status).toBe(200);
  await settled();
  const [reminder] = await messages('--kind', 'reminder');
  expect((await pipe(gmailReport(`<${reminder?.id}@acme.example>`))).result.recorded).toBe(true);
  await settled();
  expect(noticesTo(sender.email)).toHaveLength(2);
  await at.json('document', 'remind', id, '--recipient', recipients[0].id);
  expect((await console.post(`/documents/${id}/recipients/${recipients[0].id}/remind`)).status).toBe(409);
});

test('a delay is recorded as one, tells nobody, and a bounce replaces it', async () => {
  const { id, messageId } = await sent();
  expect((await pipe(postfixReport(messageId, 'delayed'))).result).toMatchObject({
    outcome: 'delayed',
    recorded: true,
  });
  expect(await messages('--kind', 'signature_request')).toMatchObject([
    {
      state: 'accepted',
      delayed_at: expect.any(String),
      error: { reply: expect.stringContaining('Connection timed out') },
    },
  ]);
  expect(await trailOf(id)).toEqual([]);
  expect((await pipe(exchangeReport(messageId))).result).toMatchObject({ outcome: 'bounced', recorded: true });
  expect((await pipe(postfixReport(messageId, 'delayed'))).result.recorded).toBe(false);
  expect(await messages('--kind', 'signature_request')).toMatchObject([
    { state: 'bounced', delayed_at: null, error: { text: 'The mailbox is full.' } },
  ]);
});

test('an operator records a bounce by hand, by the Message-ID or the id in the log', async () => {
  const first = await sent();
  const second = await sent({ primary_language: 'es' });
  const bounced = (id: string, ...more: string[]) => at.json('message', 'bounced', '--message-id', id, ...more);
  expect(
    await bounced(
      first.messageId.toUpperCase(),
      '--reason',
      'the box\u202e is full <x@y.example> https://a.example/sign/x',
    ),
  ).toMatchObject({ recorded: true });
  expect(await bounced(second.request.id)).toMatchObject({ recorded: true });
  await settled();
  const rows = await messages('--state', 'bounced');
  expect(rows.map(({ error }) => error?.reply ?? null)).toEqual([null, 'the box is full (address) (link)']);
  expect(noticesTo(sender.email).map(({ subject }) => subject)).toContain(
    'Correo a Ada Lovelace devuelto: «Roof repair»',
  );
});

test('only Message-IDs of accepted e-mails of this service are taken', async () => {
  const { id, messageId } = await sent({
    recipients: [withCode, { name: 'Lost', email: 'lost@refused.example' }],
  });
  await (await openLinkOf(app, company, id, withCode.name)).sendCode();
  const refused = (messageId: string) => at.fails(1, 'message', 'bounced', '--message-id', messageId);
  const unknown = 'this is not a Message-ID of this service';
  for (const bad of ['x', '<x@acme.example>', messageId.replace('acme', 'evil'), `${messageId}>`, '%', "' or 1=1"]) {
    expect(await refused(bad), bad).toBe(unknown);
  }
  const stranger = app.world.newId();
  expect(await refused(stranger)).toBe(`there is no message ${stranger}`);
  const [code] = await messages('--kind', 'verification_code');
  expect(await refused(code?.id ?? '')).toBe(`message ${code?.id} is not an e-mail`);
  const [failed] = await messages('--state', 'failed');
  expect(await refused(failed?.id ?? '')).toContain('was not accepted by a mail server');
  expect(await at.fails(2, 'message', 'bounced', '--message-id', ' ')).toContain('--message-id must have');
  expect(await pipe(postfixReport(messageId.replace('acme', 'evil')))).toMatchObject({
    code: 1,
    stderr: `countersign: ${unknown}\n`,
  });
  expect(await pipe('Subject: Out of office\n\nAway.')).toMatchObject({
    code: 1,
    stderr: 'countersign: this e-mail is not a delivery report (multipart/report)\n',
  });
  expect(await pipe('')).toMatchObject({ code: 1, stderr: 'countersign: the e-mail is empty\n' });
  expect((await pipe('x'.repeat(3_000_000))).code).toBe(1);
  expect(await messages('--state', 'bounced')).toEqual([]);
});

test('the mail server keeps a report of a message whose acceptance is not recorded yet', async () => {
  const { request, messageId } = await sent();
  const set = (status: string, settledAt: Date | null) =>
    app.db.query({
      name: '',
      text: 'update messages set status = $2, settled_at = $3 where id = $1',
      values: [request.id, status, settledAt],
    });
  await set('pending', null);
  expect(await pipe(postfixReport(messageId))).toMatchObject({
    code: 75,
    stderr: `countersign: message ${request.id} is still being delivered. Report it again later\n`,
  });
  await set('accepted', app.clock.now());
  expect((await pipe(postfixReport(messageId))).result).toMatchObject({ outcome: 'bounced', recorded: true });
});

test('the mail server keeps a report while the database is away', async () => {
  const { code } = await pipe(postfixReport(`<${app.world.newId()}@acme.example>`), {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  expect(code).toBe(75);
});

test('the sender is not told when the company switched it off, when the recipient was replaced, or of their own e-mails', async () => {
  const replaced = await sent();
  const { recipients } = (await console.get(`/documents/${replaced.id}`)).body;
  const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
  await console.post(`/documents/${replaced.id}/recipients/${recipients[0].id}/reassign`, grace);
  await settled();
  expect((await pipe(postfixReport(replaced.messageId))).result.recorded).toBe(true);
  expect((await console.get(`/documents/${replaced.id}`)).body.recipients[0].delivery.state).toBe('accepted');
  await settled();
  expect(noticesTo(sender.email)).toEqual([]);
  // The trail would say it of the new person.
  const { data: history } = (await console.get(`/documents/${replaced.id}/timeline?limit=20`)).body;
  expect(history.map(({ action }: { action: string }) => action)).not.toContain('delivery_failed');

  const told = await sent();
  await pipe(postfixReport(told.messageId));
  await settled();
  expect(noticesTo(sender.email)).toHaveLength(1);
  const [notice] = await messages('--kind', 'sender_bounced');
  expect(notice?.to).toMatchObject({ is_member: true, address: sender.email });
  expect((await pipe(postfixReport(`<${notice?.id}@acme.example>`))).result.recorded).toBe(true);
  await settled();
  expect(noticesTo(sender.email)).toHaveLength(1);

  await app.db.transaction((tx) => setNoticeKinds(app.world, tx, company.id, [], null));
  await pipe(postfixReport((await sent()).messageId));
  await settled();
  expect(noticesTo(sender.email)).toHaveLength(1);
});
