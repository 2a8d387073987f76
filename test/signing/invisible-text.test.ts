import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { openLinkOf, signature } from './signer.ts';

/** Characters that show nothing, and those that change what others show. */

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

test('pages show what is signed without overrides of the direction, as the sealed PDF does', async () => {
  const price = 'Price \u202e0001\u202c \u2067A - B\u2069';
  const recipients = [
    { name: `Ada ${price}`, email: 'ada@example.com' },
    { name: `Mary ${price}`, email: 'mary@example.com', party_role: price },
  ];
  const id = await createDraft(app, company.key, { title: price, recipients, content: { message: price } });
  await attachPdf(app, company, id);
  const [field] = await placeOn(app, company, id, [
    { recipient: 1, type: 'text', label: price },
    { recipient: 2, type: 'text', label: price, value: price, read_only: true },
    { recipient: 2, type: 'text', value: price },
    { recipient: 2, type: 'dropdown', options: [price, 'Other'] },
  ]);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);

  const [ada, mary] = await Promise.all(recipients.map(({ name }) => openLinkOf(app, company, id, name)));
  const pagesOf = async (signer: Awaited<ReturnType<typeof openLinkOf>> | undefined) => {
    const pages = await Promise.all(['', '/form', '/comment', '/delegate'].map((path) => signer?.page(path)));
    return pages.map((page) => page?.text ?? '');
  };
  for (const page of await pagesOf(ada)) expectPlain(page);
  const entered = { ...signature, full_name: `Ada ${price}`, fields: { [field?.id ?? '']: price } };
  expect((await ada?.post('sign', entered))?.status).toBe(200);
  const pages = await pagesOf(mary);
  for (const page of pages) expectPlain(page);
  expect(pages[0]?.split('Price 0001 A - B').length).toBeGreaterThan(5);

  expect((await mary?.post('decline', { reason: price }))?.status).toBe(200);
  for (const signer of [ada, mary]) expectPlain((await signer?.page(''))?.text ?? '');
});

test.each<[string, { text?: string; full_name?: string; initials?: object }, unknown[]]>([
  ['a name', { full_name: '\u2800' }, [400, 'invalid_full_name', undefined]],
  ['a name of letters that are drawn as nothing', { full_name: '\u3164' }, [400, 'invalid_full_name', undefined]],
  ['initials', { initials: { kind: 'typed', text: '\u200b' } }, [400, 'invalid_signature', 'initials']],
  ['a required text', { text: '\u200b' }, [400, 'fields_missing', undefined]],
  ['a second line', { full_name: 'Ada\nSigned by: Bob' }, [400, 'invalid_full_name', undefined]],
  ['a separated line', { full_name: 'Ada\u2028Bob' }, [400, 'invalid_full_name', undefined]],
])('%s that nobody can see is refused', async (_name, { text = '-', ...changes }, refusal) => {
  const id = await createDraft(app, company.key, { recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
  await attachPdf(app, company, id);
  const [initials, note] = await placeOn(app, company, id, [
    { recipient: 1, type: 'initials' },
    { recipient: 1, type: 'text', label: 'Note' },
  ]);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const ada = await openLinkOf(app, company, id, 'Ada');
  const fill = (words: string) => ({ [initials?.id ?? '']: 'true', [note?.id ?? '']: words });
  const made = { ...signature, initials: { kind: 'typed', text: 'AL' }, fields: fill(text) };
  const { status, body } = await ada.post('sign', { ...made, ...changes });
  expect([status, body.error?.code, body.error?.param]).toEqual(refusal);
  expect((await ada.post('sign', { ...made, fields: fill('-') })).status).toBe(200);
});

test('a name that the sender gave with a line break can be signed with as the page shows it', async () => {
  const recipients = [{ name: 'Ada\u2028Lovelace', email: 'ada@example.com' }];
  const id = await createSent(app, company.key, { recipients });
  const ada = await openLinkOf(app, company, id, 'Ada\u2028Lovelace');
  for (const path of ['', '/form']) expect((await ada.page(path)).text).toContain('value="Ada Lovelace"');
  expect((await ada.post('sign', { ...signature, full_name: 'Ada Lovelace' })).status).toBe(200);
});

function expectPlain(page: string): void {
  // Conditions are compared with the value as it is stored.
  const shown = page.replace(/ data-value="[^"]*"/g, '');
  expect(shown).toContain('Price 0001 A - B');
  expect(shown.match(/.{0,60}[\u202a-\u202e\u2066-\u2069].{0,20}/g) ?? []).toEqual([]);
}
