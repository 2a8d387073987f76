import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { changingPage } from '../../src/sealing/testing/prepared-files.ts';
import { signPrepared } from '../prepared/sign-prepared.ts';
import { actionsOf } from '../signing/signer.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import { insertMany } from '../support/insert-many.ts';
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
import { closed, dialog, openConsole, press, pressIn, pressTogether } from './open-console.ts';
import { createSampleDocuments, type SampleDocuments, sign } from './sample-company.ts';
import { addMember, type Member, password, signedIn } from './visitor.ts';

/** Documents as members see and change them, on a phone and on a desktop. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;
let samples: SampleDocuments;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  samples = await createSampleDocuments(app, company);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const origin = () => new URL(app.baseUrl).origin;

const open = (path: string, device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole(path, { browser, app, member, device });

/** Ends the sessions when something is created next. Ended before, another request of the page would notice it and hide the button. */
async function endSessionAtCreation(page: Page, path: string, { personId }: Member): Promise<void> {
  let isNext = true;
  await page.route(
    (url) => url.pathname === `/console/api/${path}`,
    async (route) => {
      if (isNext && route.request().method() === 'POST') {
        isNext = false;
        await app.db.query({ name: '', text: 'delete from sessions where person_id = $1', values: [personId] });
      }
      await route.fallback();
    },
  );
}

