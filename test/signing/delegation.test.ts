import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import type { MailMessage } from '../../src/platform/mail.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { sendAccountLink } from '../../src/signing/send-account-link.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { postPdf, sealedPdf } from '../verify/sealed.ts';
import { actionsOf, auditOf, newestCode, openLinkOf, phone, type Signer, signature, withCode } from './signer.ts';

/** Recipients who name someone else to sign or approve instead of them. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await allow(true);
  await app.db.query({ name: '', text: 'delete from guess_counters', values: [] });
});

const allow = (allows_delegation: boolean) =>
  app.db.transaction(async (tx) => {
    const settings = await readSigningSettings(tx, company.id);
    await setSigningSettings(app.world, tx, company.id, { ...settings, allows_delegation }, null);
  });

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
let people = 0;

async function sent(recipients: object[] = [ada], changes: object = {}): Promise<string> {
  return createSent(app, company.key, { title: 'Lease of the mill', recipients, ...changes });
}

/** Someone else, with an address that nobody else has. */
function other(changes: Record<string, string> = {}): Record<string, string> {
  people += 1;
  return { name: 'Grace Hopper', email: `grace${people}@example.com`, reason: 'She signs for the mill.', ...changes };
}

async function name(signer: Signer, person: Record<string, string>, headers: Record<string, string> = {}) {
  const cookie = [...signer.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const response = await fetchLocally(`${signer.link}/delegate`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Test/1.0', cookie, ...headers },
    body: new URLSearchParams({ action: 'delegate', ...person }).toString(),
  });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}

const passedOn = { status: 303, to: '/sign/passed-on' };
const recipientsOf = (id: string) => listRecipients(app.db, company.id, id);
const mailTo = (to: string) => listMailbox(join(app.dataDir, 'mailbox'), { to });

test('the page offers it only where the company allows it', async () => {
  const signer = await openLinkOf(app, company, await sent(), 'Ada Lovelace');
  for (const path of ['', '/form']) expect((await signer.page(path)).text).toContain(`${pathOf(signer)}/delegate`);
  await allow(false);
  for (const path of ['', '/form']) expect((await signer.page(path)).text).not.toContain('/delegate');
  expect((await name(signer, other())).status).toBe(403);
  expect((await signer.page('/delegate')).status).toBe(403);
});

function pathOf({ link }: Signer): string {
  return new URL(link).pathname;
}

test('nobody can have us send words of their own to a stranger', async () => {
  const signer = await openLinkOf(app, company, await sent(), 'Ada Lovelace');
  const words = 'Your account is blocked: https://evil.example/login';
  for (const bad of [`Bob\n${words}`, `Bob\u2028${words}`, '\u200b']) {
    expect((await name(signer, other({ name: bad }))).status).toBe(400);
  }
  const bob = other({ name: `Bob ${words}` });
  expect(await name(signer, bob)).toMatchObject(passedOn);
  const [request] = await eventually(
    () => mailTo(bob.email ?? ''),
    (mails) => mails.length > 0,
  );
  expect(request?.text).toMatch(/^Hello,$/m);
  expect(JSON.stringify(request)).not.toContain('evil.example');
});

test('the sign-in e-mail doesn’t carry the name that another recipient gave', async () => {
  const member = await addMember(app, company.id, 'member');
  const id = await sent([{ name: 'Ada Lovelace', email: member.email, auth_level: 'l0_account_session' }]);
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  for (const [cookie, value] of (await signedIn(app, member)).cookies) signer.cookies.set(cookie, value);
  const bob = other({ name: 'Call 555-0100 now' });
  expect(await name(signer, bob)).toMatchObject(passedOn);
  const { link } = await openLinkOf(app, company, id, 'Call 555-0100 now');
  const mails: MailMessage[] = [];
  const delivery = {
    mail: {
      send: async (mail: MailMessage) => {
        mails.push(mail);
        return { kind: 'accepted', providerId: null } as const;
      },
      close: async () => {},
    },
    origin: () => new URL(link).origin,
    onOutcome: () => {},
  };
  const access = { token: link.split('/').at(-1) ?? '', cookies: undefined, origin: delivery.origin() };
  await sendAccountLink(app.world, app.db, delivery, access, { ip: '192.0.2.1', userAgent: null }, false);
  expect(mails.map(({ to }) => to)).toEqual([{ name: '', address: bob.email }]);
  expect(JSON.stringify(mails)).not.toContain('555-0100');
});

