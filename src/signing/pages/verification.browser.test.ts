import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { phone } from '../../../test/support/devices.ts';
import { texts } from '../../page-texts/texts.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleLockedView, sampleView } from './testing/sample-views.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const button = (page: Page, name: string) => page.getByRole('button', { name });
const code = (page: Page) => page.getByRole('textbox', { name: 'Verification code' });
const evaluate = (page: Page, expression: string) => page.evaluate(expression) as Promise<unknown>;
const focusedName = (page: Page) => evaluate(page, 'document.activeElement.id');

test('both steps are there at once, under their names, and the field is fit for a code', async () => {
  await using open = await openPage(browser, sampleLockedView(), phone);
  const { page } = open;
  await page.getByRole('heading', { level: 1, name: 'Subcontract for the re-roofing of Building C' }).waitFor();
  await page.getByText('ending in 42').waitFor();
  for (const name of ['Send code', 'Verify']) {
    const box = await button(page, name).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
  }
  expect(await code(page).getAttribute('inputmode')).toBe('numeric');
  expect(await code(page).getAttribute('autocomplete')).toBe('one-time-code');
  expect(open.complaints).toEqual([]);
});

test('a code is sent, typed and verified; the same page then shows the document, with the focus on its title', async () => {
  await using open = await openPage(browser, sampleLockedView(), phone);
  const { page, served } = open;
  await button(page, 'Send code').click();
  await page.getByRole('status').filter({ hasText: 'The code is on its way.' }).waitFor();
  expect(await focusedName(page)).toBe('code');
  await page.keyboard.type('１２３ 456');
  served.view = sampleView({ isVerified: true });
  await button(page, 'Verify').click();
  await page.getByRole('textbox', { name: 'Full name' }).waitFor();
  await expect.poll(() => focusedName(page)).toBe('title');
  expect(served.posts.filter(({ path }) => path !== 'viewed')).toEqual([
    { path: 'code', body: {} },
    { path: 'verify', body: { code: '１２３ 456', page: expect.stringMatching(/^[\d-]{32,}$/) } },
  ]);
  expect(open.complaints).toEqual([]);
});

test('a browser that keeps no cookie is told so after a right code, which would only be asked for again', async () => {
  await using open = await openPage(browser, sampleLockedView(), phone);
  const { page, served } = open;
  await code(page).fill('123456');
  await button(page, 'Verify').click(); // the page that is served next asks for a code again
  await page.getByRole('alert').filter({ hasText: texts.en.codeNoCookie }).waitFor();
  expect(await page.getByRole('link', { name: texts.en.link.ownTab }).count()).toBe(0);
  expect(served.requests.filter((request) => request === `GET ${served.view.address}`)).toHaveLength(1);
});

test('the keyboard alone is enough, and Enter in the field verifies', async () => {
  await using open = await openPage(browser, sampleLockedView());
  const { page, served } = open;
  await page.keyboard.press('Tab'); // the menu of languages
  await page.keyboard.press('Tab');
  expect(await focusedName(page)).toBe('send-code');
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('code');
  await page.keyboard.type('123456');
  served.view = sampleView();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Full name' }).waitFor();
  expect(served.posts.filter(({ path }) => path === 'verify')).toHaveLength(1);
});

test('a try whose answer was lost is repeated under the same name, and another page has another one', async () => {
  const names = async () => {
    await using open = await openPage(browser, sampleLockedView());
    const { page, served } = open;
    await code(page).fill('123456');
    for (const _ of ['first', 'again']) {
      served.answer = 'hang up';
      await button(page, 'Verify').click();
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      served.answer = null;
    }
    await button(page, 'Verify').click();
    await expect.poll(() => served.posts.filter(({ path }) => path === 'verify').length).toBeGreaterThanOrEqual(3);
    return served.posts.flatMap(({ path, body }) => (path === 'verify' ? [(body as { page: string }).page] : []));
  };
  const one = new Set(await names());
  const other = new Set(await names());
  expect([one.size, other.size, new Set([...one, ...other]).size]).toEqual([1, 1, 2]);
});

