import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import {
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const mailTo = (to: string) => listMailbox(join(app.dataDir, 'mailbox'), { to });

test.for<[string, string, string]>([
  ['U+200B', '\u200b', 'zero-width@example.com'],
  ['U+FEFF', '\ufeff', 'byte-order-mark@example.com'],
  ['U+0001', '\u0001', 'control@example.com'],
])('a document called %s by and for a person of that name is mailed, signed and sealed', async ([, text, email]) => {
  const id = await createSent(app, company.key, { title: text, recipients: [{ name: text, email }] });
  const [message] = await eventually(
    () => mailTo(email),
    (messages) => messages.length === 1,
  );
  expect(message?.subject).toMatch(/\S/);
  const page = await fetch(message?.links[0] ?? '');
  expect([page.status, (await page.text()).includes('<h1')]).toEqual([200, true]);
  await signAs(app, email, 'Ada Lovelace');
  const copy = await eventually(
    () => mailTo(email),
    (messages) => messages.length === 2,
  );
  expect(copy[0]?.links[0]).toMatch(/^http/);
  const { body } = await call(app, 'GET', `/documents/${id}`, { key: company.key });
  expect(body).toMatchObject({ status: 'completed', title: text });
  const pdf = await fetch(`${copy[0]?.links[0]}/document.pdf`);
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
});