test('the person named gets a request, signs, and is in the trail, on the certificate and in the verified file', async () => {
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  const grace = other({ name: '  Grace Hopper ' });
  expect((await signer.page('/delegate')).text).toContain('Who should sign instead of you?');
  expect(await name(signer, grace)).toMatchObject(passedOn);
  expect((await signer.page()).status).toBe(404);
  expect((await signer.page()).text).toContain('Someone else has been asked to sign the document from');
  expect((await signer.post('sign', signature)).status).toBe(404);

  const [request] = await eventually(
    () => mailTo(grace.email ?? ''),
    (mails) => mails.length > 0,
  );
  expect(request?.subject).toContain('Lease of the mill');
  // Who passed it on is told too, so that nobody does it behind their back.
  await eventually(
    () => mailTo(ada.email),
    (mails) => mails.some(({ subject }) => subject?.includes('No longer needed from you')),
  );
  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'reassigned');
  expect(entry).toMatchObject({
    actor: `recipient:${signer.recipientId}`,
    detail: {
      recipient_id: signer.recipientId,
      name: 'Grace Hopper',
      from: 'Ada Lovelace',
      reason: 'She signs for the mill.',
      ip: { sha256: expect.any(String) },
      user_agent: { sha256: expect.any(String) },
    },
    openings: { ip: { value: expect.any(String) }, user_agent: { value: 'Test/1.0' } },
  });
  const next = await openLinkOf(app, company, id, 'Grace Hopper');
  const signed = await next.post('sign', { ...signature, full_name: 'Grace Hopper' });
  expect(signed.status, signed.text).toBe(200);
  const pdf = await sealedPdf(app, id);
  const text = pdfText(pdf).replace(/\s+/g, ' ');
  for (const said of ['Grace Hopper', 'Given to another person', 'She signs for the mill.'])
    expect(text).toContain(said);
  // Each entry names the person who the recipient was then.
  expect(text).toMatch(/Viewed · Ada Lovelace/);
  expect(text).toMatch(/Given to another person · Ada Lovelace/);
  expect(text).toMatch(/Signed · Grace Hopper/);
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const { data } = (await member.get(`/documents/${id}/timeline?limit=20`)).body;
  const told = (action: string) => data.findLast((one: { action: string }) => one.action === action);
  expect(told('viewed').actor).toEqual({ kind: 'recipient', name: 'Ada Lovelace' });
  expect(told('reassigned')).toMatchObject({
    actor: { kind: 'recipient', name: 'Ada Lovelace' },
    about: 'Grace Hopper',
    note: 'She signs for the mill.',
  });
  expect(told('signed').actor).toEqual({ kind: 'recipient', name: 'Grace Hopper' });
  const { body } = await postPdf(app, pdf);
  expect([body.verdict, body.parties[0].name]).toEqual(['valid', 'Grace Hopper']);
});

