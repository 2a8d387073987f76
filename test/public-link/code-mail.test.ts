import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Inbox, startInbox } from '../support/inbox.ts';
import { createPublicLink, visitLink } from '../support/public-link.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';

/** The e-mail with the code, through a real mail server. */
let app: TestService;
let company: Company;
let inbox: Inbox;

beforeAll(async () => {
  inbox = await startInbox();
  const env = { ROLE: 'web', SMTP_URL: inbox.url, MAIL_FROM: 'Acme <no-reply@acme.example>' };
  app = await startTestService({ env });
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  await inbox.close();
});

test('arrives with the code in subject, text and HTML, and only at the address that was entered', async () => {
  const link = await createPublicLink(app, company, { name: '<b>Party</b>' });
  const visitor = visitLink(app, link);
  expect((await visitor.post('request', { name: 'Ada', email: 'ada@example.com' })).status).toBe(303);
  const [mail] = inbox.received;
  expect(inbox.received).toHaveLength(1);
  expect(mail?.to).toBe('ada@example.com');
  const code = /^Your code is (\d{6})$/.exec(mail?.email.subject ?? '')?.[1] ?? 'none';
  expect(mail?.email.text).toContain(code);
  expect(mail?.email.html).toContain(code);
  expect(mail?.email.html).toContain('&lt;b&gt;Party&lt;/b&gt;');
  expect((await visitor.post('verify', { code })).status).toBe(303);
});

test('that the server refuses is told at once, and leaves nothing behind', async () => {
  const link = await createPublicLink(app, company);
  const visitor = visitLink(app, link);
  const answer = await visitor.post('request', { name: 'Ada', email: 'ada@refused.example' });
  expect([answer.status, answer.text.includes('The code could not be sent')]).toEqual([502, true]);
  expect(answer.text).toContain('value="ada@refused.example"');
  expect(visitor.cookies.size).toBe(0);
  const text = 'select from public_link_visits where link_id = $1';
  expect(await app.db.query({ name: '', text, values: [link.id] })).toEqual([]);
});

test('that cannot be sent because the mail server is away says so, and counts only for the IP address', async () => {
  const link = await createPublicLink(app, company);
  await inbox.close();
  const visitor = visitLink(app, link);
  for (let n = 0; n < 6; n += 1) {
    const answer = await visitor.post('request', { name: 'Ada', email: 'late@example.com' });
    expect([answer.status, answer.text.includes('The code can’t be sent at the moment')]).toEqual([502, true]);
  }
  const counters = await app.db.query<{ bucket: string; tries: number }>({
    name: '',
    text: `select split_part(bucket, ':', 1) as bucket, max(tries) as tries from guess_counters
           where bucket like 'link_code_%' and tries > 1 and not bucket like 'link_code_from_ip%' group by 1`,
    values: [],
  });
  expect(counters).toEqual([]);
});
