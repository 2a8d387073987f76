import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { readAudit } from '../../src/documents/audit.ts';
import { currentDisclosure, disclosureSha256 } from '../../src/signing/disclosure.ts';
import { openLinkOf, withCode } from '../signing/signer.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPublicLink } from '../support/public-link.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Documents in English and Spanish, read and signed in other languages. */
let app: TestService;
let company: Company;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const offer: FieldToPlace[] = [
  { recipient: 1, type: 'number', label: 'Price', required: true, decimals: 2, max: '5000' },
  { recipient: 1, type: 'signature', required: true },
];

async function sent(changes: object = {}): Promise<{ id: string; link: string }> {
  const recipients = [{ name: 'Erika Musterfrau', email: 'erika@example.com' }];
  const id = await createDraft(app, company.key, { title: 'Offer 7', recipients, ...changes });
  await attachPdf(app, company, id);
  await placeOn(app, company, id, offer);
  const answer = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(answer.status, answer.text).toBe(200);
  return { id, link: (await openLinkOf(app, company, id, 'Erika Musterfrau')).link };
}

async function open(link: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

const details = async (id: string, action: string) =>
  (await readAudit(app.db, company.id, id)).find((entry) => entry.action === action)?.detail;

const valueWith = async (id: string, label: string) =>
  (await fieldsOf(app, company, id)).find((field) => field.label === label)?.value;

test('a German reader signs an English document with a number, all in German', async () => {
  const { id, link } = await sent();
  const page = await open(link, {
    locale: 'de-DE',
    extraHTTPHeaders: { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' },
  });
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('h1').getAttribute('lang')).toBe('en');
  const price = page.getByRole('textbox', { name: 'Price, Zahl, Seite 1, Pflichtfeld' });
  await price.fill('1.200');
  await price.press('Tab');
  await page
    .getByText(/^Price, Seite 1: Geben Sie eine Zahl bis höchstens 5000 mit höchstens 2 Nachkommastellen/)
    .waitFor();
  await price.fill('1200,5');
  await price.press('Tab');
  expect(await price.inputValue()).toBe('1200,50');
  await page.getByRole('button', { name: /^Unterschrift, Seite 1/ }).click();
  await page.getByRole('button', { name: 'Unterschrift einsetzen' }).click();
  await page.getByText('Bereit zum Unterschreiben').waitFor();
  await page.getByRole('button', { name: 'Unterschreiben', exact: true }).click();
  await page.getByRole('heading', { name: 'Abgeschlossen: Alle haben unterschrieben' }).waitFor();
  expect(await valueWith(id, 'Price')).toBe('1200.50');

  expect(await details(id, 'signed')).toMatchObject({ page_language: 'de' });
  // What was agreed to is in the document's language, as it was shown.
  const agreed = disclosureSha256(currentDisclosure('en'), 'en', 'signing');
  expect(await details(id, 'consented')).toMatchObject({ language: 'en', disclosure_sha256: agreed });
});

test('the choice is remembered for signing pages, and a page in the language of the document records no other', async () => {
  const [first, second] = [await sent(), await sent({ primary_language: 'es' })];
  const page = await open(first.link, { extraHTTPHeaders: { 'accept-language': 'de' } });
  await page.locator('#languages summary').click();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'countersign_page_language', value: 'en', httpOnly: true, sameSite: 'Lax' });
  await page.goto(second.link);
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.goto(first.link);
  await page.getByRole('textbox', { name: /^Price/ }).fill('7');
  await page.getByRole('button', { name: /^Signature, page 1/ }).click();
  await page.getByRole('button', { name: 'Place signature' }).click();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByRole('heading', { name: 'Completed: everyone has signed' }).waitFor();
  expect(await details(first.id, 'signed')).not.toHaveProperty('page_language');
});

