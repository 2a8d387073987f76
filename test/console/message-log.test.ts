import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { sendReviewNotice } from '../../src/documents/review-notice.ts';
import { eraseFromMessages } from '../../src/erasure/erase-from-messages.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { explainReply } from '../../src/message-log/explain-reply.ts';
import type { MessageJson } from '../../src/message-log/message-json.ts';
import { loggedKinds, messageStates } from '../../src/message-log/message-kinds.ts';
import { kindNames, stateNames } from '../../src/message-log/message-words.ts';
import { type MessageFilter, messagesLookedAtMax, readMessageLog } from '../../src/message-log/read-message-log.ts';
import { recordDirectAttempt } from '../../src/messages/direct-message.ts';
import type { Queryable, Statement } from '../../src/postgres/queryable.ts';
import { openLinkOf, signature, withCode } from '../signing/signer.ts';
import { emptyInbox, type Inbox, queueId, startInbox } from '../support/inbox.ts';
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
import { addMember, type Member, refusal, signedIn, type Visitor } from './visitor.ts';

/** The log of what a company's documents have sent, through the console. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let owner: Member;
let admin: Visitor;

const ada = { name: 'Ada Lovelace', email: 'Ada@example.com' };
const grace = { name: 'Grace Hopper', email: 'grace@example.com' };
const lost = { name: 'Lost', email: 'lost@refused.example' };
const later = { name: 'Later', email: 'later@later.example' };

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
  owner = await addMember(app, company.id, 'owner');
  admin = await signedIn(app, owner);
  await emptyInbox(app, inbox);
});

const list = async (query = '', visitor = admin): Promise<MessageJson[]> =>
  (await visitor.get(`/messages?limit=100${query}`)).body.data;
const kinds = async (query = '', visitor = admin) => (await list(query, visitor)).map(({ kind }) => kind);
const filter = (name: string, value: string) => kinds(`&${name}=${encodeURIComponent(value)}`);

/** Waits until a message is in a state. */
const inState = (state: string, query = '') =>
  eventually(
    () => list(query),
    (rows) => rows.some((row) => row.state === state),
  );

async function send(recipients: object[], changes: object = {}): Promise<string> {
  const id = await createDraft(app, company.key, { title: 'Lease of the attic', recipients, ...changes });
  const { status, text } = await admin.post(`/documents/${id}/send`);
  if (status !== 200) throw new Error(text);
  return id;
}

test('a message is told with its kind, recipient, document, and what the mail server answered', async () => {
  const id = await send([ada]);
  const [request] = await inState('accepted');
  expect(request).toMatchObject({
    kind: 'signature_request',
    kind_name: 'Request',
    channel: 'email',
    to: { is_member: false, name: ada.name, address: ada.email },
    document: { id, title: 'Lease of the attic' },
    state: 'accepted',
    is_running: false,
    attempts: 1,
    queue_id: queueId,
    next_attempt_at: null,
    error: null,
  });
  expect(request?.accepted_at).not.toBeNull();
  expect(inbox.received[0]?.email.messageId).toBe(`<${request?.id}@acme.example>`);
});

test('a refused message has failed, and one that is tried again says when', async () => {
  await send([lost, later]);
  const [failed] = (await inState('failed', '&state=failed')) as [MessageJson];
  expect(failed).toMatchObject({
    to: { address: lost.email },
    attempts: 1,
    accepted_at: null,
    next_attempt_at: null,
    error: { text: 'The address does not exist.', reply: '550 no such mailbox' },
  });
  const rows = await eventually(
    () => list('&state=waiting'),
    ([row]) => (row?.attempts ?? 0) > 0 && row?.next_attempt_at !== null,
  );
  expect(rows).toMatchObject([
    {
      to: { address: later.email },
      state: 'waiting',
      error: {
        text: 'The mail server asks to try again later.',
        reply: '451 4.7.1 Greylisted, see (link)',
      },
    },
  ]);
  const wait = Date.parse(rows[0]?.next_attempt_at ?? '') - Date.now();
  expect(wait).toBeGreaterThan(-5000);
  expect(wait).toBeLessThan(60_000);
});