test('the member who sent the document is told each time, unless the company has switched it off', async () => {
  const sender = await addMember(app, company.id, 'member', 'sender@example.com');
  const member = await signedIn(app, sender);
  const noticesTo = async () =>
    (await mailTo('sender@example.com')).filter(({ subject }) => subject?.includes('named someone else'));
  const pass = async (from: string, to: string, reason = '') =>
    name(await openLinkOf(app, company, id, from), other({ name: to, reason }));
  const id = await createDraft(app, company.key, { title: 'Lease of the dam', recipients: [ada] });
  expect((await member.post(`/documents/${id}/send`, {})).status).toBe(200);
  expect(await pass('Ada Lovelace', 'Grace Hopper', 'I am away.')).toMatchObject(passedOn);
  const [first] = await eventually(noticesTo, (mails) => mails.length === 1);
  expect(first?.subject).toBe('Ada Lovelace named someone else: “Lease of the dam”');
  for (const said of ['Ada Lovelace has named Grace Hopper', 'I am away.', `/documents/${id}`]) {
    expect(first?.text).toContain(said);
  }
  expect(await pass('Grace Hopper', 'Joan Clarke')).toMatchObject(passedOn);
  const both = await eventually(noticesTo, (mails) => mails.length === 2);
  expect(both.map(({ text }) => text).join()).toContain('Grace Hopper has named Joan Clarke');

  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  const kinds = (await admin.get('/notices')).body.kinds as string[];
  expect(kinds).toContain('sender_delegated');
  const without = kinds.filter((kind) => kind !== 'sender_delegated');
  expect((await admin.post('/notices', { kinds: without })).body.kinds).toEqual(without);
  expect(await pass('Joan Clarke', 'Ida Rhodes')).toMatchObject(passedOn);
  await eventually(
    () => mailTo(`grace${people}@example.com`),
    (mails) => mails.length > 0,
  );
  expect(await noticesTo()).toHaveLength(2);
  await admin.post('/notices', { kinds });
});

test('an approver names someone who approves', async () => {
  const id = await sent([{ ...ada, role: 'approver' }], { content: { sign_order_mode: 'sequential' } });
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await signer.page()).text).toContain('Someone else should approve');
  expect((await signer.page('/delegate')).text).toContain('Who should approve instead of you?');
  expect(await name(signer, other())).toMatchObject(passedOn);
  const next = await openLinkOf(app, company, id, 'Grace Hopper');
  expect((await next.post('sign', { ...signature, full_name: 'Grace Hopper' })).status).toBe(200);
});

test('a recipient who needs a code must enter it first, and the next one needs one too', async () => {
  const id = await sent([withCode]);
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await name(signer, other({ phone: '+1 (555) 010-9999' }))).status).toBe(403);
  await signer.verify(await signer.sendCode());
  const page = (await signer.page('/delegate')).text;
  expect([page.includes('name="email"'), page.includes('name="phone"')]).toEqual([true, true]);
  // Phones offer the fitting keyboards.
  expect(page.match(/inputmode="\w+"/g)).toEqual(['text', 'email', 'tel'].map((mode) => `inputmode="${mode}"`));
  const without = await name(signer, other({ phone: '' }));
  expect([without.status, without.text.includes('href="#phone"')]).toEqual([400, true]);
  expect(await name(signer, other({ phone: '+1 (555) 010-9999' }))).toMatchObject(passedOn);
  const next = await openLinkOf(app, company, id, 'Grace Hopper');
  expect((await next.page()).text).not.toContain('Please sign');
  expect((await next.post('sign', signature)).body.error.code).toBe('verification_required');
  await next.post('code');
  await next.verify(await newestCode(app, '+15550109999'));
  expect((await next.post('sign', { ...signature, full_name: 'Grace Hopper' })).status).toBe(200);
  expect(phone).not.toBe('+15550109999');
});

test('what was entered until the verification has ended stays', async () => {
  const id = await sent([withCode]);
  const signer = await openLinkOf(app, company, id, withCode.name);
  await signer.verify(await signer.sendCode());
  app.clock.advance({ minutes: 31 });
  const person = { name: 'Zed Shaw', email: 'zed@example.com', phone: '+12025550199', reason: 'On leave' };
  const refused = await name(signer, person);
  expect(refused.status).toBe(403);
  for (const entered of Object.values(person)) expect(refused.text).toContain(entered);
  expect(refused.text).toContain('Your verification expired');
  await signer.verify(await signer.sendCode());
  expect(await name(signer, person)).toMatchObject(passedOn);
});