test('a document that a test key sent is marked, in the list and on its page', async () => {
  const own = await createCompany(app);
  await createSent(app, own.key, { title: 'Real lease' });
  const id = await createSent(app, own.testKey, { title: 'Trial lease' });
  const page = await open('/documents', desk, await addMember(app, own.id, 'member'));
  const row = (title: string) => page.getByRole('row', { name: title });
  await row('Trial lease').getByText('Test', { exact: true }).waitFor();
  await row('Real lease').waitFor();
  expect(await row('Real lease').getByText('Test', { exact: true }).count()).toBe(0);
  await page.goto(`${origin()}/documents/${id}`);
  await page.getByText('Test', { exact: true }).waitFor();
  await page.getByText('Sent with a test key. No messages are delivered.').waitFor();
});

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every page is sound on %s', async (_device, device) => {
  const page = await open('/documents', device);
  await page.getByText('Safety briefing, site 7').waitFor();
  await expectSound(page);
  const titles = new Set<string>();
  const addTitle = async () => {
    const title = await eventually(
      () => page.title(),
      (shown) => shown !== 'Countersign',
    );
    titles.add(title);
  };
  await addTitle();
  for (const id of [samples.lease, samples.draft, samples.completed]) {
    await page.goto(`${origin()}/documents/${id}`);
    await page.getByRole('heading', { level: 2 }).nth(3).waitFor();
    await expectSound(page);
    await addTitle();
  }
  for (const path of ['new', `${samples.prepared}/fields`, `${samples.prepared}/edit`, 'nothing']) {
    await page.goto(`${origin()}/documents/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(page);
    await addTitle();
  }
  expect(titles.size).toBe(8);
});

test('the list is searched and filtered, and goes back', async () => {
  const page = await open('/documents');
  await page.getByRole('link', { name: 'Lease: 12 Harbour Street' }).waitFor();
  await page.getByRole('searchbox').fill('grace ');
  await page.getByRole('link', { name: 'Subcontract: electrical works' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('row').count()).toBe(5);
  await page.waitForURL(/q=grace/);
  await page.getByRole('link', { name: /^Draft/ }).click();
  await page.getByRole('link', { name: 'Notice to owner' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('link', { name: 'Estimate: roof repair' }).count()).toBe(1);
  expect(await page.getByRole('searchbox').inputValue()).toBe('grace ');
  await page.getByRole('searchbox').fill('nobody at all');
  await page.getByRole('heading', { name: 'No matching documents' }).waitFor();
  await page.getByRole('link', { name: 'Clear search' }).click();
  await page.getByRole('link', { name: 'Subcontract: electrical works' }).click();
  await page.getByRole('heading', { level: 1, name: 'Subcontract: electrical works' }).waitFor();
  await expect.poll(() => page.title()).toBe('Subcontract: electrical works · Countersign');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
});

test('a change reloads the page of the list that is shown, its counts, and nothing else', async () => {
  const own = await createCompany(app);
  const ids: string[] = [];
  for (let n = 0; n < 110; n++) ids.push(await createDraft(app, own.key, { title: `Numbered ${n}` }));
  const page = await open('/documents', desk, await addMember(app, own.id, 'owner'));
  for (const [first, rows] of [
    ['Numbered 59', 50],
    ['Numbered 9', 10],
  ] as const) {
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('link', { name: first, exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + rows);
  }
  const shown = new URL(page.url()).searchParams.get('after') ?? '';
  await page.getByRole('link', { name: 'Numbered 0', exact: true }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await call(app, 'POST', `/documents/${ids[0]}/send`, { key: own.key });
  await page.getByRole('row', { name: 'Numbered 0' }).getByText('Sent').waitFor();
  const lists = asked.filter((url) => url.includes('/console/api/documents'));
  expect(new Set(lists)).toEqual(
    new Set([
      `${origin()}/console/api/documents?limit=50&starting_after=${encodeURIComponent(shown)}`,
      `${origin()}/console/api/documents/counts`,
    ]),
  );
  expect(new Set(asked.filter((url) => url.includes('/console/api/'))).size).toBeLessThanOrEqual(3);

  await page.goBack();
  await expect.poll(() => page.getByRole('row').count()).toBe(51);
  await press(page, 'Previous');
  await page.getByRole('link', { name: 'Numbered 109', exact: true }).waitFor();
  await page.goto(`${origin()}/documents?after=${shown}`);
  await page.getByRole('link', { name: 'Numbered 0', exact: true }).waitFor();
  await press(page, 'First page');
  await page.getByRole('link', { name: 'Numbered 109', exact: true }).waitFor();
});

test('the whole title of an old document finds it, and so does the command palette', async () => {
  const own = await createCompany(app);
  const recipients = [{ name: 'Emmy Noether', email: 'emmy@example.com' }];
  const id = await createDraft(app, own.key, { title: 'Survey of the old bridge', recipients });
  await insertMany(
    app.db,
    20_500,
    `insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
             recipient_count, created_at, updated_at, audit_seq, audit_hash)
           select ('f1000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, account_id, type, status,
             'Bridge and survey of the old one', primary_language, sign_order_mode, 0, created_at, updated_at, 1, audit_hash
           from documents, generate_series($1::int, $2::int) n where id = $3`,
    [id],
  );
  const page = await open('/documents', desk, await addMember(app, own.id, 'member'));
  await page.getByRole('searchbox').fill('survey of the old bridge');
  await page.getByRole('row').nth(1).getByRole('link', { name: 'Survey of the old bridge' }).waitFor();

  await page.keyboard.press('Control+k');
  await dialog(page).getByRole('combobox').fill('survey of the OLD bridge');
  await dialog(page).getByRole('option').first().getByText('Survey of the old bridge').waitFor();
  await dialog(page).getByRole('combobox').fill('nobody at all');
  await dialog(page).getByRole('option', { name: 'Survey of the old bridge' }).waitFor({ state: 'detached' });
  await dialog(page).getByRole('combobox').fill('noether');
  await dialog(page).getByRole('option', { name: 'Survey of the old bridge' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin()}/documents/${id}`);
});