test('a message that is on its way is being sent now', async () => {
  const answered = Promise.withResolvers<void>();
  const slow = await startMailServer(() => answered.promise);
  const other = await startTestService({ env: { SMTP_URL: slow.url, MAIL_FROM: 'no-reply@acme.example' } });
  onTestFinished(async () => {
    await other.stop();
    await slow.close();
  });
  const { id, key } = await createCompany(other);
  const visitor = await signedIn(other, await addMember(other, id, 'admin'));
  const document = await createSent(other, key, { recipients: [ada] });
  const read = () => list('', visitor);
  const [running] = await eventually(read, ([row]) => row?.is_running === true);
  expect(running).toMatchObject({ state: 'waiting', attempts: 0, next_attempt_at: null, document: { id: document } });
  const { recipients } = (await visitor.get(`/documents/${document}`)).body;
  expect(recipients[0].delivery).toMatchObject({ state: 'waiting', is_running: true });
  answered.resolve();
  await eventually(read, ([row]) => row?.state === 'accepted');
});

test('an e-mail about a review that was over before it could be sent is cancelled, and an accepted one is not sent twice', async () => {
  const draft = await createDraft(app, company.key, { title: 'Reviewed' });
  const job = {
    ...({ name: 'tell-of-review', accountId: company.id, documentId: draft, memberId: owner.id } as const),
    ...({ by: null, language: 'en', occasion: 'submitted' } as const),
  };
  const message = {
    ...({ accountId: company.id, documentId: draft, recipient: null, kind: 'review_submitted' } as const),
    ...({ channel: 'email', address: owner.email } as const),
  };
  const [waiting, accepted] = [app.world.newId(), app.world.newId()];
  const away = { kind: 'unavailable', reason: 'the mail server is away' } as const;
  await recordDirectAttempt(app.world, app.db, { ...message, id: waiting }, away, false);
  await recordDirectAttempt(
    app.world,
    app.db,
    { ...message, id: accepted },
    { kind: 'accepted', providerId: null },
    false,
  );
  const mail = { send: () => Promise.reject(new Error('nothing is to be sent')), close: async () => {} };
  const deps = { world: app.world, mail, origin: 'https://sign.example', isLastAttempt: false };
  // The draft was returned meanwhile.
  await sendReviewNotice(app.db, deps, { ...job, messageId: waiting });
  await (await signedIn(app, await addMember(app, company.id, 'member'))).post(`/documents/${draft}/review`);
  await sendReviewNotice(app.db, deps, { ...job, messageId: accepted });
  const states = (await list('&kind=review_submitted')).map(({ id, state }) => [id, state]);
  expect(states).toEqual(
    expect.arrayContaining([
      [waiting, 'cancelled'],
      [accepted, 'accepted'],
    ]),
  );
});

test('members of a removed company get no e-mail about a review', async () => {
  const { id: accountId, key } = await createCompany(app);
  const { id: memberId } = await addMember(app, accountId, 'owner');
  const documentId = await createDraft(app, key);
  await app.db.query({
    name: '',
    text: `update documents set status = 'in_review' where id = $1`,
    values: [documentId],
  });
  await app.db.transaction((tx) => removeAccount(app.world, tx, accountId));
  const mail = { send: () => Promise.reject(new Error('nothing is to be sent')), close: async () => {} };
  const deps = { world: app.world, mail, origin: 'https://sign.example', isLastAttempt: false };
  const job = { name: 'tell-of-review', messageId: app.world.newId(), accountId, documentId, memberId } as const;
  await sendReviewNotice(app.db, deps, { ...job, by: null, language: 'en', occasion: 'submitted' });
});

