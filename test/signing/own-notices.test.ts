import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeMember } from '../../src/accounts/members.ts';
import { setNoticeKinds } from '../../src/accounts/notice-kinds.ts';
import { senderNoticeKinds } from '../../src/accounts/own-notices.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { emptyInbox, type Inbox, startInbox } from '../support/inbox.ts';
import {
  type Company,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openLinkOf } from './signer.ts';

/** Which notices a member gets as the sender, chosen in the console or with the link in an e-mail. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let sender: Member;
let visitor: Visitor;

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({ env: { SMTP_URL: inbox.url, MAIL_FROM: 'Acme <no-reply@acme.example>' } });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  company = await createCompany(app);
  sender = await addMember(app, company.id, 'member');
  visitor = await signedIn(app, sender);
  await emptyInbox(app, inbox);
});

/** A document of the member that its recipient declines. */
async function declined(by = visitor): Promise<string> {
  const id = await createDraft(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  expect((await by.post(`/documents/${id}/send`)).status).toBe(200);
  const { status } = await (await openLinkOf(app, company, id, 'Ada Lovelace')).post('decline', { reason: 'No.' });
  expect(status).toBe(200);
  return id;
}

const noticesOf = (id: string) =>
  app.db.query<{ kind: string; status: string }>({
    name: '',
    text: `select kind, status from notices where account_id = $1 and document_id = $2 and kind like 'sender%'`,
    values: [company.id, id],
  });
const mails = () => inbox.received.filter(({ to }) => to === sender.email).map(({ email }) => email);
const headerOf = (name: string) =>
  mails()
    .at(-1)
    ?.headers.find(({ key }) => key === name)?.value;
const own = async () => (await visitor.get('/own-notices')).body;

async function audited(): Promise<{ person_id: string | null; detail: object }[]> {
  return app.db.query({
    name: '',
    text: `select person_id, detail from account_audit_entries
           where account_id = $1 and action = 'own_notices_chosen' order by id`,
    values: [company.id],
  });
}

/** The link of the newest notice. */
async function mailedLink(): Promise<URL> {
  await declined();
  await eventually(
    async () => mails().length,
    (count) => count > 0,
  );
  return new URL(/^<(.+)>$/.exec(headerOf('list-unsubscribe') ?? '')?.[1] ?? '');
}

const oneClick = (link: URL, method = 'POST') =>
  fetch(link, {
    method,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
  });

test('a member chooses their notices, in one company only, and the choice is in the audit log', async () => {
  expect(await own()).toEqual({ kinds: senderNoticeKinds, off_for_company: [] });
  const chosen = { kinds: ['sender_completed', 'sender_bounced'] };
  expect((await visitor.post('/own-notices', chosen)).body).toEqual({ ...chosen, off_for_company: [] });
  await visitor.post('/own-notices', chosen);
  expect(await audited()).toEqual([
    { person_id: sender.personId, detail: { member_id: sender.id, email: sender.email, ...chosen } },
  ]);
  expect(await noticesOf(await declined())).toEqual([]);

  const colleague = await addMember(app, company.id, 'member');
  const id = await declined(await signedIn(app, colleague));
  await eventually(
    () => noticesOf(id),
    ([notice]) => notice?.status === 'accepted',
  );
  expect(mails()).toEqual([]);
  for (const kinds of [['recipient_voided'], ['sender_declined', 'sender_declined'], ['x'], 'all', null])
    expect(refusal(await visitor.post('/own-notices', { kinds })), String(kinds)).toEqual([400, 'invalid_input']);
});

test('nobody gets a notice that the company has switched off, and their own choice is kept', async () => {
  const kinds = ['sender_completed' as const];
  await app.db.transaction((tx) => setNoticeKinds(app.world, tx, company.id, kinds, null));
  expect(await own()).toEqual({
    kinds: senderNoticeKinds,
    off_for_company: ['sender_declined', 'sender_bounced', 'sender_delegated', 'sender_commented'],
  });
  expect(await noticesOf(await declined())).toEqual([]);
});

test('a notice has a link that switches it off, and a GET or HEAD of it changes nothing', async () => {
  const link = await mailedLink();
  const [email] = mails();
  expect(headerOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(email?.text).toContain(link.href);
  expect(email?.html).toContain(link.href);
  for (const method of ['GET', 'HEAD', 'GET']) {
    const answer = await oneClick(link, method);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await answer.text();
    if (method === 'GET') expect(text).toContain('<form method="post"');
  }
  expect(await own()).toEqual({ kinds: senderNoticeKinds, off_for_company: [] });
  expect(await audited()).toEqual([]);

  for (let clicks = 0; clicks < 2; clicks++) {
    const answer = await oneClick(link);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Switched off');
  }
  const kinds = senderNoticeKinds.filter((kind) => kind !== 'sender_declined');
  expect(await own()).toEqual({ kinds, off_for_company: [] });
  expect(await audited()).toEqual([
    {
      person_id: sender.personId,
      detail: { member_id: sender.id, email: sender.email, kinds, by: 'link in an e-mail' },
    },
  ]);
  expect(await (await oneClick(link, 'GET')).text()).not.toContain('<form');
  expect(await noticesOf(await declined())).toEqual([]);
});

test.each([
  ['another notice', (path: string) => path.replace('sender_declined', 'sender_completed')],
  ['a notice to recipients', (path: string) => path.replace('sender_declined', 'recipient_voided')],
  ['another signature', (path: string) => `${path.slice(0, -6)}AAAAAA`],
  ['no signature', (path: string) => path.replace(/\.[^.]+$/, '.')],
  ['less', (path: string) => path.replace(/\.[^.]+$/, '')],
  ['more', (path: string) => `${path}.x`],
  ['a long text', (path: string) => `${path}${'a'.repeat(3000)}`],
])('a link changed to %s switches nothing off', async (_, change) => {
  const link = await mailedLink();
  const answer = await oneClick(new URL(change(link.pathname), link));
  expect([404, 414]).toContain(answer.status);
  expect(await own()).toEqual({ kinds: senderNoticeKinds, off_for_company: [] });
});

test('a link of another member or company is worth nothing here, and one of a removed member nothing at all', async () => {
  const link = await mailedLink();
  const other = await addMember(app, company.id, 'member');
  expect((await oneClick(new URL(link.pathname.replace(sender.id, other.id), link))).status).toBe(404);
  await app.db.transaction((tx) => removeMember(app.world, tx, sender.id, null));
  expect((await oneClick(link)).status).toBe(404);
});

test('a large or strange body of a click is refused or ignored, and harms nothing', async () => {
  const link = await mailedLink();
  const large = await fetch(link, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(large.status).toBe(400);
  expect((await own()).kinds).toEqual(senderNoticeKinds);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  expect((await fetch(link, { method: 'POST', body: form })).status).toBe(200);
  expect((await own()).kinds).not.toContain('sender_declined');
});

test('a notice that waits for the mail server is not sent once it is switched off', async () => {
  const later = await addMember(app, company.id, 'member', `sender-${app.world.newId()}@later.example`);
  const browser = await signedIn(app, later);
  const id = await declined(browser);
  await eventually(
    () =>
      app.db.query<{ attempts: number }>({
        name: '',
        text: 'select attempts from notices where document_id = $1',
        values: [id],
      }),
    ([row]) => (row?.attempts ?? 0) > 0,
  );
  await browser.post('/own-notices', { kinds: [] });
  await eventually(
    () => noticesOf(id),
    ([notice]) => notice?.status === 'cancelled',
  );
});