const invalid: Array<[string, Record<string, string>, string]> = [
  ['no name', { name: '' }, 'name'],
  ['only spaces as a name', { name: ' \u3000 ' }, 'name'],
  ['a name that is too long', { name: 'a'.repeat(121) }, 'name'],
  ['a name with a NUL', { name: 'Grace\0' }, 'name'],
  ['no address', { email: '' }, 'email'],
  ['no e-mail address', { email: 'grace' }, 'email'],
  ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
  ['an address with a line break', { email: 'a@example.com\nbcc: b@example.com' }, 'email'],
  ['a huge address', { email: `${'a'.repeat(5000)}@example.com` }, 'email'],
  ['a reason that is too long', { reason: 'a'.repeat(1001) }, 'reason'],
  ['a reason with a NUL', { reason: 'a\0b' }, 'reason'],
];
test.each(invalid)('nothing happens with %s, and what was entered stays', async (_, changes, target) => {
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  const { status, text } = await name(signer, other(changes));
  expect([status, text.includes(`href="#${target}"`)]).toEqual([400, true]);
  if (target !== 'name') expect(text).toContain('value="Grace Hopper"');
  expect(await actionsOf(app, company, id)).not.toContain('reassigned');
  expect((await signer.page()).status).toBe(200);
});

test('nobody can name themselves, and markup stays text', async () => {
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  const same = await name(signer, { ...ada, reason: '' });
  expect([same.status, same.text.includes('This is you.')]).toEqual([400, true]);
  const renamed = await name(signer, { name: 'The Director', email: 'Ada@Example.com', reason: '' });
  expect([renamed.status, renamed.text.includes('This is you.')]).toEqual([400, true]);
  const hostile = await name(signer, other({ name: '"><script>alert(1)</script>', email: 'no' }));
  expect(hostile.text).not.toContain('<script>alert');
  expect(await name(signer, other({ name: 'Ünï “<b>”', reason: '' }))).toMatchObject(passedOn);
  const entry = (await auditOf(app, company, id)).find(({ action }) => action === 'reassigned');
  expect(entry?.detail).not.toHaveProperty('reason');
});

test('of two at once, one is taken', async () => {
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  const answers = await Promise.all([name(signer, other()), name(signer, other())]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect((await actionsOf(app, company, id)).filter((action) => action === 'reassigned')).toHaveLength(1);
});

test('a request is passed on four times, and then stays', async () => {
  const id = await sent();
  for (let times = 0; times < 4; times += 1) {
    const [recipient] = await recipientsOf(id);
    const signer = await openLinkOf(app, company, id, recipient?.display_name ?? '');
    expect(await name(signer, other({ name: `Person ${times}` }))).toMatchObject(passedOn);
  }
  const last = await openLinkOf(app, company, id, 'Person 3');
  expect((await last.page()).text).not.toContain('/delegate');
  expect((await name(last, other())).status).toBeGreaterThanOrEqual(403);
  expect((await recipientsOf(id))[0]?.display_name).toBe('Person 3');
});

test('who signed, waits, signs in person or gets a copy can name nobody', async () => {
  const parties = [
    ada,
    { name: 'Bo Waits', email: 'bo@example.com' },
    { name: 'Carl', email: 'c@example.com', role: 'cc' },
  ];
  const id = await sent(parties, { content: { sign_order_mode: 'sequential' } });
  for (const who of ['Bo Waits', 'Carl']) {
    const signer = await openLinkOf(app, company, id, who);
    expect((await name(signer, other())).status).toBeGreaterThanOrEqual(403);
  }
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  await signer.post('sign', signature);
  expect((await name(signer, other())).status).toBeGreaterThanOrEqual(403);
  const here = await sent([{ name: 'Dora', channel: 'in_person' }]);
  const inPerson = await openLinkOf(app, company, here, 'Dora');
  expect((await name(inPerson, other())).status).toBeGreaterThanOrEqual(403);
  const voided = await sent();
  const late = await openLinkOf(app, company, voided, 'Ada Lovelace');
  const admin = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await admin.post(`/documents/${voided}/void`, { reason: 'A mistake.' })).status).toBe(200);
  expect((await name(late, other())).status).toBeGreaterThanOrEqual(403);
  for (const document of [here, voided]) expect(await actionsOf(app, company, document)).not.toContain('reassigned');
});