test('a double click sends one code, and one try', async () => {
  await using open = await openPage(browser, sampleLockedView());
  const { page, served } = open;
  for (const [name, path] of [
    ['Send code', 'code'],
    ['Verify', 'verify'],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<void>();
    served.hold = promise;
    await code(page).fill('123456');
    await button(page, name).dblclick();
    await button(page, name).click({ force: true });
    if (path === 'verify') served.answer = { status: 400, code: 'invalid_code' };
    resolve();
    await page.getByText(path === 'code' ? 'The code is on its way' : 'This code does not open').waitFor();
    expect(served.posts.filter((posted) => posted.path === path)).toHaveLength(1);
  }
});

test('a code that is missing or wrong is told of at its field, in the language of the page', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    await using open = await openPage(browser, sampleLockedView({ language }));
    const { page, served } = open;
    const field = page.getByRole('textbox', { name: text.code });
    const verify = page.getByRole('button', { name: text.verify });
    await verify.click();
    await page.getByRole('alert').filter({ hasText: text.script.codeMissing }).waitFor();
    expect(served.posts.some(({ path }) => path === 'verify')).toBe(false);

    served.answer = { status: 400, code: 'invalid_code' };
    await field.fill('123456');
    await verify.click();
    await page.getByRole('alert').filter({ hasText: text.script.refusals.invalid_code }).waitFor();
    expect(await focusedName(page)).toBe('code');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('6'); // what was wrong is selected, so that it is typed over
    expect(await field.inputValue()).toBe('6');
    expect(await field.getAttribute('aria-invalid')).toBeNull();
  }
});

