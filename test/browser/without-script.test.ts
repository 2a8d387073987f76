import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { pageHeaders } from '../../src/http/security-headers.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { renderTooManyRequestsPage } from '../../src/signing/pages/signing-page.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { newestCode, openLinkOf, type Signer, withCode, wrong } from '../signing/signer.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { faultsOf as faultsOnPage } from '../support/expect-sound.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** The page with plain HTML forms, for browsers in which the script of the signing page does not run. */
let app: TestService;
let company: Company;
let browser: Browser;
let copy: Page;
let copiedHtml = '';

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  copy = await (await browser.newContext({ bypassCSP: true })).newPage();
  await copy.route('**/*', (route) =>
    route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body: copiedHtml })
      : route.continue(),
  );
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const leaseFields: FieldToPlace[] = [
  { recipient: 1, type: 'text', label: 'Monthly rent', required: true },
  { recipient: 1, type: 'checkbox', label: 'I keep a dog', required: false },
  { recipient: 1, type: 'date', required: true },
  { recipient: 1, type: 'signature', required: true },
  { recipient: 1, type: 'initials', required: true },
];

interface Sent {
  id: string;
  signer: Signer;
  link: string;
}

async function sent(
  fields = leaseFields,
  recipient: object = {},
  key = company.key,
  changes: object = {},
): Promise<Sent> {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com', ...recipient }];
  const id = await createDraft(app, key, { title: 'Lease <b>42</b>', recipients, ...changes });
  await attachPdf(app, company, id);
  if (fields.length > 0) await placeOn(app, company, id, fields);
  const answer = await call(app, 'POST', `/documents/${id}/send`, { key });
  expect(answer.status, answer.text).toBe(200);
  const signer = await openLinkOf(app, company, id, 'Ada Lovelace');
  return { id, signer, link: signer.link };
}