test('codes, links and notices are in the log, and nothing that opens a document', async () => {
  const id = await send([{ ...withCode, email: 'code@example.com' }, grace], { title: 'With a code' });
  const signer = await openLinkOf(app, company, id, withCode.name);
  const code = await signer.sendCode();
  await signer.verify(code);
  const account = await send([{ ...ada, auth_level: 'l0_account_session' }]);
  await (await openLinkOf(app, company, account, ada.name)).post('account');
  await (await openLinkOf(app, company, id, grace.name)).post('decline', { reason: 'Too dear.' });
  await eventually(
    () => kinds(),
    (found) => ['sender_declined', 'recipient_declined'].every((kind) => found.includes(kind as never)),
  );
  const draft = await createDraft(app, company.key, {});
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  await member.post(`/documents/${draft}/review`);
  await inState('accepted', '&kind=review_submitted');
  const found = await list();
  expect(new Set(found.map(({ kind }) => kind))).toEqual(
    new Set([
      'review_submitted',
      'recipient_declined',
      'sender_declined',
      'sign_in_link',
      'verification_code',
      'signature_request',
    ]),
  );
  expect(found.find(({ kind }) => kind === 'verification_code')).toMatchObject({
    channel: 'sms',
    state: 'accepted',
    to: { name: withCode.name, address: withCode.phone },
  });
  expect(found.find(({ kind }) => kind === 'sender_declined')?.to).toEqual({
    is_member: true,
    name: null,
    address: owner.email,
  });
  const secrets = inbox.received.flatMap(
    ({ email }) => `${email.text} ${email.html}`.match(/(?<=[/=])[\w-]{43}(?![\w-])/g) ?? [],
  );
  expect(secrets.length).toBeGreaterThan(2);
  for (const path of [
    '/messages?limit=100',
    '/messages/export?format=csv',
    '/messages/export?format=json',
    `/documents/${id}`,
  ]) {
    const { text } = await admin.get(path);
    for (const secret of [code, ...secrets, '/sign/', 'Too dear.', 'Please do not forward']) {
      expect(path.startsWith('/documents') && secret === 'Too dear.' ? '' : text, path).not.toContain(secret);
    }
  }
});

test('messages are filtered by state, kind, address, document and time', async () => {
  const first = await send([ada, lost]);
  await inState('failed');
  app.clock.advance({ minutes: 10 });
  const middle = app.clock.now().toISOString();
  const second = await send([{ name: 'Zoé', email: 'zoé@BÜCHER.example' }]);
  await eventually(
    () => list('&state=accepted'),
    (rows) => rows.length === 2,
  );
  const to = async (address: string) =>
    (await list(`&address=${encodeURIComponent(address)}`)).map((row) => row.to.name);
  expect(await to('ADA@EXAMPLE.COM')).toEqual([ada.name]);
  expect(await to('zoé@xn--bcher-kva.example')).toEqual(['Zoé']);
  expect(await to('da@example.com')).toEqual([]);
  expect(await to('%')).toEqual([]);
  expect((await list(`&document_id=${first}`)).map(({ document }) => document.id)).toEqual([first, first]);
  expect((await list(`&from=${middle}`)).map(({ document }) => document.id)).toEqual([second]);
  expect(await filter('to', middle)).toHaveLength(2);
  expect(await filter('kind', 'signature_request')).toHaveLength(3);
  expect(await filter('kind', 'reminder')).toEqual([]);
  expect(await filter('kind', 'sender_completed')).toEqual([]);
  expect(await filter('kind', 'verification_code')).toEqual([]);
  expect(await kinds(`&state=failed&kind=signature_request&document_id=${first}&address=${lost.email}`)).toHaveLength(
    1,
  );
  await admin.post(`/documents/${second}/void`, { reason: 'Wrong.' });
  for (const bad of [
    'state=lost',
    'kind=letter',
    'document_id=1',
    'from=now',
    'to=2026-02-30',
    'address=%00',
    `address=${'x'.repeat(321)}`,
    'starting_after=x',
  ]) {
    const [status] = refusal(await admin.get(`/messages?${bad}`));
    expect(status, bad).toBe(400);
  }
  expect(refusal(await admin.get('/messages/export?format=xml'))).toEqual([400, 'invalid_input']);
});