test('a company without documents is shown how the first is made', async () => {
  const fresh = await createCompany(app);
  const page = await open('/documents', phone, await addMember(app, fresh.id, 'member'));
  const first = page.getByRole('heading', { name: 'Your first document' }).locator('..');
  await first.getByText('Upload a PDF, add the people who sign, and send it.').waitFor();
  await page.getByText(`curl ${origin()}/api/v1/documents`).waitFor();
  const sizes = await Promise.all(
    ['h2 ~ p', 'h2 ~ div h3'].map((path) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('main ${path}')).fontSize`),
    ),
  );
  expect(sizes).toEqual(['15px', '14px']);
  await expectSound(page);
  await first.getByRole('link', { name: 'New document' }).click();
  await page.getByRole('heading', { level: 1, name: 'New document' }).waitFor();
  await page.goBack();
  await first.waitFor();
  await createDraft(app, fresh.key, { title: 'The first one' });
  await page.getByRole('link', { name: 'The first one' }).waitFor();
});

test('a Spanish company without documents is led to the form before the API', async () => {
  const fresh = await createCompany(app);
  const page = await open('/documents', { ...phone, locale: 'es-ES' }, await addMember(app, fresh.id, 'member'));
  await page.getByText('Suba un PDF, añada a quienes deben firmarlo y envíelo.').waitFor();
  await page.getByRole('heading', { name: 'O créelo con la API' }).waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Nuevo documento' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Nuevo documento' }).waitFor();
});

test.each([
  ['en-US', ['Step 1', 'Step 2', 'Step 2', null]],
  ['es-ES', ['Paso 1', 'Paso 2', 'Paso 2', null]],
])('recipients of a sequential document carry the number of their step, in %s', async (locale, steps) => {
  const recipients = ['Ada', 'Grace', 'Mary', 'Katherine'].map((name, index) => ({
    name,
    email: `${name}@example.com`,
    sign_order: [10, 20, 20, 30][index],
    ...(name === 'Katherine' && { role: 'cc' }),
  }));
  const shown = async (mode: string) => {
    const id = await createDraft(app, company.key, { recipients, content: { sign_order_mode: mode } });
    const page = await open(`/documents/${id}`, { ...phone, locale });
    const items = page.locator('section[aria-labelledby=recipients] li');
    await items.nth(3).waitFor();
    await expectSound(page);
    return (await items.allInnerTexts()).map((text) => /(Step|Paso) \d+/.exec(text)?.[0] ?? null);
  };
  expect(await shown('sequential')).toEqual(steps);
  expect(await shown('parallel')).toEqual([null, null, null, null]);
});

test('what others do is seen while one looks', async () => {
  const id = await createSent(app, company.key, { title: 'Watched' });
  const page = await open('/documents');
  const row = page.getByRole('row', { name: /Watched/ });
  await row.getByText('Sent').waitFor();
  await sign(app, company, id, 'Ada Lovelace');
  await row.getByText('Completed').waitFor();
});

test('a draft is sent, reminded of, given to somebody else and voided, each after a question', async () => {
  const recipients = [{ name: 'Ada Lovelace', email: 'from-console@example.com' }];
  const id = await createDraft(app, company.key, { title: 'By hand', recipients });
  const page = await open(`/documents/${id}`);
  await press(page, 'Send');
  await expectSound(page);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await page.getByText('Sent', { exact: true }).first().waitFor();

  await press(page, 'Remind');
  await pressIn(page, 'Remind');
  await page.getByText('Reminded Ada Lovelace').waitFor();
  await dialog(page).waitFor({ state: 'hidden' });
  await press(page, 'Remind');
  await pressIn(page, 'Remind');
  await dialog(page).getByText('No reminder sent.').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  const mailed = await eventually(
    () => listMailbox(`${app.dataDir}/mailbox`, { to: 'from-console@example.com' }),
    (found) => found.length === 2,
  );
  expect(mailed).toHaveLength(2);

  await press(page, 'Reassign: Ada Lovelace');
  await dialog(page).getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await pressIn(page, 'Reassign');
  await dialog(page).getByText('Choose a different person, and enter their e-mail address or phone number.').waitFor();
  await dialog(page).getByLabel('E-mail address').fill('grace@example.com');
  await expectSound(page);
  await pressIn(page, 'Reassign');
  await page.getByText('Reassigned to Grace Hopper').waitFor();

  await press(page, 'Void document');
  await dialog(page).getByRole('button', { name: 'Void document' }).click();
  await dialog(page).getByText('Enter a reason of up to 1000 characters.').waitFor();
  await dialog(page).getByLabel('Reason').fill('Signed on paper');
  await dialog(page).getByRole('button', { name: 'Void document' }).click();
  await page.getByText('Voided: Signed on paper').waitFor();
  await page.getByRole('button', { name: 'Void document' }).waitFor({ state: 'detached' });
});

test('the question before sending says who gets a request and who signs in person', async () => {
  const [ada, mary] = [
    { name: 'Ada Lovelace', email: 'ada@example.com' },
    { name: 'Mary Jackson', channel: 'in_person' },
  ];
  const asked = async (recipients: object[]) => {
    const id = await createDraft(app, company.key, { recipients });
    const page = await open(`/documents/${id}`);
    await press(page, 'Send');
    return dialog(page).innerText();
  };
  const both = await asked([ada, mary]);
  for (const said of ['One recipient will receive a signing request.', 'One recipient signs in person'])
    expect(both).toContain(said);
  const alone = await asked([mary]);
  expect(alone).toContain('One recipient signs in person');
  expect(alone).not.toContain('will receive');
});

test('someone who was replaced while the dialog was open is not replaced again', async () => {
  const id = await createSent(app, company.key, { recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] });
  const page = await open(`/documents/${id}`);
  await press(page, 'Reassign: Ada Lovelace');
  const member = await signedIn(app, ruth);
  const { body } = await member.get(`/documents/${id}`);
  const bob = { name: 'Bob', email: 'bob@example.com' };
  await member.post(`/documents/${id}/recipients/${body.recipients[0].id}/reassign`, bob);
  await page.getByText('Reassigned to Bob').waitFor();
  expect(await dialog(page).innerText()).toContain('Reassign from Ada Lovelace');
  await dialog(page).getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await dialog(page).getByLabel('E-mail address').fill('grace@example.com');
  await pressIn(page, 'Reassign');
  await dialog(page).getByText('was replaced in the meantime').waitFor();
});

test('a dialog stays open while its action runs', async () => {
  const id = await createDraft(app, company.key, { title: 'On its way' });
  const page = await open(`/documents/${id}`);
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/documents/${id}/send`, async (route) => {
    await isHeld;
    await route.continue();
  });
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await pressIn(page, 'Cancel');
  await dialog(page).getByRole('button', { name: 'Close' }).click({ force: true });
  for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Escape');
  expect(await dialog(page).isVisible()).toBe(true);
  // As a phone does that is asked to go back twice.
  await page.evaluate('document.querySelector("dialog").close()');
  await expect.poll(() => dialog(page).isVisible()).toBe(true);
  await page.waitForTimeout(100);
  expect(await dialog(page).isVisible()).toBe(true);
  release();
  await closed(page);
  await page.getByText('Sent', { exact: true }).first().waitFor();
});