test('without JavaScript, a document is signed in French, and another language loses nothing that was typed', async () => {
  const { id, link } = await sent();
  const headers = { 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.5' };
  const page = await open(`${link}/form`, { javaScriptEnabled: false, extraHTTPHeaders: headers });
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  const price = (name: string) => page.getByRole('textbox', { name });
  await price('Price, page 1, obligatoire').fill('1 200,5');
  await page.getByRole('textbox', { name: 'Nom complet' }).fill('Erika M.');
  await page.getByRole('checkbox', { name: /^Signature/ }).check();
  await page.locator('details.form-decline summary').click();
  await page.getByRole('textbox', { name: 'Motif' }).fill('Trop cher');

  await page.locator('#languages summary').click();
  await page.getByRole('button', { name: 'English' }).click();
  expect(await price('Price, page 1, required').inputValue()).toBe('1200.50');
  expect(await page.getByRole('textbox', { name: 'Full name' }).inputValue()).toBe('Erika M.');
  expect(await page.getByRole('checkbox', { name: /^Signature/ }).isChecked()).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Trop cher');
  await price('Price, page 1, required').fill('1,200');
  await page.locator('#languages summary').click();
  await page.getByRole('button', { name: 'Français' }).click();
  // 1,200 is no number in English and would be one in French.
  expect(await price('Price, page 1, obligatoire').inputValue()).toBe('');
  await page.getByRole('alert').getByText('Vous aviez saisi : 1,200').waitFor();

  await price('Price, page 1, obligatoire').fill('1 200,5');
  await page.keyboard.press('Enter'); // neither signs nor changes the language
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  await page.getByRole('button', { name: 'Signer', exact: true }).click();
  await page.getByRole('heading', { name: 'Terminé : tout le monde a signé' }).waitFor();
  expect(await valueWith(id, 'Price')).toBe('1200.50');
  expect(await details(id, 'signed')).toMatchObject({ page_language: 'fr' });
});

test('a form is read in the language in which it was shown, whatever another tab chose meanwhile', async () => {
  const { id, link } = await sent();
  const page = await open(`${link}/form`, { javaScriptEnabled: false, extraHTTPHeaders: { 'accept-language': 'it' } });
  await page.getByRole('textbox', { name: 'Price, pagina 1, obbligatorio' }).fill('0,75');
  await page.context().addCookies([{ name: 'countersign_page_language', value: 'en', url: link }]);
  await page.getByRole('checkbox', { name: /^Firma/ }).check();
  await page.getByRole('button', { name: 'Salva per dopo' }).click();
  await page.getByText('Saved. You can continue later with the same link.').waitFor();
  expect(await valueWith(id, 'Price')).toBe('0.75');
  expect(await page.getByRole('textbox', { name: 'Price, page 1, required' }).inputValue()).toBe('0.75');
});

test('notices about links are read in the language of the person', async () => {
  const page = await open(`${new URL(app.baseUrl).origin}/sign/${'x'.repeat(43)}`, {
    extraHTTPHeaders: { 'accept-language': 'pt-BR,en;q=0.9' },
  });
  await page.getByRole('heading', { name: 'Este link não funciona' }).waitFor();
  await page.locator('#languages summary').click();
  await page.getByRole('link', { name: 'Italiano' }).click();
  await page.getByRole('heading', { name: 'Questo link non funziona' }).waitFor();
  await page.goto(`${new URL(app.baseUrl).origin}/sign/finished`);
  await page.getByRole('heading', { name: 'Può chiudere questa pagina' }).waitFor();
  // Unknown languages choose nothing.
  await page.goto(`${new URL(app.baseUrl).origin}/sign/finished?language=xx`);
  await page.getByRole('heading', { name: 'Può chiudere questa pagina' }).waitFor();
  await page.goto(`${new URL(app.baseUrl).origin}/sign/finished?language=constructor`);
  await page.getByRole('heading', { name: 'Può chiudere questa pagina' }).waitFor();
});

test('without JavaScript, the code page and the page of a public link keep what was typed, and Enter is their main button', async () => {
  const options = { javaScriptEnabled: false, extraHTTPHeaders: { 'accept-language': 'de' } };
  const link = await createPublicLink(app, company, { name: 'Summer party' });
  const page = await open(`${new URL(app.baseUrl).origin}/link/${link.token}`, options);
  await page.getByRole('textbox', { name: 'Ihr vollständiger Name' }).fill('Erika M.');
  await page.getByRole('textbox', { name: 'Ihre E-Mail-Adresse' }).fill('erika');
  await page.locator('#languages summary').click();
  await page.getByRole('button', { name: 'Italiano' }).click();
  expect(await page.getByRole('textbox', { name: 'Nome e cognome' }).inputValue()).toBe('Erika M.');
  await page.getByRole('textbox', { name: 'Indirizzo e-mail' }).press('Enter');
  await page.getByRole('alert').getByText('Inserisca un indirizzo e-mail').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('it');

  const id = await createSent(app, company.key, { recipients: [withCode] });
  const signer = await openLinkOf(app, company, id, withCode.name);
  await page.goto(`${signer.link}/form`);
  const code = page.getByRole('textbox', { name: 'Codice di verifica' });
  await code.fill('12');
  await page.locator('#languages summary').click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  const codeInGerman = page.getByRole('textbox', { name: 'Bestätigungscode' });
  expect(await codeInGerman.inputValue()).toBe('12');
  await codeInGerman.press('Enter');
  await page.getByRole('alert').getByText('Dieser Code öffnet das Dokument nicht').waitFor();
});

test('someone who names another person keeps what was entered in another language', async () => {
  const settings = await readSigningSettings(app.db, company.id);
  await app.db.transaction((tx) =>
    setSigningSettings(app.world, tx, company.id, { ...settings, allows_delegation: true }, null),
  );
  const { link } = await sent();
  const page = await open(`${link}/delegate`, {
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'accept-language': 'fr' },
  });
  await page.getByRole('textbox', { name: 'Nom complet' }).fill('Karl');
  await page.locator('#languages summary').click();
  await page.getByRole('button', { name: 'Português' }).click();
  expect(await page.getByRole('textbox', { name: 'Nome completo' }).inputValue()).toBe('Karl');
  await page.getByRole('textbox', { name: 'Nome completo' }).press('Enter');
  await page.getByRole('alert').getByText('Escreva um endereço de e-mail').waitFor();
});