async function withoutScript(link: string, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

/** What axe finds on the same page in a window with scripts, which all tests share. */
async function faultsOf(page: Page): Promise<string[]> {
  copiedHtml = await page.content();
  await copy.setViewportSize(page.viewportSize() as { width: number; height: number });
  await copy.goto(page.url());
  return faultsOnPage(copy);
}

async function statusOf(id: string): Promise<string> {
  return (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;
}

/** Sends the form as a program would. */
async function submit(link: string, entries: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetchLocally(`${link}/form`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(entries).toString(),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test.each([
  [1280, 'light', 'en'],
  [390, 'dark', 'es'],
  [320, 'light', 'es'],
] as const)(
  'at %d px, a document is signed and its sealed PDF downloaded (%s, %s)',
  async (width, scheme, language) => {
    const es = language === 'es';
    const { id, link } = await sent(leaseFields, {}, company.key, { primary_language: language });
    const page = await withoutScript(link, width, scheme);
    await page.getByRole('link', { name: es ? 'Continuar sin JavaScript' : 'Continue without JavaScript' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lease <b>42</b>' }).waitFor();
    const referrer = await page.request.get(`${link}/form`);
    expect(referrer.headers()['content-security-policy']).toContain("form-action 'self'");
    expect(referrer.headers()['referrer-policy']).toBe('same-origin');
    expect(await faultsOf(page)).toEqual([]);

    const sign = page.getByRole('button', { name: es ? 'Firmar' : 'Sign', exact: true });
    await page.getByRole('textbox', { name: 'Monthly rent' }).fill('  ');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(200);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.locator('[name="initials"]').fill('AL');
    await sign.click();
    const problems = page.getByRole('alert').getByRole('link');
    await expect.poll(() => problems.count()).toBe(3);
    await expect.poll(() => page.title()).toMatch(es ? /^Hay un error:/ : /^Error:/);
    expect(await page.locator('[name="initials"]').inputValue()).toBe('AL');
    expect(await faultsOf(page)).toEqual([]);
    await problems.first().click();
    expect(new URL(page.url()).hash).toBe('#field-1');

    await page.getByRole('textbox', { name: 'Monthly rent' }).fill('“1 200 €” & <i>');
    for (const box of await page.locator('.tick input').all()) await box.check();
    await sign.click();
    await page.locator('#outcome').waitFor();
    expect(await statusOf(id)).toBe('completed');
    expect(await faultsOf(page)).toEqual([]);
    const copy = page.getByRole('link', { name: es ? 'Descargar el PDF sellado' : 'Download the sealed PDF' });
    await expect.poll(async () => (await page.reload()) && copy.count(), { interval: 500 }).toBe(1);
    const pdf = await page.request.get(`${link}/document.pdf`);
    expect(pdf.headers()['content-type']).toBe('application/pdf');
    const values = await app.db.query<{ value: string }>({
      name: '',
      text: 'select value from document_fields where document_id = $1 order by position',
      values: [id],
    });
    expect(values.map(({ value }) => value)).toEqual(['“1 200 €” & <i>', 'true', '2026-03-10', 'true', 'true']);
    await page.getByRole('button', { name: es ? 'Terminar' : 'Finish' }).click();
    await page.waitForURL('**/sign/finished');
    await page.context().close();
  },
);

test('a document is declined with a reason', async () => {
  const { id, link } = await sent([]);
  const page = await withoutScript(`${link}/form`, 390);
  await page.getByText('Decline', { exact: true }).click();
  await page.getByRole('button', { name: 'Decline to sign' }).click();
  await page.getByRole('alert').getByRole('link').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Reason' }).fill(`${'ñ\n'.repeat(500)}`);
  await page.getByRole('button', { name: 'Decline to sign' }).click();
  await page.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  expect(await statusOf(id)).toBe('declined');
  await page.context().close();
});

/** Requests a code and returns it. In test mode, the page shows it. */
async function requestCode(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Send code' }).click();
  return /\d{6}/.exec((await page.getByRole('status').textContent()) ?? '')?.[0] ?? '';
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Verification code' }).fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

test('a code opens the document, and an expired verification asks for one again and keeps what was entered', async () => {
  const { id, link } = await sent(leaseFields.slice(0, 3), withCode, company.testKey);
  const page = await withoutScript(`${link}/form`, 390);
  expect(await faultsOf(page)).toEqual([]);
  await enterCode(page, '000000');
  await page.getByRole('alert').waitFor();
  await enterCode(page, await requestCode(page));
  const sign = page.getByRole('button', { name: 'Sign', exact: true });
  const rent = page.getByRole('textbox', { name: 'Monthly rent' });
  await rent.fill('1200 "<b>');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada King');
  await page.getByRole('checkbox', { name: 'I keep a dog' }).check();

  for (const action of [sign, page.getByRole('button', { name: 'Save for later' })]) {
    app.clock.advance({ minutes: 31 });
    await action.click();
    await page.getByRole('alert').getByText('Your verification expired').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await statusOf(id)).not.toBe('completed');
    const code = await requestCode(page);
    await enterCode(page, wrong(code));
    await page.getByRole('alert').waitFor();
    await enterCode(page, code);
    await sign.waitFor();
    expect(await rent.inputValue()).toBe('1200 "<b>');
    expect(await page.getByRole('textbox', { name: 'Full name' }).inputValue()).toBe('Ada King');
    expect(await page.getByRole('checkbox', { name: 'I keep a dog' }).isChecked()).toBe(true);
  }
  await sign.click();
  await sign.waitFor({ state: 'detached' });
  expect(await statusOf(id)).toBe('completed');
  await page.context().close();
});

test('a reason to decline is kept over an expired verification, and a refused reason empties nothing else', async () => {
  const { id, link } = await sent(leaseFields.slice(0, 3), withCode, company.testKey);
  const page = await withoutScript(`${link}/form`);
  await enterCode(page, await requestCode(page));
  const rent = page.getByRole('textbox', { name: 'Monthly rent' });
  const dog = page.getByRole('checkbox', { name: 'I keep a dog' });
  await rent.fill('1200');
  await dog.check();
  await page.getByRole('button', { name: 'Save for later' }).click();
  await page.getByRole('status').waitFor();
  const decline = page.getByRole('button', { name: 'Decline to sign' });
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await page.getByText('Decline', { exact: true }).click();
  await reason.fill('The rent is wrong.');
  app.clock.advance({ minutes: 31 });
  await decline.click();
  await page.getByRole('alert').getByText('Your verification expired').waitFor();
  await enterCode(page, await requestCode(page));
  expect(await reason.inputValue()).toBe('The rent is wrong.');
  await reason.fill(' ');
  await decline.click();
  await page.getByRole('alert').waitFor();
  const name = page.getByRole('textbox', { name: 'Full name' });
  expect([await name.inputValue(), await rent.inputValue()]).toEqual(['Ada Lovelace', '1200']);
  expect(await dog.isChecked()).toBe(true);
  expect(await statusOf(id)).toBe('sent');
  await page.context().close();
});

test('a code that arrives by SMS opens the document, and the text of each page can be read', async () => {
  const { id, link, signer } = await sent([], withCode);
  const unread = await signer.page('/pages/1/text.txt');
  expect(unread.status).toBe(403);
  const page = await withoutScript(`${link}/form`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('status').getByText('The code is on its way').waitFor();
  await enterCode(page, await newestCode(app));
  await page.getByRole('link', { name: 'Page 1 as text' }).click();
  await page.getByText('Page 1').waitFor();
  const text = await page.request.get(page.url());
  expect(text.headers()).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(await text.text()).toBe('Page 1\n');
  await page.goBack();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.locator('#outcome').waitFor();
  expect(await statusOf(id)).toBe('completed');
  await page.context().close();
});

test('an approver sees the signature of the signer before, and approves', async () => {
  const recipients = [
    { name: 'Ada Lovelace', email: 'ada@example.com', sign_order: 1 },
    { name: 'Grace Hopper', email: 'grace@example.com', role: 'approver', sign_order: 2 },
  ];
  const content = { sign_order_mode: 'sequential' };
  const { id, link } = await sent(leaseFields.slice(3, 4), {}, company.key, { recipients, content });
  const [field] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from document_fields where document_id = $1',
    values: [id],
  });
  const signed = await submit(link, { action: 'sign', full_name: 'Ada Lovelace', [`field.${field?.id}`]: 'true' });
  expect(signed.status).toBe(303);
  const grace = await openLinkOf(app, company, id, 'Grace Hopper');
  const page = await withoutScript(`${grace.link}/form`, 390);
  await page.getByRole('heading', { name: 'Approve this document' }).waitFor();
  await page.getByText('Signature: Ada Lovelace').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.locator('#outcome').waitFor();
  expect(await statusOf(id)).toBe('completed');
  await page.context().close();
});

test('in person: the device is handed over, and the document is shown after Begin', async () => {
  const { id, link } = await sent([], { channel: 'in_person' });
  const page = await withoutScript(`${link}/form`, 390);
  await page.getByRole('heading', { name: 'Hand the device to Ada Lovelace' }).waitFor();
  expect(await page.locator('.sheet').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.sheet').first().waitFor();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.locator('#outcome').waitFor();
  expect(await statusOf(id)).toBe('completed');
  await page.context().close();
});

test('someone else is named, after a mistake, on a phone and on a desk', async () => {
  const settings = await readSigningSettings(app.db, company.id);
  const allow = (allows_delegation: boolean) =>
    app.db.transaction((tx) => setSigningSettings(app.world, tx, company.id, { ...settings, allows_delegation }, null));
  await allow(true);
  for (const [width, scheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    const { id, link } = await sent();
    const page = await withoutScript(`${link}/form`, width, scheme);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Someone else should sign' }).click();
    await page.getByRole('heading', { level: 1, name: 'Who should sign instead of you?' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Pass on' }).click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getByRole('textbox', { name: 'Full name' }).inputValue()).toBe('Grace Hopper');
    await page.getByRole('link', { name: 'Enter an e-mail address' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('grace@example.com');
    await page.getByRole('button', { name: 'Pass on' }).click();
    await page.getByRole('heading', { level: 1, name: 'Passed on' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await listRecipients(app.db, company.id, id))[0]?.display_name).toBe('Grace Hopper');
    await page.context().close();
  }
  await allow(false);
});

test('a recipient writes to the sender, after a mistake, and sees what was written', async () => {
  for (const [width, scheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    const { link } = await sent();
    const page = await withoutScript(`${link}/form`, width, scheme);
    await page.getByRole('link', { name: 'Ask the sender a question' }).click();
    await page.getByRole('heading', { level: 1, name: 'Write to the sender' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('textbox').fill('Is the rent due on the 1st?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('listitem').innerText()).toContain('Is the rent due on the 1st?');
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  }
});

test('saved values are there again', async () => {
  const { link } = await sent();
  const page = await withoutScript(`${link}/form`);
  await page.getByRole('textbox', { name: 'Monthly rent' }).fill('1200');
  await page.getByRole('button', { name: 'Save for later' }).click();
  await page.getByRole('status').waitFor();
  expect(await page.getByRole('textbox', { name: 'Monthly rent' }).inputValue()).toBe('1200');
  await page.context().close();
});

test('a second form shows the outcome, and a form after the end records nothing', async () => {
  const { id, link } = await sent([]);
  const entries = { action: 'sign', full_name: 'Ada Lovelace' };
  const answers = await Promise.all([submit(link, entries), submit(link, entries)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await statusOf(id)).toBe('completed');
  const signed = await app.db.query({
    name: '',
    text: `select 1 from audit_entries where document_id = $1 and action = 'signed'`,
    values: [id],
  });
  expect(signed).toHaveLength(1);

  const ended = await sent([]);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.post(`/documents/${ended.id}/void`, { reason: 'Wrong price' })).status).toBe(200);
  const late = await submit(ended.link, entries);
  expect(late.status).toBe(409);
  expect(late.text).toContain('The sender voided this document, so nothing was recorded.');
  expect((await ended.signer.page('/form')).status).toBe(409);
});

test('hostile and broken forms are answered with a page and record nothing', async () => {
  const { id, link } = await sent([{ recipient: 1, type: 'text', label: 'Rent', required: true }]);
  const [field] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select id from document_fields where document_id = $1',
    values: [id],
  });
  const rent = `field.${field?.id}`;
  const good = { action: 'sign', full_name: 'Ada Lovelace', [rent]: '1200' };
  const refused: [string, Record<string, string>][] = [
    ['no action', {}],
    ['an unknown action', { ...good, action: 'destroy' }],
    ['no name', { ...good, full_name: ' ' }],
    ['a long name', { ...good, full_name: 'x'.repeat(121) }],
    ['U+0000', { ...good, [rent]: '\u0000' }],
    ['a long value', { ...good, [rent]: '😀'.repeat(501) }],
    ['an empty field', { ...good, [rent]: '' }],
    ["someone else's field", { ...good, 'field.019cdd2e-8a31-7c55-9f0e-2f64c7a1b9d3': 'x' }],
    ['an unknown disclosure', { ...good, disclosure: '1999-01' }],
    ['a hash of nothing shown', { ...good, shown: 'f'.repeat(64) }],
    ['no reason', { action: 'decline', reason: '' }],
  ];
  for (const [what, entries] of refused) {
    const answer = await submit(link, entries);
    expect(answer.status, what).toBe(400);
    expect(answer.headers.get('content-type'), what).toContain('text/html');
  }
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) expect((await submit(link, good, headers)).status).toBe(400);
  expect(await statusOf(id)).toBe('sent');
  expect((await submit(link, good)).status).toBe(303);
  expect(await statusOf(id)).toBe('completed');
});

test.each([
  [390, 'en'],
  [1280, 'es'],
] as const)('at %d px, numbers, lists and values of the sender work without script (%s)', async (width, language) => {
  const es = language === 'es';
  const fields: FieldToPlace[] = [
    { recipient: 1, type: 'text', label: 'Contract', value: 'C-1843 <b>', read_only: true },
    { recipient: 1, type: 'number', label: 'Rent', min: '0.5', max: '1000', decimals: 2, value: '12.5' },
    { recipient: 1, type: 'dropdown', label: 'Rhythm', options: ['Monthly', 'Yearly'] },
    { recipient: 1, type: 'checkbox', label: 'Agreed', value: 'true', read_only: true },
  ];
  const { id, link } = await sent(fields, {}, company.key, { primary_language: language });
  const page = await withoutScript(`${link}/form`, width);
  await page.getByText(es ? 'fijado por el remitente: C-1843 <b>' : 'set by the sender: C-1843 <b>').waitFor();
  const rent = page.getByRole('textbox', { name: 'Rent' });
  expect(await rent.inputValue()).toBe(es ? '12,50' : '12.50');
  await rent.fill('1e3');
  await page.getByRole('button', { name: es ? 'Firmar' : 'Sign', exact: true }).click();
  const problems = page.getByRole('alert').getByRole('link');
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      es
        ? 'Rent, página 1: Escriba un número entre 0,5 y 1000 con 2 decimales como máximo. Use solo cifras y una coma o un punto decimal.'
        : 'Rent, page 1: Enter a number from 0.5 to 1000 with up to 2 decimal places. Use only digits and a decimal point.',
      es ? 'Elija una opción: Rhythm, página 1' : 'Choose an option: Rhythm, page 1',
    ]);
  expect(await rent.inputValue()).toBe('1e3');
  expect(await faultsOf(page)).toEqual([]);
  await rent.fill(es ? '99,5' : '99.5');
  await page.getByRole('combobox', { name: 'Rhythm' }).selectOption('Yearly');
  await page.getByRole('button', { name: es ? 'Guardar para más tarde' : 'Save for later' }).click();
  await page.getByRole('status').waitFor();
  expect(await rent.inputValue()).toBe(es ? '99,50' : '99.50');
  await page.getByRole('button', { name: es ? 'Firmar' : 'Sign', exact: true }).click();
  await page.locator('#outcome').waitFor();
  const values = await fieldsOf(app, company, id);
  expect(values.map(({ value }) => value)).toEqual(['C-1843 <b>', '99.50', 'Yearly', 'true']);
  const copy = page.getByRole('link', { name: es ? 'Descargar el PDF sellado' : 'Download the sealed PDF' });
  await expect.poll(async () => (await page.reload()) && copy.count(), { interval: 500 }).toBe(1);
  const [first] = pdfText(await (await page.request.get(`${link}/document.pdf`)).body()).split('\f');
  for (const drawn of ['C-1843 <b>', es ? '99,50' : '99.50', 'Yearly']) expect(first).toContain(drawn);
  await page.context().close();
});

test.each([
  [390, 'en'],
  [1280, 'es'],
] as const)('at %d px, radio buttons and conditions work without script (%s)', async (width, language) => {
  const es = language === 'es';
  const button = { recipient: 1, type: 'radio', group: 'Payment <i>' } as const;
  const fields: FieldToPlace[] = [
    { ...button, label: 'By bank' },
    { recipient: 1, type: 'text', label: 'Account', shown_if: { field: 1, value: 'true' } },
    { ...button, label: 'In cash' },
    { recipient: 1, type: 'checkbox', label: 'Dog' },
    { recipient: 1, type: 'text', label: 'Breed', shown_if: { field: 4, value: 'true' } },
    { recipient: 1, type: 'text', value: 'No fence', read_only: true, shown_if: { field: 4, value: 'false' } },
  ];
  const { id, link } = await sent(fields, {}, company.key, { primary_language: language });
  const page = await withoutScript(`${link}/form`, width);
  const sign = page.getByRole('button', { name: es ? 'Firmar' : 'Sign', exact: true });
  const group = page.getByRole('group', { name: /^Payment <i>/ });
  expect(await group.getByRole('radio').count()).toBe(2);
  await page.getByText(es ? /^Solo si Dog, página 1 es: marcada/ : /^Only if Dog, page 1 is: ticked/).waitFor();
  await page
    .getByText(es ? /^Solo si Payment <i>, página 1 es: By bank/ : /^Only if Payment <i>, page 1 is: By bank/)
    .waitFor();
  await page.getByRole('textbox', { name: 'Breed' }).fill('Poodle');
  await sign.click();
  const problems = page.getByRole('alert').getByRole('link');
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([es ? 'Elija una opción: Payment <i>, página 1' : 'Choose an option: Payment <i>, page 1']);
  expect(await page.getByRole('textbox', { name: 'Breed' }).inputValue()).toBe('Poodle');
  expect(await faultsOf(page)).toEqual([]);
  await group.getByRole('radio', { name: 'By bank' }).check();
  await sign.click();
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([es ? 'Rellene: Account, página 1' : 'Fill in: Account, page 1']);
  expect(await group.getByRole('radio', { name: 'By bank' }).isChecked()).toBe(true);
  await group.getByRole('radio', { name: 'In cash' }).check();
  await sign.click();
  await page.locator('#outcome').waitFor();
  const values = await fieldsOf(app, company, id);
  expect(values.map(({ value }) => value)).toEqual([null, null, 'true', 'false', null, 'No fence']);
  await page.context().close();
});

test('a form that was refused for now is sent again by a reload, with what was entered', async () => {
  const { id, link } = await sent();
  const page = await withoutScript(`${link}/form`);
  await page.getByRole('textbox', { name: 'Monthly rent' }).fill('1200');
  await page.getByRole('textbox', { name: /^Initials/ }).fill('AL');
  for (const name of [/^Signature/, /^Initials/]) await page.getByRole('checkbox', { name }).check();
  await page.route('**/form', (route) =>
    route.fulfill({ status: 429, headers: pageHeaders, body: renderTooManyRequestsPage('en', true) }),
  );
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('reload this page in your browser').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.unroute('**/form');
  await page.reload();
  await page.getByRole('heading', { name: 'Completed: everyone has signed' }).waitFor();
  expect(await statusOf(id)).toBe('completed');
  await page.context().close();
});