test('a device is handed over for signing, and whoever gets it is not signed in', async () => {
  const id = await createSent(app, company.key, {
    title: 'At the counter',
    recipients: [{ name: 'Mary Jackson', channel: 'in_person' }],
  });
  const page = await open(`/documents/${id}`, phone);
  await press(page, 'Sign here in person');
  await expectSound(page);
  // Requests between signing out and leaving the page must not lead anywhere else.
  await page.route(/\/in-person$/, async (route) => {
    const refused = page.waitForResponse((other) => other.status() === 401);
    const response = await route.fetch();
    await refused;
    await route.fulfill({ response });
  });
  await press(page, 'Open signing page');
  await page.waitForURL(/\/sign\//);
  await page.getByText('Mary Jackson').first().waitFor();
  await page.goto(`${origin()}/documents`);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

test('a member adds themself first, sends, and signs at once', async () => {
  await createSent(app, company.key, { recipients: [{ name: 'Ruth Müller', email: ruth.email }] });
  const page = await open('/documents/new', phone);
  await page.getByLabel('Title').fill('Signed by me first');
  await page.getByRole('button', { name: 'Add yourself' }).click();
  const [name, email] = [page.getByLabel('Name', { exact: true }), page.getByLabel('E-mail')];
  await eventually(
    () => email.inputValue(),
    (value) => value === ruth.email,
  );
  expect(await name.inputValue()).toBe('Ruth Müller');
  expect(await name.evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await page.getByRole('button', { name: 'Add yourself' }).count()).toBe(0);
  await expectSound(page);
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Signed by me first' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign now' }).count()).toBe(0);
  await press(page, 'Send');
  await dialog(page).getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Sign now' }).waitFor();
  await expectSound(page);
  await press(page, 'Sign now');
  await page.waitForURL(/\/sign\//);
  await page.getByText('Ruth Müller').first().waitFor();
});

test('a PDF is looked at page by page, and the completed one is downloaded', async () => {
  const page = await open(`/documents/${samples.lease}`);
  const picture = page.getByRole('img', { name: 'Page 1 of 2' });
  await picture.waitFor();
  await eventually(
    () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    (width) => width > 0,
  );
  await page.getByText('Text of page 1').click();
  await page.getByText('The rent is due on the third working day').first().waitFor();
  await page.goto(`${origin()}/documents/${samples.completed}`);
  await eventually(
    async () => (await page.request.get(`${origin()}/console/api/documents/${samples.completed}/pdf`)).status(),
    (status) => status === 200,
  );
  await page.getByRole('heading', { name: 'Signed document' }).waitFor();
  await page.getByText('Text of page 1').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Subcontract_ electrical works.pdf');
});

test('while the service is away, pages stay in the application, and continue by themselves', async () => {
  const page = await open('/documents');
  await page.evaluate('window.isSame = true');
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.waitForURL(/templates/);
  await page.getByText('The service isn’t answering.').waitFor();
  await page.getByRole('heading', { name: 'We can’t show this page right now' }).waitFor();
  await expectSound(page);
  await page.unroute('**/*');
  await page.getByRole('link', { name: 'Lease of a flat', exact: true }).waitFor();
  await page.getByText('The service isn’t answering.').waitFor({ state: 'detached' });
  expect(await page.evaluate('window.isSame')).toBe(true);
});

test('what was typed when the session ended is kept for the same person, and for no one else', async () => {
  const member = await addMember(app, company.id, 'member');
  const page = await open('/documents/new', desk, member);
  const type = async (title: string) => {
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await endSessionAtCreation(page, 'documents', member);
    await press(page, 'Create draft');
    await dialog(page).getByRole('heading', { name: 'You are signed out' }).waitFor();
  };
  await type('Typed before');
  expect(await page.getByLabel('Title').isVisible()).toBe(false);
  await dialog(page).getByLabel('Password').fill('not this one');
  await pressIn(page, 'Sign in');
  await dialog(page).getByText('This password is wrong.').waitFor();
  await expectSound(page);
  await dialog(page).getByLabel('Password').fill(password);
  await pressIn(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();

  await page.goto(`${origin()}/documents/new`);
  await type('Typed for no one else');
  const other = await signedIn(app, ruth);
  await page.context().addCookies([...other.cookies].map(([name, value]) => ({ name, value, url: origin() })));
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.getByRole('link', { name: 'Typed before' }).waitFor();
  expect(await page.getByText('Typed for no one else').count()).toBe(0);
});

test.each([
  ['en-US', 'You are signed out', 'Sign in again', 'Create key', 'Name', 'Close'],
  ['es-ES', 'Su sesión ha terminado', 'Volver a iniciar sesión', 'Crear clave', 'Nombre', 'Cerrar'],
])('%s: a page whose sign-in was closed stays hidden, and returns after a sign-in', async (locale, ...names) => {
  const [title, again, create, name, close] = names;
  const member = await addMember(app, company.id, 'owner');
  const page = await open('/settings/api-keys', { ...desk, locale }, member);
  await press(page, create);
  const field = page.getByLabel(name, { exact: true });
  await field.fill('Typed before');
  await endSessionAtCreation(page, 'keys', member);
  await pressIn(page, create);
  const question = page.getByRole('dialog', { name: title, exact: true });
  await question.waitFor();
  // The first one closes the question; those that follow at once must not close the dialog behind it.
  await Promise.all(Array.from({ length: 4 }, () => page.keyboard.press('Escape')));
  await question.waitFor({ state: 'detached' });
  const signIn = page.getByRole('button', { name: again });
  await signIn.waitFor();
  for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Escape');
  await expectSound(page);
  expect(await field.isVisible()).toBe(false);
  await signIn.click();
  await question.getByRole('button', { name: close }).click();
  await signIn.waitFor();
  const elsewhere = await signedIn(app, member);
  await page.context().addCookies([...elsewhere.cookies].map(([name, value]) => ({ name, value, url: origin() })));
  await signIn.waitFor({ state: 'detached' });
  await expect.poll(() => field.isVisible()).toBe(true);
  expect(await field.inputValue()).toBe('Typed before');
  await pressIn(page, create);
  await page.getByText(/^svc_test_\w{38}$/).waitFor();
});

test('the keyboard goes everywhere', async () => {
  const page = await open('/documents');
  await page.getByRole('link', { name: 'Lease: 12 Harbour Street' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('/');
  await page.keyboard.type('harbour');
  // A list of what was found by the first letters may come before.
  await page.waitForURL(/q=harbour$/);
  await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['Lease: 12 Harbour Street']);
  await page.getByRole('searchbox').blur();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Lease: 12 Harbour Street' }).waitFor();

  await page.keyboard.press('Control+k');
  const box = dialog(page).getByRole('combobox');
  await box.fill('briefing');
  await dialog(page)
    .getByRole('option', { name: /Safety briefing/ })
    .waitFor();
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Safety briefing, site 7' }).waitFor();

  await pressTogether(page, 'g', 'd');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.keyboard.press('?');
  await dialog(page).getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await expectSound(page);
  await page.keyboard.press('Escape');
  await closed(page);

  // In an open menu, letters choose an item by its name, and those that begin no name do nothing.
  await page.getByRole('button', { name: 'Your menu' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
});

test('company, colours and language are chosen in the menu', async () => {
  const second = await createCompany(app);
  const both = await addMember(app, company.id, 'member', 'both@example.com');
  await addMember(app, second.id, 'admin', 'both@example.com');
  await createDraft(app, second.key, { title: 'Of the second company' });
  const page = await open('/documents', desk, both);
  const menu = page.getByRole('button', { name: 'Your menu' });
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expectSound(page);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 22, 28)');
  await menu.click();
  expect(await page.getByRole('menuitemradio', { checked: true }).allInnerTexts()).toEqual(['Dark\n✓']);
  await expectSound(page);
  await page.getByRole('menuitem', { name: /Switch to/ }).click();
  await page.getByRole('link', { name: 'Of the second company' }).waitFor();
  await menu.click();
  // Typing the letters of a name selects it.
  await page.keyboard.press('e');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Documentos' }).waitFor();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
});

test('a document is made, given a PDF and fields, and sent', async () => {
  const page = await open('/documents');
  await page.getByRole('link', { name: 'New document' }).click();
  // The list, which is still there, has a search field with the same name.
  await page.getByRole('heading', { level: 1, name: 'New document' }).waitFor();
  await page.getByLabel('Title').fill('Made in the console');
  await page.locator('input[type=file]').setInputFiles({
    name: 'Shed.pdf',
    mimeType: 'application/pdf',
    buffer: makePdf({ pages: [{ text: 'The shed' }] }),
  });
  await press(page, 'Create draft');
  await page.getByText('Enter a name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada-of-the-shed@example.com');
  await press(page, 'Add recipient');
  const second = page.getByRole('group', { name: 'Recipient 2' });
  await second.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await second.getByLabel('E-mail address').fill('grace@example.com');
  await second.getByLabel('Part', { exact: true }).selectOption('Approves');
  expect(await page.getByLabel('Order').isDisabled()).toBe(true);
  await expectSound(page);
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Made in the console' }).waitFor();

  await page.getByRole('link', { name: 'Place fields' }).click();
  // The document's page shows the same picture.
  await page.getByRole('heading', { level: 1, name: 'Place fields' }).waitFor();
  const picture = page.getByRole('img', { name: 'Page 1 of 1' });
  await picture.click({ position: { x: 200, y: 300 } });
  const field = page.getByRole('button', { name: 'Signature of Ada Lovelace, page 1' });
  const placed = await field.boundingBox();
  await page.mouse.move((placed?.x ?? 0) + 20, (placed?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((placed?.x ?? 0) + 120, (placed?.y ?? 0) + 60, { steps: 4 });
  await page.mouse.up();
  const moved = async () => {
    const now = await field.boundingBox();
    return [(now?.x ?? 0) - (placed?.x ?? 0), (now?.y ?? 0) - (placed?.y ?? 0)].map(Math.round);
  };
  await expect.poll(moved).toEqual([100, 50]);
  await page.keyboard.press('ArrowLeft');
  await page.getByLabel('Who').selectOption('Grace Hopper');
  await page.getByRole('radio', { name: 'Text', exact: true }).check();
  await press(page, 'Add to page 1');
  await page.getByLabel('Label').fill('Shed number');
  await page.getByRole('checkbox', { name: 'Hide from other recipients' }).check();
  await press(page, 'Add to page 1');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Text of Grace Hopper, page 1' }).last().focus();
  await page.keyboard.press('Delete');
  await expectSound(page);
  await press(page, 'Save fields');
  await page.getByRole('heading', { level: 1, name: 'Made in the console' }).waitFor();

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const fields = (await page.request
    .get(`${origin()}/console/api/documents/${id}/fields`)
    .then((answer) => answer.json())) as {
    data: object[];
  };
  expect(fields.data).toMatchObject([
    { type: 'signature', width: 160, height: 40, required: true, private: false },
    { type: 'text', label: 'Shed number', private: true },
  ]);
  await press(page, 'Send');
  await pressIn(page, 'Send');
  await page.getByText('Asked Ada Lovelace to sign').waitFor();
});

test('a draft whose PDF is refused says why, and takes another', async () => {
  const page = await open('/documents/new', phone);
  await page.getByLabel('Title').fill('With a broken PDF');
  const broken = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('Hello') };
  await page.locator('input[type=file]').setInputFiles(broken);
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await press(page, 'Create draft');
  await page.getByText('attached. This file isn’t a PDF').waitFor();
  await expectSound(page);
  await page.locator('input[type=file]').setInputFiles(broken);
  await page.getByRole('alert').filter({ hasText: 'This file isn’t a PDF' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({ ...broken, buffer: makePdf() });
  await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor();
});

test('a stopped seal is explained to the sender, in both languages', async () => {
  const { id } = await signPrepared(app, company, changingPage());
  await eventually(
    () => actionsOf(app, company, id),
    (actions) => actions.includes('seal_stopped'),
  );
  const page = await open(`/documents/${id}`, phone);
  await page.getByText('Signed, but not sealed. Page 2 of the PDF would look different once sealed').waitFor();
  await page.getByText('Sealing stopped', { exact: true }).waitFor();
  await expectSound(page);
  const spanish = await open(`/documents/${id}`, { ...desk, locale: 'es-ES' });
  await spanish.getByText('Firmado, pero sin sellar. La página 2 del PDF se vería distinta').waitFor();
});
