import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { addMember, type Member, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { emptyInbox, type Inbox, startInbox } from '../support/inbox.ts';
import { samplePng } from '../support/sample-logo.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { openLinkOf, signature } from './signer.ts';

/** E-mails of a company with a brand, as a mail server gets them. */
let app: TestService;
let inbox: Inbox;
let company: Company;
let member: Member;
let admin: Visitor;

beforeAll(async () => {
  inbox = await startInbox();
  app = await startTestService({
    env: { SMTP_URL: inbox.url, MAIL_FROM: 'Our name <no-reply@sign.example>', REMINDER_DAYS: 'none' },
  });
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});
beforeEach(async () => {
  company = await createCompany(app);
  member = await addMember(app, company.id, 'admin');
  admin = await signedIn(app, member);
  await emptyInbox(app, inbox);
});

const settings = {
  accent: '#ffd400',
  sender_name: 'Acme Roofing',
  reply_to: 'office@acme.example',
  always_reply_to: false,
};
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function saved(path: string, body: object): Promise<void> {
  const { version } = (await admin.get('/branding')).body;
  const answer = await admin.post(path, { ...body, version });
  if (answer.status !== 200) throw new Error(answer.text);
}

const saveText = (texts: object) => saved('/branding/texts', { kind: 'request', language: 'en', ...texts });

async function mailTo(address: string, count = 1): Promise<Email> {
  const mails = () => Promise.resolve(inbox.received.filter(({ to }) => to === address));
  const found = await eventually(mails, ({ length }) => length >= count);
  return found.at(-1)?.email as Email;
}

/** Sends a document with the API, or in the console. */
async function request(changes: object = {}, by?: Visitor): Promise<Email> {
  if (by === undefined) await createSent(app, company.key, { recipients: [ada], ...changes });
  else await by.post(`/documents/${await createDraft(app, company.key, { recipients: [ada], ...changes })}/send`);
  return mailTo(ada.email);
}

test('without a brand, e-mails are as they were', async () => {
  const mail = await request();
  expect(mail.from).toEqual({ name: 'Our name', address: 'no-reply@sign.example' });
  expect([mail.replyTo, mail.attachments]).toEqual([undefined, []]);
  expect(mail.html).toContain('background-color:#22407a');
  expect(mail.html).not.toContain('<img');
});

test('requests have sender, reply address, logo and colour, at our own address', async () => {
  await saved('/branding', settings);
  const png = samplePng({ width: 440, height: 44 });
  await admin.upload('/branding/logo?version=1', png);
  const mail = await request();
  expect(mail.from).toEqual({ name: 'Acme Roofing via Countersign', address: 'no-reply@sign.example' });
  expect(mail.replyTo).toEqual([{ name: '', address: 'office@acme.example' }]);
  expect(mail.html).toContain(
    '<img class="logo" src="cid:logo@countersign" width="220" height="22" alt="Acme Builders"',
  );
  const [logo, ...more] = mail.attachments;
  expect(more).toEqual([]);
  expect([logo?.contentId, logo?.mimeType, logo?.disposition]).toEqual(['<logo@countersign>', 'image/png', 'inline']);
  const { address } = (await admin.get('/branding')).body.logo;
  const served = await fetch(new URL(address, app.baseUrl));
  expect(Buffer.from(logo?.content as ArrayBuffer)).toEqual(Buffer.from(await served.arrayBuffer()));
  expect(mail.html).toContain('bgcolor="#ffd400"');
  expect(mail.html).not.toContain('#22407a');
  expect(mail.text).toContain('Sent by Countersign on behalf of Acme Builders');
});

test('answers go to the member who sent the document, or always to the company', async () => {
  await saved('/branding', settings);
  expect((await request({}, admin)).replyTo).toEqual([{ name: '', address: member.email }]);
  await saved('/branding', { ...settings, always_reply_to: true });
  await request({}, admin);
  expect((await mailTo(ada.email, 2)).replyTo).toEqual([{ name: '', address: 'office@acme.example' }]);
});

test('reminders, copies and notices of a document sent before have the brand of the moment', async () => {
  const id = await createSent(app, company.key, { recipients: [ada], title: 'Lease' });
  expect((await mailTo(ada.email)).from?.name).toBe('Our name');
  await saved('/branding', settings);
  await admin.upload('/branding/logo?version=1', samplePng());
  app.clock.advance({ hours: 25 });
  admin = await signedIn(app, member);
  await admin.post(`/documents/${id}/remind`);
  const reminder = await mailTo(ada.email, 2);
  expect([reminder.subject, reminder.from?.name]).toEqual([
    'Reminder: Acme Builders awaits your signature: “Lease”',
    'Acme Roofing via Countersign',
  ]);
  await (await openLinkOf(app, company, id, ada.name)).post('sign', signature);
  const copy = await mailTo(ada.email, 3);
  expect([copy.subject, copy.attachments.length]).toEqual(['Completed: “Lease”', 1]);

  const other = await createSent(app, company.key, { recipients: [ada], title: 'Other' });
  await mailTo(ada.email, 4);
  await admin.post(`/documents/${other}/void`, { reason: 'No longer needed' });
  const notice = await mailTo(ada.email, 5);
  expect([notice.subject, notice.from?.name, notice.attachments.length]).toEqual([
    'Voided: “Other”',
    'Acme Roofing via Countersign',
    1,
  ]);
  expect(notice.replyTo).toEqual([{ name: '', address: 'office@acme.example' }]);
  expect(notice.text).toContain('If you have questions, reply to this e-mail.');
});

test('own texts have their variables filled in as text, in the language of the document', async () => {
  await saved('/branding', settings);
  await saveText({
    subject: '{{sender_name}}: {{document_title}}',
    introduction: 'Dear {{recipient_name}},\r\n\r\nplease sign <b>{{document_title}}</b> of {{company_name}}.',
  });
  const name = 'Ada <img src=x onerror=alert(1)> {{company_name}}\u202E';
  const title = 'Lease {{recipient_name}} <script>alert(1)</script>';
  const mail = await request({ title, recipients: [{ ...ada, name }] });
  expect(mail.subject).toBe(`Acme Roofing: ${title}`);
  expect(mail.text).toContain(
    `Dear Ada <img src=x onerror=alert(1)> {{company_name}},\n\nplease sign <b>${title}</b> of Acme Builders.`,
  );
  expect(mail.html).toContain(
    'Dear Ada &lt;img src=x onerror=alert(1)&gt; {{company_name}},<br>\n<br>\nplease sign &lt;b&gt;',
  );
  expect(mail.html).not.toMatch(/<(script|b)\b|<img src=x|\u202E/);
  expect(mail.html).toMatch(/href="http:\/\/127\.0\.0\.1:\d+\/sign\/[\w-]+"/);
  expect(mail.text).toContain('Please do not forward this e-mail');
  expect(mail.text).toContain('Sent by Countersign on behalf of Acme Builders');

  inbox.received.length = 0;
  const spanish = await request({ primary_language: 'es', title: 'Contrato' });
  expect(spanish.subject).toBe('Acme Builders solicita su firma: «Contrato»');
});

test('a title of several lines or of 10,000 characters adds no header and no long subject', async () => {
  await saveText({
    subject: '{{document_title}} {{recipient_name}} {{company_name}} {{document_title}}',
    introduction: '',
  });
  const mail = await request({ title: `Lease\r\nBcc: eve@example.com\r\n\r\n${'x'.repeat(150)}` });
  expect(mail.headers.find(({ key }) => key === 'bcc')).toBeUndefined();
  expect(mail.subject).toMatch(/^Lease Bcc: eve@example\.com x+… Ada Lovelace Acme Builders Lease/);
  expect(mail.subject?.length).toBeLessThan(400);
  expect(inbox.received.map(({ to }) => to)).toEqual([ada.email]);
});

test('a sender name in another script arrives as it was written', async () => {
  const sender_name = "شركة O'Brien, Söhne: & Co; 👩‍🔧";
  await saved('/branding', { ...settings, sender_name });
  expect((await request()).from?.name).toBe(`${sender_name} via Countersign`);
});

const texts = { version: 0, kind: 'request', language: 'en', subject: '', introduction: '' };

test.each([
  [{ subject: 'Hello {{name}}' }, 'unknown_variable', 'subject', '{{name}}'],
  [{ introduction: '{{#each recipients}}' }, 'unknown_variable', 'introduction', '{{#each recipients}}'],
  [{ introduction: 'Hello {{recipient_name' }, 'unknown_variable', 'introduction', '{{recipient_name'],
  [{ subject: 'x'.repeat(151) }, 'invalid_input', 'subject', undefined],
  [{ introduction: 'x'.repeat(10_000) }, 'invalid_input', 'introduction', undefined],
  [{ introduction: 'x'.repeat(10_001) }, 'invalid_input', 'introduction', undefined],
  [{ subject: 'Hello\r\nBcc: eve@example.com' }, 'invalid_input', 'subject', undefined],
  [{ subject: '\u202Eolleh' }, 'invalid_input', 'subject', undefined],
  [{ introduction: 'a\u0000b' }, 'invalid_input', 'introduction', undefined],
  [{ kind: 'code' }, 'invalid_input', 'kind', undefined],
  [{ language: 'fr' }, 'invalid_input', 'language', undefined],
])('refuses the text %j', async (changes, code, param, value) => {
  const { status, body } = await admin.post('/branding/texts', { ...texts, ...changes });
  expect([status, body.error]).toEqual([400, { code, message: expect.any(String), param, ...(value && { value }) }]);
  expect((await admin.get('/branding')).body.version).toBe(0);
});

test('texts are saved for each e-mail and language, and empty ones are ours again', async () => {
  await saveText({ subject: 'One', introduction: '' });
  await saved('/branding/texts', { ...texts, kind: 'copy', language: 'es', introduction: 'Dos' });
  const { body } = await admin.get('/branding');
  const own = body.texts.filter((text: typeof texts) => text.subject !== '' || text.introduction !== '');
  expect(own).toMatchObject([
    { kind: 'request', language: 'en', subject: 'One', introduction: '' },
    { kind: 'copy', language: 'es', subject: '', introduction: 'Dos' },
  ]);
  expect(body.texts).toHaveLength(6);
  expect(body.texts[0].our_subject).toBe('{{company_name}} requests your signature: “{{document_title}}”');
  await saveText({ subject: '  ', introduction: '' });
  expect((await admin.get('/branding')).body.texts[0].subject).toBe('');
  expect(refusal(await admin.post('/branding/texts', { ...texts, subject: 'Late' }))).toEqual([
    409,
    'changed_meanwhile',
  ]);
});

test('the preview is the e-mail that is sent, and its page runs and loads nothing', async () => {
  await saved('/branding', settings);
  await admin.upload('/branding/logo?version=1', samplePng());
  await saveText({ subject: 'Hi {{recipient_name}}', introduction: '<i>{{company_name}}</i> asks you' });
  expect((await admin.post('/branding/test', { kind: 'request', language: 'en' })).body).toEqual({ to: member.email });
  const mail = await mailTo(member.email);

  const query = `?${new URLSearchParams({ kind: 'request', language: 'en', subject: 'Hi {{recipient_name}}', introduction: '<i>{{company_name}}</i> asks you' })}`;
  const head = await admin.get(`/branding/preview${query}`);
  expect(head.body).toEqual({ from: mail.from?.name, reply_to: 'office@acme.example', subject: mail.subject });
  const page = await admin.get(`/branding/preview/page${query}`);
  expect(page.text.replace(/data:image\/png;base64,[\w+/=]+/, 'cid:logo@countersign')).toBe(
    `${mail.html?.trimEnd()}\n`,
  );
  expect(page.text).toContain('&lt;i&gt;Acme Builders&lt;/i&gt; asks you');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox');
  expect(policy).not.toContain('script-src');

  const bad = await admin.get(`/branding/preview?kind=request&language=en&subject=${encodeURIComponent('{{x}}')}`);
  expect([...refusal(bad), bad.body.error.value]).toEqual([400, 'unknown_variable', '{{x}}']);
  for (const wrong of ['', '?kind=code&language=en', '?kind=copy&language=fr']) {
    expect(refusal(await admin.get(`/branding/preview${wrong}`))).toEqual([400, 'invalid_input']);
    expect(refusal(await admin.get(`/branding/preview/page${wrong}`))).toEqual([400, 'invalid_input']);
  }
});

test('the longest texts of four-byte characters are previewed', async () => {
  const query = new URLSearchParams({
    kind: 'copy',
    language: 'es',
    subject: '😀'.repeat(150),
    introduction: '😀'.repeat(600),
  });
  expect((await admin.get(`/branding/preview?${query}`)).body.subject).toBe('😀'.repeat(150));
});

test('test e-mails are limited', async () => {
  const send = () => admin.post('/branding/test', { kind: 'copy', language: 'es' });
  for (let n = 0; n < 20; n++) expect((await send()).status).toBe(200);
  expect(refusal(await send())).toEqual([429, 'too_many_tries']);
});

test('the local mailbox keeps the logo in the e-mail', async () => {
  const local = await startTestService({ env: { REMINDER_DAYS: 'none' } });
  try {
    const owner = await createCompany(local);
    const visitor = await signedIn(local, await addMember(local, owner.id, 'owner'));
    await visitor.upload('/branding/logo?version=0', samplePng());
    await createSent(local, owner.key, { recipients: [ada] });
    const [message] = await eventually(
      () => listMailbox(join(local.dataDir, 'mailbox'), { to: ada.email }),
      ({ length }) => length === 1,
    );
    expect(message?.html).toMatch(/<img class="logo" src="data:image\/png;base64,[\w+/=]+"/);
  } finally {
    await local.stop();
  }
});