test('pages follow each other without a gap, and a cursor belongs to its filters', async () => {
  for (let i = 0; i < 3; i++) await send([ada, { name: 'Grace', email: `grace${i}@example.com` }]);
  const all = (await list()).map(({ id }) => id);
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await admin.get(`/messages?limit=2${cursor && `&starting_after=${cursor}`}`);
    found.push(...body.data.map(({ id }: MessageJson) => id));
    cursor = body.has_more ? body.next_cursor : '';
    if (cursor) expect((await admin.get(`/messages?limit=2&state=failed&starting_after=${cursor}`)).status).toBe(400);
  } while (cursor);
  expect(found).toEqual(all);
  expect(new Set(found).size).toBe(6);
});

test('a search ends after a bounded number of messages, and goes on from there', async () => {
  const id = await send([ada]);
  await inState('accepted');
  app.clock.advance({ seconds: 1 });
  const ids = Array.from({ length: messagesLookedAtMax }, () => app.world.newId());
  await app.db.query({
    name: '',
    text: `insert into direct_messages (id, account_id, document_id, kind, channel, status, created_at, settled_at)
           select id, $2, $3, 'review_submitted', 'email', 'accepted', $4, $4 from unnest($1::uuid[]) id`,
    values: [ids, company.id, id, app.clock.now()],
  });
  const to = app.clock.now().toISOString();
  const first = (await admin.get(`/messages?to=${to}`)).body;
  expect(first).toMatchObject({ data: [], has_more: true, searched_to: expect.any(String) });
  const second = (await admin.get(`/messages?to=${to}&starting_after=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ data: [{ kind: 'signature_request' }], has_more: false, searched_to: null });
  expect((await admin.get('/messages/export?format=json')).text.split('\n')).toHaveLength(messagesLookedAtMax + 2);
});

test('each company sees its own messages only, and members none', async () => {
  const id = await send([ada]);
  const other = await createCompany(app);
  const stranger = await signedIn(app, await addMember(app, other.id, 'owner'));
  expect(await list('', stranger)).toEqual([]);
  expect(await list(`&document_id=${id}`, stranger)).toEqual([]);
  const { body } = await admin.get('/messages?limit=1');
  expect(body.data).toHaveLength(1);
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  expect((await member.get('/messages')).status).toBe(403);
  expect((await member.get('/messages/export')).status).toBe(403);
});

test('someone who was replaced is not shown with the address of the new person', async () => {
  const id = await send([ada]);
  await inState('accepted');
  const { body } = await admin.get(`/documents/${id}`);
  await admin.post(`/documents/${id}/recipients/${body.recipients[0].id}/reassign`, grace);
  await eventually(
    () => list('&state=accepted'),
    (rows) => rows.length === 3,
  );
  const rows = (await list()).map(({ kind, to }) => [kind, to.name, to.address]);
  expect(rows).toHaveLength(3);
  expect(rows).toContainEqual(['signature_request', grace.name, grace.email]);
  expect(rows).toContainEqual(['signature_request', null, 'ada@example.com']);
  expect(rows).toContainEqual(['recipient_reassigned', null, 'ada@example.com']);
  await eraseFromMessages(app.db, 'ada@example.com', company.id);
  const text = (await admin.get('/messages')).text + (await admin.get('/messages/export')).text;
  expect(text.toLowerCase()).not.toContain('ada@example.com');
  expect(text).toContain(grace.email);
});

test('a member who was erased disappears from the log', async () => {
  const member = await addMember(app, company.id, 'admin');
  const visitor = await signedIn(app, member);
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await visitor.post(`/documents/${id}/send`);
  await (await openLinkOf(app, company, id, ada.name)).post('sign', signature);
  await inState('accepted', '&kind=sender_completed');
  expect(await list(`&address=${member.email}`)).toHaveLength(1);
  await app.db.transaction((tx) => erasePerson(app.world, tx, member.personId));
  expect(await list(`&address=${member.email}`)).toEqual([]);
  expect((await admin.get('/messages/export?format=json')).text).not.toContain(member.email);
});

test('the export has all matching messages, guarded against formulas', async () => {
  await send([{ name: '=HYPERLINK("https://evil.example")', email: 'x@example.com' }, lost]);
  await inState('failed');
  const csv = await admin.get('/messages/export?kind=signature_request');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toMatch(/messages-2026-\d\d-\d\d\.csv/);
  expect(csv.text).toContain('"Queued (UTC)","Message","To","Name"');
  expect(csv.text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect((await admin.get('/messages/export?state=failed')).text.trim().split('\r\n')).toHaveLength(2);
  const [line] = (await admin.get('/messages/export?format=json&state=failed')).text.split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ state: 'failed', to: { address: lost.email } });
});

test('every kind, state and reply has words in both languages', () => {
  for (const language of ['en', 'es'] as const) {
    for (const kind of loggedKinds) expect(kindNames[language][kind]).toMatch(/^\p{Lu}/u);
    for (const state of messageStates) expect(stateNames[language][state]).toMatch(/^\p{Lu}/u);
  }
  const replies: [string, string][] = [
    ['550 5.1.1 (address): Recipient address rejected: User unknown', 'The address does not exist.'],
    ['552 5.2.2 The recipient’s inbox is out of storage', 'The mailbox is full.'],
    ['no connection to the mail server (ECONNREFUSED)', 'The mail server can’t be reached or takes too long.'],
    ['550 5.7.26 unauthenticated', 'The mail server refused the message by its rules, often those against spam.'],
    ['the number is a landline (Twilio answered 400, error 21635)', 'The phone number can’t get text messages.'],
    [
      '550 5.1.8 (address): Sender address rejected: Domain not found',
      'The mail server doesn’t accept e-mails from our service. The operator has to check its settings.',
    ],
    ['451 temporary', 'The mail server can’t take it now.'],
    ['', 'It could not be delivered.'],
  ];
  for (const [reply, text] of replies) expect(explainReply(reply, 'en')).toBe(text);
  expect(explainReply('550 no', 'es')).toBe('El servidor de correo lo rechazó.');
});

test('each filter is answered by an index', async () => {
  const id = await send([ada]);
  // In parts: each statement has a time limit.
  for (const from of [0, 2000, 4000, 6000, 8000]) {
    await app.db.query({
      name: '',
      text: `insert into messages (id, account_id, document_id, recipient_id, kind, channel, step, status, created_at, settled_at, address)
           select gen_random_uuid(), $1, $2, (select id from recipients where document_id = $2), 'reminder', 'email', null,
             'accepted', $3, $3, 'n' || n || '@example.com' from generate_series($4::int + 1, $4 + 2000) n`,
      values: [company.id, id, app.clock.now(), from],
    });
  }
  await app.db.query({ name: '', text: 'analyze messages', values: [] });
  const plan = async (filter: Partial<MessageFilter>) => {
    let text = '';
    const explaining: Queryable = {
      // As on the connections of the service: one plan for all values.
      query: async <Row>(statement: Statement<Row>) => {
        const literals = statement.values.map((value) => (value === null ? 'null' : `'${value}'`));
        const run = (tx: Queryable, statementText: string) =>
          tx.query<Record<string, string>>({ name: '', text: statementText, values: [] });
        const rows = await app.db.transaction(async (tx) => {
          await run(tx, `prepare explained as ${statement.text}`);
          const explained = await run(tx, `explain execute explained (${literals.join(', ')})`);
          await run(tx, 'deallocate explained');
          return explained;
        });
        text = rows.map((row) => row['QUERY PLAN']).join('\n');
        return [];
      },
    };
    const all = { state: null, kind: null, address: null, documentId: null, from: null, to: null };
    await readMessageLog(explaining, company.id, { ...all, ...filter }, { afterId: null, limit: 51 });
    expect(text).not.toContain('Seq Scan on messages');
    return text;
  };
  expect(await plan({})).toContain('messages_by_account');
  expect(await plan({ state: 'accepted' })).toContain('messages_by_account');
  expect(await plan({ state: 'failed' })).toContain('messages_not_accepted');
  expect(await plan({ state: 'waiting' })).toContain('messages_not_accepted');
  expect(await plan({ state: 'bounced' })).toContain('messages_bounced');
  expect(await plan({ address: 'n7@example.com' })).toContain('messages_by_address');
  expect(await plan({ address: 'n7@example.com', state: 'failed' })).toMatch(/messages_(by_address|not_accepted)/);
});
