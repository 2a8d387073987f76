import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { personActor } from '../../src/actor.ts';
import { restrictDocument } from '../../src/documents/document-actions.ts';
import { openDetail } from '../../src/documents/hidden-details.ts';
import { operate } from '../api/operate.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
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
import { actionsOf, auditOf, openLinkOf, type Signer, signature, withCode } from './signer.ts';

/** Recipients who write to the sender without declining. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let sender: Member;
let member: Visitor;

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({ env: { SMTP_URL: inbox.url, MAIL_FROM: 'Acme <no-reply@acme.example>' } });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  await sql('delete from guess_counters');
  company = await createCompany(app);
  sender = await addMember(app, company.id, 'member');
  member = await signedIn(app, sender);
  await emptyInbox(app, inbox);
});

const sql = <Row>(text: string, values: unknown[] = []) => app.db.query<Row>({ name: '', text, values });
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const question = 'Is the rent due on the 1st?\nAnd may I keep a dog? 🐕';

/** Creates a document and sends it in the console. */
async function sent(changes: object = {}, by = member): Promise<string> {
  const id = await createDraft(app, company.key, { title: 'Lease of the mill', recipients: [ada], ...changes });
  const { status, text } = await by.post(`/documents/${id}/send`);
  expect(status, text).toBe(200);
  return id;
}

async function write(signer: Signer, comment: string, headers: Record<string, string> = {}, action = 'comment') {
  const cookie = [...signer.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const response = await fetchLocally(`${signer.link}/comment`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Test/1.0', cookie, ...headers },
    body: new URLSearchParams({ action, comment }).toString(),
  });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}

const open = (id: string, name = ada.name) => openLinkOf(app, company, id, name);
const commentsOf = async (id: string, by = member) => (await by.get(`/documents/${id}/comments`)).body?.data;
const mails = (to = sender.email) => inbox.received.filter((one) => one.to === to).map(({ email }) => email);
const comments = () => mails().filter(({ subject }) => subject?.includes('wrote a comment'));
const told = (count: number) =>
  eventually(
    async () => comments(),
    (found) => found.length === count,
  );
const noticesOf = async (id: string) =>
  (
    await sql<{ state: string }>(
      `select kind || ' ' || status as state from notices where account_id = $1 and document_id = $2 order by created_at`,
      [company.id, id],
    )
  ).map(({ state }) => state);

async function allow(allows_comments: boolean): Promise<void> {
  const settings = await readSigningSettings(app.db, company.id);
  await app.db.transaction((tx) =>
    setSigningSettings(app.world, tx, company.id, { ...settings, allows_comments }, null),
  );
}

test('a question reaches the sender, who can answer it, and the recipient can still sign', async () => {
  const id = await sent();
  const signer = await open(id);
  const path = new URL(signer.link).pathname;
  for (const page of ['', '/form']) expect((await signer.page(page)).text).toContain(`href="${path}/comment"`);
  expect((await signer.page('/comment')).text).toContain('Write to the sender');
  expect(await commentsOf(id)).toEqual([]);
  expect((await member.get(`/documents/${id}`)).body.has_comments).toBe(false);

  const answer = await write(signer, `  ${question.replace('\n', '\r\n')} `);
  expect(answer).toMatchObject({ status: 303, to: `${path}/comment?sent` });
  const after = await signer.page('/comment?sent');
  expect(after.text).toContain('Sent. You can close this page');
  expect(after.text).toContain(question);

  const [mail] = await told(1);
  expect(mail?.subject).toBe('Ada Lovelace wrote a comment: “Lease of the mill”');
  for (const said of ['Is the rent due on the 1st?', 'And may I keep a dog? 🐕', `/documents/${id}`, 'reply to this'])
    expect(mail?.text).toContain(said);
  expect(mail?.replyTo).toEqual([{ name: '', address: ada.email }]);
  expect(`${mail?.text} ${mail?.html}`).not.toContain('/sign/');

  expect((await member.get(`/documents/${id}`)).body.has_comments).toBe(true);
  expect(await commentsOf(id)).toEqual([
    { id: expect.any(String), at: expect.any(String), name: ada.name, text: question },
  ]);
  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'commented');
  expect(entry).toMatchObject({ actor: `recipient:${signer.recipientId}` });
  expect(entry && openDetail(entry)).toEqual({ ip: expect.any(String), user_agent: 'Test/1.0' });
  expect((await signer.post('sign', signature)).status).toBe(200);
  expect((await write(signer, 'Too late')).status).toBe(409);
});

