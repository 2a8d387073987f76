import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocument } from '../../src/documents/create-document.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { expectSound } from '../support/expect-sound.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { closed, openConsole, press, pressIn } from './open-console.ts';
import { addMember, type Member, signedIn } from './visitor.ts';

/** Drafts in the browser: editing, templates, and the preview as a signer. */
let app: TestService;
let company: Company;
let ruth: Member;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner', 'ruth@example.com');
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const origin = () => new URL(app.baseUrl).origin;

const open = (path: string, device: BrowserContextOptions = desk, member: Member = ruth) =>
  openConsole(path, { browser, app, member, device });

const party = (page: Page, number: number) => page.getByRole('group', { name: `Recipient ${number}` });
const idIn = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? '';

/** Of Ada and Grace, each with a signature to leave on the PDF. */
async function aDraft(title: string): Promise<string> {
  const id = await createDraft(app, company.key, {
    title,
    recipients: [
      { name: 'Ada Lovelace', email: 'ada@example.com', role: 'Tenant' },
      { name: 'Grace Hopper', email: 'grace@example.com' },
    ],
  });
  await attachPdf(app, company, id, { pages: [{ text: 'The rent is due' }] });
  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'signature' },
  ]);
  return id;
}

test('before sending, signers without a signature field are named, when others have one', async () => {
  const recipients = ['Ada Lovelace', 'Grace Hopper'].map((name, index) => ({ name, email: `${index}@sign.example` }));
  const id = await createDraft(app, company.key, { title: 'Signed by two', recipients });
  await attachPdf(app, company, id);
  const page = await open(`/documents/${id}`);
  const remark = page.getByRole('dialog').getByText('no signature field');
  const answered = page.waitForResponse(/\/fields$/);
  await press(page, 'Send');
  await answered;
  expect(await remark.count()).toBe(0);

  await placeOn(app, company, id, [
    { recipient: 1, type: 'signature' },
    { recipient: 2, type: 'text' },
  ]);
  await page.reload();
  await press(page, 'Send');
  await remark.filter({ hasText: 'Grace Hopper has no signature field.' }).waitFor();
  await expectSound(page);
  await pressIn(page, 'Send');
  await page.getByText('Asked Ada Lovelace to sign').waitFor();
});