test('who asked for too many codes is told when the next is possible', async () => {
  for (const [language, sentence] of [
    ['en', 'You can get the next one in 12 minutes.'],
    ['es', 'Podrá recibir el siguiente dentro de 12 minutos.'],
  ] as const) {
    await using open = await openPage(browser, sampleLockedView({ language }));
    const { page, served } = open;
    served.answer = { status: 429, code: 'too_many_codes', retryAfterSeconds: 661 };
    await page.getByRole('button', { name: texts[language].sendCode }).click();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
});

test('a code that could not be sent can be tried again', async () => {
  await using open = await openPage(browser, sampleLockedView(), phone);
  const { page, served } = open;
  for (const failure of [{ status: 502, code: 'code_not_sent' }, 'hang up'] as const) {
    served.answer = failure;
    await button(page, 'Send code').click();
    await page
      .getByRole('alert')
      .filter({ hasText: /try again/i })
      .waitFor();
  }
  served.answer = null;
  await button(page, 'Try again').click();
  await page.getByText('The code is on its way').waitFor();
  expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
});

test('a document that ended in the meantime: the page says so and then shows it', async () => {
  await using open = await openPage(browser, sampleLockedView());
  const { page, served } = open;
  served.answer = { status: 409, code: 'document_voided' };
  await button(page, 'Send code').click();
  served.view = sampleLockedView({ state: { kind: 'voided', reason: null } });
  await button(page, 'Show current status').click();
  await page.getByRole('heading', { name: 'This document was voided' }).waitFor();
});

test('in test mode the page shows the code', async () => {
  await using open = await openPage(
    browser,
    sampleLockedView({ testMode: true, code: { phoneEnding: '42', isShown: true } }),
  );
  const { page, served } = open;
  served.answerBody = { code: '004217' };
  await page.getByText('In test mode no text message is sent').waitFor();
  await button(page, 'Send code').click();
  await page.getByRole('status').filter({ hasText: 'Test mode: your code is 004217.' }).waitFor();
});

test('a browser that was verified already is let in, once, although the link came from elsewhere', async () => {
  await using open = await openPage(browser, sampleLockedView());
  const { page, served } = open;
  await expect.poll(() => served.posts.length).toBe(1); // it asked, and stays locked
  served.answerBody = { state: 'open' };
  await page.reload();
  // It stays locked although the service says it is open: loading it again and again would help nobody.
  await expect.poll(() => served.requests.filter((request) => request.startsWith('GET /sign/')).length).toBe(3);
  await page.waitForLoadState('networkidle');
  expect(served.requests.filter((request) => request.startsWith('GET /sign/'))).toHaveLength(3);
  served.view = sampleView();
  await page.reload();
  await page.getByRole('textbox', { name: 'Full name' }).waitFor();
});

test('who is at work keeps the page open; a page left alone is not kept', async () => {
  await using open = await openPage(browser, sampleLockedView());
  const { page, served } = open;
  const viewed = () => served.posts.filter(({ path }) => path === 'viewed').length;
  await expect.poll(viewed).toBe(1);
  await page.clock.install();
  served.view = sampleView({ isVerified: true });
  await page.reload();
  await expect.poll(viewed).toBe(2);
  await page.clock.fastForward('06:00');
  await page.getByRole('textbox', { name: 'Full name' }).press('a');
  await expect.poll(viewed).toBe(3);
  await page.getByRole('textbox', { name: 'Full name' }).press('b');
  await page.clock.fastForward('20:00');
  expect(viewed()).toBe(3);
});

test('Finish takes back what the code opened', async () => {
  await using open = await openPage(
    browser,
    sampleView({ isVerified: true, state: { kind: 'signed', at: new Date() } }),
    phone,
  );
  const { page, served } = open;
  await button(page, 'Finish').click();
  await expect.poll(() => served.posts).toEqual([{ path: 'finish', body: {} }]);
});

test('without JavaScript the page leads to the form that needs no script, and shows no button that does nothing', async () => {
  await using open = await openPage(browser, sampleLockedView(), { javaScriptEnabled: false });
  expect(await open.page.locator('noscript p').textContent()).toContain('JavaScript');
  expect(await button(open.page, 'Send code').count()).toBe(0);
});

test('a reason and a ticked consent survive a verification that ended, also with another language on the way', async () => {
  const view = sampleView({ consentStatement: 'I agree to use electronic records.' });
  await using open = await openPage(browser, view, phone);
  const { page, served, complaints } = open;
  await page.getByRole('checkbox', { name: 'I agree' }).check();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Why is clause seven there?');
  served.answer = { status: 403, code: 'verification_required' };
  await button(page, 'Decline to sign').click();
  served.view = sampleLockedView();
  await button(page, 'Show current status').click();
  await code(page).fill('123456');
  served.answer = null;
  await page.locator('#languages summary').click();
  await page.locator('#languages a', { hasText: 'Español' }).click();
  const spanish = page.getByRole('textbox', { name: texts.es.code });
  await expect.poll(() => spanish.inputValue()).toBe('123456');
  served.view = view;
  await page.locator('#verify').click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Reason' }).inputValue())
    .toBe('Why is clause seven there?');
  expect(await page.locator('#consent').isChecked()).toBe(true);
  expect(complaints).toEqual([]);
});

test('a verification that ended while the page rested is explained, and the button leads to the code', async () => {
  await using open = await openPage(browser, sampleView({ isVerified: true, file: sampleFile() }), phone);
  const { page, served } = open;
  const viewed = () => served.posts.filter(({ path }) => path === 'viewed').length;
  await expect.poll(viewed).toBe(1);
  await page.clock.install();
  await page.reload();
  await expect.poll(viewed).toBe(2);
  await page.clock.fastForward('45:00');
  served.answer = 'hang up'; // the network isn't back yet
  await page.touchscreen.tap(100, 300);
  await expect.poll(viewed).toBeGreaterThan(2);
  served.answer = null;
  served.view = sampleLockedView();
  await expect
    .poll(async () => {
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      return page.getByRole('alert').filter({ hasText: 'Your verification expired' }).count();
    })
    .toBe(1);
  await button(page, 'Show current status').click();
  await button(page, 'Send code').waitFor();
  expect(open.complaints).toEqual([]);
});