test('a comment that is written until the verification has ended stays, and is sent after a new one', async () => {
  const id = await sent({ recipients: [withCode] });
  const signer = await open(id);
  await signer.verify(await signer.sendCode());
  expect((await write(signer, 'The first question')).status).toBe(303);
  app.clock.advance({ minutes: 31 });
  const refused = await write(signer, question);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain(question);
  expect(refused.text).toContain('Your verification expired');
  expect(refused.text).toContain(`<a href="${new URL(signer.link).pathname}" target="_blank">`);
  expect(refused.text).not.toContain('The first question');
  // A frame has a cookie of its own, so its page for a new code is opened in it.
  const framed = await write(signer, question, { 'sec-fetch-dest': 'iframe' });
  expect(framed.text).toContain(`<a href="${new URL(signer.link).pathname}">Show current status</a>`);
  const translated = await write(signer, question, {}, 'language-de');
  expect(translated.text).toContain(question);
  expect(translated.text).toContain('lang="de"');
  await signer.verify(await signer.sendCode());
  expect((await write(signer, question)).status).toBe(303);
  expect(await commentsOf(id)).toHaveLength(2);
});

test('the same text twice is one comment, also at once, and another text is another', async () => {
  const id = await sent();
  const signer = await open(id);
  const both = await Promise.all([write(signer, question), write(signer, question)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect((await write(signer, question)).status).toBe(303);
  expect((await write(signer, 'Thanks!')).status).toBe(303);
  expect((await commentsOf(id)).map(({ text }: { text: string }) => text)).toEqual([question, 'Thanks!']);
  expect((await actionsOf(app, company, id)).filter((action) => action === 'commented')).toHaveLength(2);
  await told(2);
});

test('a company switches comments off, and a company or member the e-mail', async () => {
  const id = await sent();
  const signer = await open(id);
  await allow(false);
  for (const page of ['', '/form']) expect((await signer.page(page)).text).not.toContain('/comment"');
  expect((await signer.page('/comment')).status).toBe(403);
  expect((await write(signer, question)).status).toBe(403);
  expect(await commentsOf(id)).toEqual([]);
  await allow(true);
  const { kinds } = (await member.get('/own-notices')).body as { kinds: string[] };
  const without = kinds.filter((kind) => kind !== 'sender_commented');
  expect(without).toHaveLength(kinds.length - 1);
  expect((await member.post('/own-notices', { kinds: without })).status).toBe(200);
  expect((await write(signer, question)).status).toBe(303);
  expect((await member.post('/own-notices', { kinds })).status).toBe(200);
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const all = (await admin.get('/notices')).body.kinds as string[];
  await admin.post('/notices', { kinds: all.filter((kind) => kind !== 'sender_commented') });
  expect((await write(signer, 'Second')).status).toBe(303);
  expect(await noticesOf(id)).toEqual([]);
  expect(await commentsOf(id)).toHaveLength(2);
});

const refused: Array<[string, string]> = [
  ['nothing', ''],
  ['white space', ' \n\u3000\t '],
  ['invisible characters', '\u200b\u2060\u3164'],
  ['2001 characters', 'x'.repeat(2001)],
  ['a NUL', 'a\u0000b'],
  ['an escape sequence', 'a\u001b[2Jb'],
];
test.each(refused)('%s is no comment', async (_, text) => {
  const id = await sent();
  const answer = await write(await open(id), text);
  expect([answer.status, answer.text.includes('href="#comment"')]).toEqual([400, true]);
  expect(await commentsOf(id)).toEqual([]);
  expect(await actionsOf(app, company, id)).not.toContain('commented');
});

test('2000 characters outside the basic plane fit, and markup and directions do no harm', async () => {
  const id = await sent();
  const signer = await open(id);
  const long = '😀'.repeat(2000);
  expect((await write(signer, long)).status).toBe(303);
  const hostile = '</textarea><script>alert(1)</script> & "x"\u202Egnp.exe';
  expect((await write(signer, hostile)).status).toBe(303);
  expect((await commentsOf(id)).map(({ text }: { text: string }) => text)).toEqual([long, hostile]);
  const page = await signer.page('/comment');
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const mail = (await told(2)).find(({ text }) => text?.includes('alert(1)'));
  expect(mail?.html).not.toMatch(/<script|\u202E/);
});

test('who waits may ask too, and who gets a copy, signs in person or has not proved who they are may not', async () => {
  const parties = [
    ada,
    { name: 'Bo Waits', email: 'bo@example.com' },
    { name: 'Carl', email: 'c@example.com', role: 'cc' },
  ];
  const id = await sent({ recipients: parties, content: { sign_order_mode: 'sequential' } });
  const bo = await open(id, 'Bo Waits');
  for (const page of ['', '/form']) expect((await bo.page(page)).text).toContain('/comment"');
  expect((await write(bo, 'When is it my turn?')).status).toBe(303);
  const carl = await open(id, 'Carl');
  expect((await carl.page()).text).not.toContain('/comment"');
  expect((await write(carl, question)).status).toBe(409);
  // Nobody reads what others wrote.
  expect((await (await open(id)).page('/comment')).text).not.toContain('When is it my turn?');
  const here = await sent({ recipients: [{ name: 'Dora', channel: 'in_person' }] });
  expect((await write(await open(here, 'Dora'), question)).status).toBe(403);
  const coded = await sent({ recipients: [withCode] });
  const locked = await open(coded);
  expect((await write(locked, question)).status).toBe(403);
  expect((await locked.page('/comment')).text).not.toContain('Write to the sender');
  await locked.verify(await locked.sendCode());
  expect((await write(locked, question)).status).toBe(303);
  expect(await commentsOf(here)).toEqual([]);
});

test('the comments end with the document and the link, and stay to be read', async () => {
  const id = await sent();
  const signer = await open(id);
  expect((await write(signer, question)).status).toBe(303);
  const to = { name: 'Grace Hopper', email: 'grace@example.com' };
  expect((await member.post(`/documents/${id}/recipients/${signer.recipientId}/reassign`, to)).status).toBe(200);
  expect((await write(signer, 'Me again')).status).toBe(404);
  const grace = await open(id, 'Grace Hopper');
  expect((await grace.page('/comment')).text).not.toContain(question);
  expect((await write(grace, 'I am new here.')).status).toBe(303);
  expect((await member.post(`/documents/${id}/void`, { reason: 'A mistake.' })).status).toBe(200);
  expect((await write(grace, 'Why?')).status).toBe(409);
  expect((await commentsOf(id)).map(({ name }: { name: string }) => name)).toEqual([ada.name, 'Grace Hopper']);
  // An answer must not go to someone else who has the place now.
  const replies = (await told(2)).map(({ text, replyTo }) => [text?.includes('I am new'), replyTo?.[0]?.address]);
  expect(replies).toContainEqual([true, to.email]);
});

test('a document has at most 50 comments, and a recipient writes ten an hour', async () => {
  const id = await sent();
  const signer = await open(id);
  for (let number = 1; number <= 10; number += 1) expect((await write(signer, `No. ${number}`)).status).toBe(303);
  const often = await write(signer, 'No. 11');
  expect([often.status, often.text.includes('Wait an hour'), often.text.includes('No. 11')]).toEqual([429, true, true]);
  await sql(
    `insert into recipient_comments (account_id, document_id, id, recipient_id, holder, at, name, text)
     select account_id, document_id, gen_random_uuid(), recipient_id, holder, at - interval '1 day', name, text || n
     from recipient_comments, generate_series(1, 39) as n where document_id = $1 and text = 'No. 1'`,
    [id],
  );
  await sql('delete from guess_counters');
  const last = await Promise.all([write(signer, 'Last'), write(signer, 'Or this')]);
  expect(last.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await commentsOf(id)).toHaveLength(50);
});

test('few comments come from one address', async () => {
  const signer = await open(await sent());
  expect((await write(signer, 'First')).status).toBe(303);
  await sql(`update guess_counters set tries = 60 where bucket like 'comment_from_ip:%'`);
  expect((await write(await open(await sent()), 'Another')).status).toBe(429);
});

test('a test document keeps comments and sends nothing, and so does one that an API key sent', async () => {
  for (const key of [company.testKey, company.key]) {
    const id = await createSent(app, key, { recipients: [ada] });
    expect((await write(await open(id), question)).status).toBe(303);
    expect(await commentsOf(id)).toHaveLength(1);
    expect(await noticesOf(id)).toEqual([]);
  }
});

test('of a restricted document, admins are told without names, text and address, and members see nothing', async () => {
  const boss = await addMember(app, company.id, 'admin');
  const admin = await signedIn(app, boss);
  const id = await sent({}, admin);
  await operate(app, id, (tx, document) =>
    restrictDocument(app.world, tx, document, personActor(boss.personId), 'health'),
  );
  expect((await write(await open(id), question)).status).toBe(303);
  const [mail] = await eventually(
    async () => mails(boss.email).filter(({ subject }) => subject?.includes('wrote a comment')),
    (found) => found.length > 0,
  );
  expect(mail?.subject).toBe('A recipient wrote a comment: “A restricted document”');
  for (const secret of ['rent', ada.name, 'mill', ada.email])
    expect(`${mail?.text}${mail?.html}`).not.toContain(secret);
  expect(mail?.replyTo).toBeUndefined();
  expect(mail?.text).toContain('does not reach the recipient');
  expect(await commentsOf(id, admin)).toHaveLength(1);
  expect((await member.get(`/documents/${id}/comments`)).status).toBe(404);
});

test('another site cannot post the form, other companies do not see comments, and a wrong link is none', async () => {
  const id = await sent();
  const signer = await open(id);
  expect((await write(signer, question, { origin: 'https://evil.example' })).status).toBe(400);
  expect((await write({ ...signer, link: `${signer.link}x` }, question)).status).toBe(404);
  const unread = await fetchLocally(`${signer.link}/comment`, { method: 'POST', headers: {}, body: 'x' });
  expect(unread.status).toBeGreaterThanOrEqual(400);
  expect(await commentsOf(id)).toEqual([]);
  expect((await write(signer, question)).status).toBe(303);
  const other = await createCompany(app);
  const stranger = await signedIn(app, await addMember(app, other.id, 'owner'));
  expect((await stranger.get(`/documents/${id}/comments`)).status).toBe(404);
});