test('a draft is edited, its recipients and their order too, and sent before it was read anew', async () => {
  const page = await open(`/documents/${await aDraft('Lease')}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Edit draft' }).waitFor();
  await page.getByLabel('Title').fill('Lease of the mill');
  expect(await party(page, 1).getByLabel('Role').inputValue()).toBe('Tenant');
  await press(page, 'Move recipient 1 down');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move recipient 2 up');
  expect(await party(page, 1).getByLabel('Name', { exact: true }).inputValue()).toBe('Grace Hopper');
  await press(page, 'Add recipient');
  await party(page, 3).getByLabel('Name', { exact: true }).fill('Mary Jackson');
  await party(page, 3).getByLabel('E-mail address').fill('mary@example.com');
  await page.getByLabel('Order').selectOption('One after another, as listed');
  await party(page, 3).getByLabel('Same time as the previous recipient').check();
  await press(page, 'Remove recipient 1');
  await page.getByRole('dialog').getByText('One field on the PDF is assigned to them.').waitFor();
  await expectSound(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove recipient', exact: true }).click();
  await party(page, 3).waitFor({ state: 'detached' });
  await expectSound(page);
  const slow = Promise.withResolvers<void>();
  await page.route(`**/console/api/documents/${idIn(page)}`, async (route) => {
    if (route.request().method() === 'GET') await slow.promise;
    await route.continue();
  });
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Lease of the mill' }).waitFor();
  await press(page, 'Send');
  const sent = page.waitForResponse(/\/send$/);
  await pressIn(page, 'Send');
  expect((await sent).status()).toBe(200);
  slow.resolve();
  await closed(page);
  await page.getByText('Edited', { exact: true }).waitFor();
  const { recipients } = await (await page.request.get(`${origin()}/console/api/documents/${idIn(page)}`)).json();
  expect(recipients).toMatchObject([
    { name: 'Ada Lovelace', role: 'Tenant', sign_order: 1 },
    { name: 'Mary Jackson', sign_order: 1 },
  ]);
});

test('a change whose answer was lost is saved once, and nobody is blamed', async () => {
  const id = await aDraft('Lost answer');
  const page = await open(`/documents/${id}/edit`);
  await page.getByLabel('Title').fill('Saved all the same');
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route(`**/console/api/documents/${id}`, lose, { times: 1 });
  await press(page, 'Save');
  await page.getByText('We can’t reach the service').waitFor();
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'Saved all the same' }).waitFor();
});

test('of two who edit at once the later one is told, and keeps what they entered', async () => {
  const id = await aDraft('Contested');
  const [early, late] = [await open(`/documents/${id}/edit`, phone), await open(`/documents/${id}/edit`)];
  for (const [page, title] of [
    [early, 'As Ruth has it'],
    [late, 'As somebody else has it'],
  ] as const) {
    await page.getByLabel('Title').fill(title);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await press(page, 'Save');
    await answered;
  }
  await early.getByRole('heading', { level: 1, name: 'As Ruth has it' }).waitFor();
  await late.getByText('Someone else changed this document, so your changes').waitFor();
  expect(await late.getByLabel('Title').inputValue()).toBe('As somebody else has it');
  await expectSound(late);
  await press(late, 'Discard my changes and load the latest version');
  await eventually(
    () => late.getByLabel('Title').inputValue(),
    (title) => title === 'As Ruth has it',
  );
  await Promise.all([early, late].map((page) => page.context().close()));
});

test('fields that were placed on what was changed meanwhile are kept, and saved on what it is now', async () => {
  const id = await aDraft('Moving');
  const page = await open(`/documents/${id}/fields`);
  await press(page, 'Add to page 1');
  await page.getByLabel('Who').selectOption('Grace Hopper');
  const visitor = await signedIn(app, ruth);
  const { version, recipients: saved } = (await visitor.get(`/documents/${id}`)).body;
  const recipients = [{ id: saved[0].id, name: 'Ada Lovelace', email: 'ada@example.com' }];
  await visitor.post(`/documents/${id}`, { version, title: 'Moved', recipients });
  await press(page, 'Save fields');
  await page.getByText('so your fields weren’t saved').waitFor();
  await press(page, 'Load the latest version');
  await page.getByRole('link', { name: 'Moved' }).waitFor();
  await press(page, 'Add to page 1');
  await press(page, 'Save fields');
  await page.getByRole('heading', { level: 1, name: 'Moved' }).waitFor();
  const { data } = (await visitor.get(`/documents/${id}/fields`)).body;
  expect(data.map(({ recipient }: { recipient: string }) => recipient)).toEqual(Array(3).fill(saved[0].id));
});

test('where nobody fills anything in yet, the way leads to the recipients', async () => {
  const { db, world } = app;
  const creator = { accountId: company.id, actor: 'operator', mode: 'live' } as const;
  const { id } = await createDocument(world, db, creator, { title: 'From a drive', recipients: [] });
  await attachPdf(app, company, id, { pages: [{}] });
  const page = await open(`/documents/${id}/fields`, phone);
  await expectSound(page);
  await page.getByRole('link', { name: 'Edit the recipients' }).click();
  await press(page, 'Add recipient');
  await party(page, 1).getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await party(page, 1).getByLabel('E-mail address').fill('ada@example.com');
  await press(page, 'Save');
  await page.getByRole('heading', { level: 1, name: 'From a drive' }).waitFor();
  await page.getByText('ada@example.com').waitFor();
});

test('a PDF that takes the place of another is the one that is seen', async () => {
  const id = await aDraft('Replaced');
  const page = await open(`/documents/${id}`);
  const picture = page.getByRole('img', { name: 'Page 1 of 1' });
  const before = await picture.getAttribute('src');
  const buffer = makePdf({ pages: [{ text: 'The other rent' }] });
  await page.locator('input[type=file]').setInputFiles({ name: 'Other.pdf', mimeType: 'application/pdf', buffer });
  await page.locator('bdi').filter({ hasText: 'Other.pdf' }).waitFor();
  expect(await picture.getAttribute('src')).not.toBe(before);
  await page.getByText('Text of page 1').click();
  await page.getByText('The other rent').waitFor();
});

test('a template is made from scratch, used and deleted', async () => {
  const fresh = await createCompany(app);
  const admin = await addMember(app, fresh.id, 'admin');
  const page = await open('/documents', phone, admin);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('heading', { name: 'Reuse a document' }).waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByRole('heading', { level: 1, name: 'New template' }).waitFor();
  await page.getByLabel('Title').fill('House lease');
  await page.locator('input[type=file]').setInputFiles({
    name: 'Lease.pdf',
    mimeType: 'application/pdf',
    buffer: makePdf({ pages: [{ text: 'The lease' }] }),
  });
  await party(page, 1).getByLabel('Role or person').fill('Tenant');
  await expectSound(page);
  await press(page, 'Create template');
  await page.getByRole('heading', { level: 1, name: 'House lease' }).waitFor();
  await page.getByText('Named when it is used').waitFor();
  await page.getByRole('link', { name: 'Place fields' }).click();
  await press(page, 'Add to page 1');
  await press(page, 'Save fields');
  await page.getByRole('heading', { level: 1, name: 'House lease' }).waitFor();
  await expectSound(page);

  await page.getByRole('link', { name: 'Use template' }).click();
  await page.getByRole('heading', { level: 1, name: 'New document from a template' }).waitFor();
  const tenant = page.getByRole('group', { name: 'Recipient 1: Tenant' });
  expect(await tenant.getByLabel('Role').inputValue()).toBe('Tenant');
  await page.getByText('A page, one field.').waitFor();
  await tenant.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await press(page, 'Use template');
  await page.getByText('Enter an e-mail address.').waitFor();
  await tenant.getByLabel('E-mail address').fill('ada@example.com');
  await expectSound(page);
  await press(page, 'Use template');
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  const { data } = await (await page.request.get(`${origin()}/console/api/documents/${idIn(page)}/fields`)).json();
  expect(data).toMatchObject([{ type: 'signature' }]);

  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByRole('heading', { name: 'No matching templates' }).waitFor();
  await page.getByRole('searchbox').fill('tenant');
  await page.getByRole('link', { name: 'House lease', exact: true }).waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'House lease', exact: true }).click();
  await press(page, 'Delete template');
  await expectSound(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click();
  await page.getByRole('heading', { name: 'Reuse a document' }).waitFor();
});

test('a signer whose role in a template is called like another part stays a signer, and a long role ends with a whole character', async () => {
  const names = ['approver', `${'x'.repeat(59)}😀😀`];
  const recipients = names.map((name) => ({ name, role: null }));
  const visitor = await signedIn(app, ruth);
  const { body } = await visitor.post('/templates', { title: 'Two roles', recipients });
  const page = await open(`/templates/${body.id}/use`);
  for (const [index, name] of ['Ada', 'Alan'].entries()) {
    await party(page, index + 1)
      .getByLabel('Name', { exact: true })
      .fill(name);
    await party(page, index + 1)
      .getByLabel('E-mail address')
      .fill(`${name}@example.com`);
  }
  const role = party(page, 1).getByLabel('Role');
  expect(await role.inputValue()).toBe('');
  await role.fill('cc ');
  await press(page, 'Use template');
  await party(page, 1).getByText('This word has a meaning of its own.').waitFor();
  await expectSound(page);
  await role.fill('');
  await press(page, 'Use template');
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect((await visitor.get(`/documents/${idIn(page)}`)).body.recipients).toMatchObject([
    { kind: 'signer', role: null },
    { kind: 'signer', role: `${'x'.repeat(59)}😀` },
  ]);
});

test('a phone number and a role that are saved can be seen and cleared, also where none is needed', async () => {
  const recipients = [{ name: 'Tenant', phone: '+15550100', role: 'Lessee' }];
  const visitor = await signedIn(app, ruth);
  const { body } = await visitor.post('/templates', { title: 'A role with a number', recipients });
  const page = await open(`/documents/${body.id}/edit`);
  await party(page, 1).getByLabel('Phone number').fill('');
  await party(page, 1)
    .getByLabel(/^Role(?! or)/)
    .fill('');
  await expectSound(page);
  await press(page, 'Save');
  await page.getByRole('link', { name: 'Use template' }).waitFor();
  expect((await visitor.get(`/documents/${body.id}`)).body.recipients).toMatchObject([{ phone: null, role: null }]);
});

test('a template that was changed while it was filled in is used at the second try, with what was entered', async () => {
  const visitor = await signedIn(app, ruth);
  const recipients = [{ name: 'Tenant' }, { name: 'Landlord', email: 'old@example.com' }, { name: 'Agent' }];
  const content = { message: 'Sign by Friday.', expires_in_days: 30 };
  const { body } = await visitor.post('/templates', { title: 'Lese of a mill', recipients, content });
  const page = await open(`/templates/${body.id}/use`);
  await party(page, 1).getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await party(page, 1).getByLabel('E-mail address').fill('ada@example.com');
  await party(page, 3).getByLabel('Name', { exact: true }).fill('Alan Turing');
  await party(page, 3).getByLabel('E-mail address').fill('alan@example.com');
  await page.getByLabel('Message').fill('Sign today.');

  const { version, recipients: saved } = (await visitor.get(`/documents/${body.id}`)).body;
  const [tenant, landlord] = saved;
  await visitor.post(`/documents/${body.id}`, {
    version,
    title: 'Lease of a mill',
    recipients: [
      { id: tenant.id, name: 'Tenant', role: 'Lessee' },
      { id: landlord.id, name: 'Landlord', email: 'new@example.com' },
      { name: 'Witness' },
    ],
    content: { message: 'Sign by Monday.', expires_in_days: 14 },
  });
  await press(page, 'Use template');
  await page.getByRole('alert').filter({ hasText: 'Someone else changed this template' }).waitFor();
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Lease of a mill');
  expect(await page.getByLabel('Message').inputValue()).toBe('Sign today.');
  expect(await page.getByLabel('Expires after').inputValue()).toBe('14');
  expect(await party(page, 1).getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
  await expectSound(page);
  const witness = page.getByRole('group', { name: 'Recipient 4: Witness' });
  await witness.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await witness.getByLabel('E-mail address').fill('grace@example.com');
  await press(page, 'Use template');
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect((await visitor.get(`/documents/${idIn(page)}`)).body).toMatchObject({
    title: 'Lease of a mill',
    message: 'Sign today.',
    expires_in_days: 14,
    recipients: [
      { name: 'Ada Lovelace', role: 'Lessee', email: 'ada@example.com' },
      { name: 'Landlord', email: 'new@example.com' },
      { name: 'Alan Turing', email: 'alan@example.com' },
      { name: 'Grace Hopper' },
    ],
  });
});

test('a template is duplicated, and its copy is opened', async () => {
  const visitor = await signedIn(app, ruth);
  const { body } = await visitor.post('/templates', { title: 'Boat lease', recipients: [{ name: 'Tenant' }] });
  const page = await open(`/templates/${body.id}`);
  await press(page, 'Duplicate');
  await page.getByRole('heading', { level: 1, name: 'Boat lease (copy)' }).waitFor();
  expect(idIn(page)).not.toBe(body.id);
  await expectSound(page);
});

test('the details of an earlier recipient are filled in, and can be changed', async () => {
  await createDraft(app, company.key, { recipients: [{ name: 'Wendy Ferris', email: 'wendy@example.com' }] });
  const page = await open('/documents/new');
  await party(page, 1).getByLabel('Name', { exact: true }).fill('Wendy Ferris');
  const address = party(page, 1).getByLabel('E-mail address');
  await expect.poll(() => address.inputValue()).toBe('wendy@example.com');
  await address.fill('');
  await address.pressSequentially('wf@');
  expect(await address.inputValue()).toBe('wf@');

  await address.fill('');
  await party(page, 1).getByLabel('Name', { exact: true }).fill('');
  await address.fill('wendy@example.com');
  await expect.poll(() => party(page, 1).getByLabel('Name', { exact: true }).inputValue()).toBe('Wendy Ferris');
});

test('a document is copied to a draft, which opens for editing', async () => {
  const page = await open(`/documents/${await aDraft('Lease of a barn')}`);
  await page.getByRole('button', { name: 'More actions for this document' }).click();
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await page.getByRole('dialog').getByText('Nothing is sent.').waitFor();
  const source = page.url();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page.waitForURL(/\/documents\/[^/]+\/edit$/);
  expect(page.url()).not.toContain(source);
  expect(await page.getByLabel('Title').inputValue()).toBe('Lease of a barn');
});

test('a form that is sent again after its answer was lost creates one document', async () => {
  const page = await open('/documents/new');
  let answers = 0;
  await page.route('**/console/api/documents', async (route) => {
    if (route.request().method() !== 'POST' || answers++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel('Title').fill('Created once');
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await press(page, 'Create draft');
  await page.getByRole('alert').filter({ hasText: 'Check your connection' }).waitFor();
  await press(page, 'Create draft');
  await page.getByRole('heading', { level: 1, name: 'Created once' }).waitFor();
  const visitor = await signedIn(app, ruth);
  expect((await visitor.get('/documents?q=Created%20once')).body.data).toHaveLength(1);
});

test('a draft is saved as a template, whose recipients become roles', async () => {
  const page = await open(`/documents/${await aDraft('Lease of a shed')}`);
  await page.getByRole('button', { name: 'More actions for this document' }).click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save as template' }).click();
  await page.getByRole('link', { name: 'Use template' }).waitFor();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Edit template' }).waitFor();
  await party(page, 2).getByLabel('Role or person').fill('Landlord');
  await party(page, 2).getByLabel('E-mail address').fill('');
  await press(page, 'Save');
  await page.getByText('Named when it is used').waitFor();
  await page.goto(`${origin()}/documents/${idIn(page)}`);
  await page.waitForURL(/\/templates\//);
});

test('a template that is sensitive says so, and is in the list again once that is lifted', async () => {
  const visitor = await signedIn(app, ruth);
  const { body } = await visitor.post('/templates', { title: 'Severance agreement', recipients: [] });
  const member = await open(`/templates/${body.id}`, desk, await addMember(app, company.id, 'member'));
  await visitor.post('/restricted-papers', { document_id: body.id, kind: 'other' });
  await member.getByRole('heading', { name: 'Page not found' }).waitFor();
  const page = await open(`/templates/${body.id}`, phone);
  await page.getByText('Restricted document').waitFor();
  await expectSound(page);
  await press(page, 'Lift restriction');
  await page.getByRole('dialog').getByText('see this template again').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift restriction' }).click();
  await page.getByText('Restricted document').waitFor({ state: 'detached' });
  expect((await visitor.get('/templates?q=severance')).body.data).toHaveLength(1);
});

test('what the signers will see is seen before it is sent: nothing is signed, and nothing kept', async () => {
  const id = await aDraft('Lease of a boat');
  const page = await open(`/documents/${id}`);
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Preview as the signer' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const shown = page.frameLocator('iframe');
  await shown.getByText('Nothing you do here is sent or saved.').waitFor();
  await shown.getByText('The rent is due').first().waitFor();
  await expectSound(page);
  await page.locator('iframe').scrollIntoViewIfNeeded();
  await shown.getByRole('button', { name: /^Signature/ }).click();
  await shown.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await shown.getByRole('dialog').getByRole('button', { name: 'Place', exact: false }).first().click();
  await shown.getByRole('button', { name: 'Sign', exact: true }).click();
  await shown.getByText('This is a preview, so nothing was recorded.').waitFor();
  await page.getByLabel('As seen by').selectOption('Grace Hopper');
  await page.getByLabel('On').selectOption('A computer');
  await page
    .frameLocator('iframe[title="Signing page as seen by Grace Hopper"]')
    .getByText('Lease of a boat')
    .first()
    .waitFor();
  await expectSound(page);
  expect(asked.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('what comes before the document is seen, too, and leads nowhere', async () => {
  const id = await createDraft(app, company.key, {
    recipients: [
      { name: 'Mary Jackson', channel: 'in_person' },
      { name: 'Ada Lovelace', email: 'ada@example.com', auth_level: 'l0_account_session' },
    ],
  });
  const page = await open(`/documents/${id}/preview`, phone);
  const shown = page.frameLocator('iframe');
  await page.getByLabel('Step').selectOption('Before: handing over the device');
  await shown.getByRole('button', { name: 'Begin' }).click();
  await shown.getByText('This is a preview, so nothing was recorded.').waitFor();
  await page.getByLabel('As seen by').selectOption('Ada Lovelace');
  await page.getByLabel('Step').selectOption('Before: signing in');
  await shown.getByRole('button', { name: 'Send sign-in link' }).click();
  await shown.getByText('This is a preview, so nothing was recorded.').waitFor();
  await shown.getByRole('link', { name: /Sign in/ }).click();
  await shown.getByText('This is a preview, so nothing was recorded.').waitFor();
});

test('what was sent is neither edited nor previewed, which is asked again when it could not be told', async () => {
  const id = await createSent(app, company.key);
  const page = await open('/templates');
  const refusal = { status: 429, json: { error: { code: 'too_many_tries' } } };
  await page.route(`**/console/api/documents/${id}`, (route) => route.fulfill(refusal), { times: 1 });
  await page.goto(`${origin()}/documents/${id}/edit`);
  await press(page, 'Try again');
  await page.getByText('You can only edit drafts').waitFor();
  await page.goto(`${origin()}/documents/${id}/fields`);
  await page.getByText('You can only place fields on a draft').waitFor();
  await page.goto(`${origin()}/documents/${id}/preview`);
  await page.getByText('You can only preview drafts').waitFor();
  await page.goto(`${origin()}/templates/${id}/use`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test.each([
  ['a telephone', phone],
  ['a desk in the dark, in Spanish', { ...desk, colorScheme: 'dark', locale: 'es-ES' }],
] as [string, BrowserContextOptions][])('every page is sound on %s', async (_device, device) => {
  const id = await aDraft('Lease of a barn');
  const page = await open(`/documents/${id}/edit`, device);
  await expectSound(page);
  for (const path of ['/templates', '/templates/new', `/documents/${id}/preview`]) {
    await page.goto(origin() + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(page);
  }
});