test('nobody is written to more than five times an hour, and few people from one address', async () => {
  const to = other();
  const statuses: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    const signer = await openLinkOf(app, company, await sent(), 'Ada Lovelace');
    const answer = await name(signer, to);
    statuses.push(answer.status);
    if (times === 5) expect(answer.text).toContain('No more can be sent right now.');
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  const counters = await app.db.query<{ bucket: string }>({
    name: '',
    text: `select bucket from guess_counters where bucket like 'delegation_from_ip:%'`,
    values: [],
  });
  expect(counters).toHaveLength(1);
  await app.db.query({
    name: '',
    text: `update guess_counters set tries = 30 where bucket like 'delegation_from_ip:%'`,
    values: [],
  });
  const signer = await openLinkOf(app, company, await sent(), 'Ada Lovelace');
  expect((await name(signer, other())).status).toBe(429);
  await app.db.query({ name: '', text: 'delete from guess_counters', values: [] });
  expect(await name(signer, other())).toMatchObject(passedOn);
});

const bySms = { name: 'Ada Lovelace', phone: '+1 202 555 0199', channel: 'sms' };

test('nobody is written to more than five times an hour by SMS either, however the number is written', async () => {
  const spellings = ['+34600000001', '+34 600 000 001', '0034600000001', '+34 (600) 000-001', '+34.600.000.001'];
  for (const written of [...spellings, '\u202a+34\u00a0600\u00a0000\u00a0001\u202c']) {
    const signer = await openLinkOf(app, company, await sent([bySms]), bySms.name);
    const { status } = await name(signer, { name: 'Grace Hopper', phone: written });
    expect([written, status]).toEqual([written, spellings.includes(written) ? 303 : 429]);
  }
});

test('a number needs its country code and no other characters, and is stored as it is dialled', async () => {
  const id = await sent([bySms]);
  const signer = await openLinkOf(app, company, id, bySms.name);
  for (const written of ['ask him', '600000001', '+34600000001x', '+34 600', '+34+600000001', `+${'1'.repeat(16)}`]) {
    const { status, text } = await name(signer, { name: 'Grace Hopper', phone: written });
    expect([written, status, text.includes('href="#phone"')]).toEqual([written, 400, true]);
    expect(text).toContain(`value="${written}"`);
  }
  expect((await signer.page()).status).toBe(200);
  expect(await name(signer, { name: 'Grace Hopper', phone: '0034 600 00 00 02' })).toMatchObject(passedOn);
  expect((await recipientsOf(id))[0]?.phone).toBe('+34600000002');
});

test('nobody can name themselves with their number in another spelling', async () => {
  const signer = await openLinkOf(app, company, await sent([bySms]), bySms.name);
  for (const written of ['+12025550199', '001 202 555-0199']) {
    const { status, text } = await name(signer, { name: 'The Director', phone: written });
    expect([status, text.includes('This is you.')]).toEqual([400, true]);
  }
});

test('another site cannot post the form, and a form that cannot be read changes nothing', async () => {
  const id = await sent();
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  expect((await name(signer, other(), { origin: 'https://evil.example' })).status).toBeGreaterThanOrEqual(400);
  const unread = await fetchLocally(`${signer.link}/delegate`, { method: 'POST', headers: {}, body: 'x' });
  expect(unread.status).toBeGreaterThanOrEqual(400);
  expect((await name({ ...signer, link: `${signer.link}x` }, other())).status).toBe(404);
  expect(await actionsOf(app, company, id)).not.toContain('reassigned');
});
