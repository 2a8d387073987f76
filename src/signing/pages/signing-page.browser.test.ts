import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { phone } from '../../../test/support/devices.ts';
import type { CopyStatus } from '../../documents/completed-file.ts';
import { texts } from '../../page-texts/texts.ts';
import type { PageField, SigningPageView, SigningState } from './signing-page.ts';
import { openPage } from './testing/open-page.ts';
import { hostileView, sampleFields, sampleFile, sampleView } from './testing/sample-views.ts';

const { version: disclosure } = sampleView().disclosure;
const shown = sampleView().shown.sha256;
const signed: SigningState = { kind: 'signed', at: new Date() };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const button = (page: Page, name: string) => page.getByRole('button', { name });
const fullName = (page: Page) => page.getByRole('textbox', { name: 'Full name' });
const evaluate = (page: Page, expression: string) => page.evaluate(expression) as Promise<unknown>;
const focusedName = (page: Page) => evaluate(page, 'document.activeElement.id');

test('everything one needs to sign is there at once, under its name', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page } = open;
  await page.getByRole('heading', { level: 1, name: 'Subcontract for the re-roofing of Building C' }).waitFor();
  await page.getByText('Please sign by Friday').waitFor();
  for (const name of ['Start', 'Sign', 'Decline']) {
    await button(page, name).waitFor();
    const box = await button(page, name).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
  }
  await fullName(page).waitFor();
  await page.getByRole('tab', { name: 'Type', selected: true }).waitFor();
  await page.getByRole('tab', { name: 'Draw', selected: false }).waitFor();
  expect(await fullName(page).inputValue()).toBe('Maria López Herrera');
  await expect.poll(() => page.getByRole('textbox').count()).toBe(1);
  expect(open.complaints).toEqual([]);
});

test('one click signs with the name that is filled in or typed; the page then says so, with the focus on it', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page, served } = open;
  await button(page, 'Start').click();
  expect(await focusedName(page)).toBe('full-name');
  await fullName(page).fill('  Maria López Herrera ');
  served.view = sampleView({ state: signed });
  await button(page, 'Sign').click();

  await page.getByRole('heading', { level: 2, name: 'You signed this document' }).waitFor();
  await expect.poll(() => focusedName(page)).toBe('outcome-heading');
  await page.waitForLoadState();
  const top = await evaluate(page, 'document.activeElement.getBoundingClientRect().top');
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(phone.viewport.height / 2);
  expect(served.posts).toEqual([
    { path: 'viewed', body: {} },
    { path: 'sign', body: { full_name: 'Maria López Herrera', signature: { kind: 'typed' }, disclosure, shown } },
  ]);
  expect(await button(page, 'Sign').count()).toBe(0);
  expect(open.complaints).toEqual([]);
});

test('the keyboard alone is enough, and Enter in the name field signs nothing', async () => {
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('Tab'); // the menu of languages
  await press('Tab');
  expect(await focusedName(page)).toBe('start');
  await press('Enter');
  await page.keyboard.type('Maria');
  await press('Enter');
  expect(await focusedName(page)).toBe('full-name');
  await press('Tab', 'ArrowRight');
  await page.getByRole('tab', { name: 'Draw', selected: true }).waitFor();
  await press('Home');
  await page.getByRole('tab', { name: 'Type', selected: true }).waitFor();
  await press('Tab', 'Tab', 'Tab', 'Tab');
  expect(await focusedName(page)).toBe('sign');
  expect(served.posts.some(({ path }) => path === 'sign')).toBe(false);
  served.view = sampleView({ state: signed });
  await press('Space');
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
});

test('a name that is missing is asked for at its field', async () => {
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  await fullName(page).fill('');
  await button(page, 'Sign').click();
  await page.getByRole('alert').filter({ hasText: 'Enter your full name.' }).waitFor();
  expect(await focusedName(page)).toBe('full-name');
  expect(await fullName(page).getAttribute('aria-invalid')).toBe('true');
  expect(await fullName(page).getAttribute('aria-describedby')).toContain('full-name-error');
  await fullName(page).fill('M');
  expect(await fullName(page).getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => served.posts.map(({ path }) => path)).toEqual(['viewed']);
});

test('a double click, and more clicks while the answer is awaited, sign once', async () => {
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  let release = () => {};
  served.hold = new Promise((resolve) => {
    release = resolve;
  });
  await fullName(page).fill('Maria');
  await button(page, 'Sign').dblclick();
  await button(page, 'Sign').click({ force: true });
  served.view = sampleView({ state: signed });
  release();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  expect(served.posts.filter(({ path }) => path === 'sign')).toHaveLength(1);
});

test('a second tab that signs again lands on the same outcome', async () => {
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  const second = await page.context().newPage();
  await second.goto(served.url);
  for (const tab of [page, second]) await fullName(tab).fill('Maria');
  served.view = sampleView({ state: signed });
  for (const tab of [page, second]) {
    await button(tab, 'Sign').click();
    await tab.getByRole('heading', { name: 'You signed this document' }).waitFor();
  }
});

test('a failing connection keeps what was entered and offers to try again', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page, served } = open;
  await fullName(page).fill('Maria López');
  for (const failure of [
    'hang up',
    { status: 500, code: 'temporarily_unavailable' },
    { status: 502, code: '' },
  ] as const) {
    served.answer = failure;
    await button(page, 'Sign').click();
    await page.getByRole('alert').filter({ hasText: 'try again' }).waitFor();
    expect(await fullName(page).inputValue()).toBe('Maria López');
  }
  served.answer = null;
  served.view = sampleView({ state: signed });
  await button(page, 'Try again').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
});

test('each refusal is explained in the language of the page', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    const all = text.script.refusals;
    const explained = new Set<string>();
    // A page has only those that it can receive. About codes, that is without a file; about files of fields, with such a field.
    const upload = { ...sampleFields[0], type: 'upload', required: false } as PageField;
    for (const file of [null, sampleFile({ fields: [upload] })]) {
      await using open = await openPage(browser, sampleView({ language, file }));
      const { page, served } = open;
      await page.getByRole('textbox', { name: text.fullName }).fill('Maria');
      const codes = await page.evaluate(
        'Object.keys(JSON.parse(document.getElementById("texts").textContent).refusals)',
      );
      for (const code of codes as (keyof typeof all)[]) {
        explained.add(code);
        if (code === 'invalid_reason') continue;
        served.answer = { status: 409, code };
        await page.getByRole('button', { name: text.sign, exact: true }).click();
        await page.getByRole('alert').filter({ hasText: all[code] }).waitFor();
      }
    }
    expect([...explained].sort()).toEqual(Object.keys(all).sort());
  }
});

test('a document voided in the meantime: the page says so and then shows it', async () => {
  await using open = await openPage(browser, sampleView());
  const { page, served } = open;
  await fullName(page).fill('Maria');
  served.answer = { status: 409, code: 'document_voided' };
  served.view = sampleView({ state: { kind: 'voided', reason: null } });
  await button(page, 'Sign').click();
  await page.getByText('voided this document').waitFor();
  await button(page, 'Show current status').click();
  await page.getByRole('heading', { name: 'This document was voided' }).waitFor();
});

test('declining asks for a reason, and can be cancelled', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page, served } = open;
  await button(page, 'Decline').click();
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await reason.waitFor();
  expect(await focusedName(page)).toBe('reason');
  await expect.poll(() => button(page, 'Sign').count()).toBe(1); // `Decline to sign` alone: one decision at a time
  await button(page, 'Cancel').click();
  expect(await focusedName(page)).toBe('decline');
  await button(page, 'Decline').click();
  await button(page, 'Start').click();
  expect(await focusedName(page)).toBe('full-name');

  await button(page, 'Decline').click();
  await button(page, 'Decline to sign').click();
  await page.getByRole('alert').filter({ hasText: 'Enter a reason.' }).waitFor();
  await reason.fill('Not what we agreed on.\nSection 4.');
  served.answer = 'hang up';
  await button(page, 'Decline to sign').click();
  await page.getByText('The connection failed').waitFor();
  served.answer = null;
  served.view = sampleView({
    state: { kind: 'declined', at: new Date(), bySelf: true, reason: 'Not what we agreed on.' },
  });
  await button(page, 'Decline to sign').click();
  await page.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  expect(served.posts.at(-1)).toEqual({ path: 'decline', body: { reason: 'Not what we agreed on.\nSection 4.' } });
});

test('a reason that the service refuses is explained at its field, and stays there', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    await using open = await openPage(browser, sampleView({ language }));
    const { page, served } = open;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press(text.decline);
    const reason = page.getByRole('textbox', { name: text.reason });
    // The browser, which counts an emoji twice, cuts off no reason that the service would take.
    await page.keyboard.insertText('😀'.repeat(1000));
    expect([...(await reason.inputValue())]).toHaveLength(1000);
    await reason.fill('A reason');
    served.answer = { status: 400, code: 'invalid_reason' };
    await press(text.declineToSign);
    await page.getByRole('alert').filter({ hasText: text.script.refusals.invalid_reason }).waitFor();
    expect(await focusedName(page)).toBe('reason');
    expect(await reason.getAttribute('aria-invalid')).toBe('true');
    expect(await reason.inputValue()).toBe('A reason');
  }
});

test('what signing electronically means can be read next to the button', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page } = open;
  const point = page.getByText('You need not sign electronically');
  expect(await point.isVisible()).toBe(false);
  await page.getByText('What signing electronically means').click();
  await point.waitFor();
  await expect.poll(() => button(page, 'Sign').count()).toBe(1);
});

test('an approver approves, under a name that is there already; there is nothing to draw', async () => {
  const view = sampleView({ recipient: { name: 'Theo Brandt', kind: 'approver' } });
  await using open = await openPage(browser, view);
  const { page, served } = open;
  expect(await page.getByRole('tab').count()).toBe(0);
  expect(await button(page, 'Sign').count()).toBe(0);
  served.view = { ...view, state: { kind: 'approved', at: new Date() } };
  await button(page, 'Approve').click();
  await page.getByRole('heading', { name: 'You approved this document' }).waitFor();
  expect(served.posts.at(-1)?.body).toEqual({
    full_name: 'Theo Brandt',
    signature: { kind: 'typed' },
    disclosure,
    shown,
  });
  expect(open.complaints).toEqual([]);
});

test('`viewed` is reported once, by a page that is visible, and only while one may sign', async () => {
  await using hidden = await openPage(browser, sampleView());
  await expect.poll(() => hidden.served.posts).toEqual([{ path: 'viewed', body: {} }]);

  const { page, served } = hidden;
  served.posts.length = 0;
  await page.addInitScript({
    content: `let state = 'hidden';
      Object.defineProperty(document, 'visibilityState', { get: () => state });
      addEventListener('become-visible', () => { state = 'visible'; document.dispatchEvent(new Event('visibilitychange')); });`,
  });
  await page.reload();
  await page.waitForTimeout(300);
  expect(served.posts).toEqual([]);
  await evaluate(page, "dispatchEvent(new Event('become-visible'))");
  await evaluate(page, "dispatchEvent(new Event('become-visible'))");
  await expect.poll(() => served.posts).toEqual([{ path: 'viewed', body: {} }]);

  await using waiting = await openPage(browser, sampleView({ state: { kind: 'waiting' } }));
  await waiting.page.waitForTimeout(300);
  expect(waiting.served.posts).toEqual([]);
});

test('the sealed copy appears by itself once it is ready, without moving the focus', async () => {
  const completed = (copy: CopyStatus): SigningPageView =>
    sampleView({ state: { kind: 'completed', at: new Date(), copy } });
  await using open = await openPage(browser, completed('preparing'));
  const { page, served } = open;
  const download = page.getByRole('link', { name: 'Download the sealed PDF' });
  await page.getByText('The sealed PDF is being prepared').waitFor();
  expect(await download.count()).toBe(0);
  await button(page, 'Finish').focus();
  served.view = completed('ready');
  await download.waitFor();
  expect(await focusedName(page)).toBe('finish');
  expect(await download.getAttribute('href')).toBe(`${served.view.address}/document.pdf`);
});

test.each([
  ['delayed', 'The sealed PDF takes longer than usual'],
  ['erased', 'The sealed PDF was erased'],
] as const)('a page that waits for its copy says that it is %s', async (copy, sentence) => {
  const state = { kind: 'completed', at: new Date(), copy: 'preparing' } as const;
  await using open = await openPage(browser, sampleView({ state }));
  const { page, served } = open;
  await page.getByText('The sealed PDF is being prepared').waitFor();
  served.view = sampleView({ state: { ...state, copy } });
  await page.getByText(sentence).waitFor();
  expect(await page.getByRole('link', { name: 'Download the sealed PDF' }).count()).toBe(0);
  expect(await page.getByText('being prepared').count()).toBe(0);
});

test('Finish leaves nothing of the document for the next person', async () => {
  await using open = await openPage(browser, sampleView({ state: signed, testMode: true }));
  const { page, served } = open;
  await button(page, 'Finish').click();
  await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  await page.getByText('You can close this page now.').waitFor();
  const left = await evaluate(page, 'document.title + document.body.innerText + location.href');
  const traces = ['Subcontract', 'Maria', 'Whitfield', served.view.address];
  for (const trace of traces) expect(left).not.toContain(trace);
  expect(new URL(page.url()).pathname).toBe('/sign/finished');

  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'You can close this page' }).waitFor();
  const reloaded = await evaluate(page, 'document.documentElement.outerHTML');
  for (const trace of traces) expect(reloaded).not.toContain(trace);
});

test('hostile text neither runs nor breaks out of a small screen', async () => {
  for (const width of [320, 390, 640, 1280]) {
    await using open = await openPage(browser, hostileView(), { viewport: { width, height: 700 } });
    const { page } = open;
    await fullName(page).fill('W'.repeat(120));
    expect(await evaluate(page, 'window.hacked')).toBeUndefined();
    expect(await evaluate(page, 'document.documentElement.scrollWidth'), `${width} px`).toBe(width);
    expect(open.complaints).toEqual([]);
  }
});

test('without JavaScript the document is readable and the page leads to the form that needs no script', async () => {
  await using open = await openPage(browser, sampleView(), { javaScriptEnabled: false });
  const { page, served } = open;
  await page.getByRole('heading', { level: 1 }).waitFor();
  const notice = page.locator('noscript p');
  expect(await notice.isVisible()).toBe(true);
  expect(await notice.getByRole('link').getAttribute('href')).toBe(`${sampleView().address}/form`);
  expect(await button(page, 'Sign').count()).toBe(0);
  expect(served.posts).toEqual([]);
});

test('when the script does not load, no control looks alive, and the page leads to the form that needs none', async () => {
  await using open = await openPage(browser, sampleView());
  const { page } = open;
  const late = page.locator('.late');
  expect(await late.isVisible()).toBe(false);
  expect(await page.locator('#start').isVisible()).toBe(true);
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  expect(await page.locator('#start').isVisible()).toBe(false);
  expect(await button(page, 'Sign').count()).toBe(0);
  await expect.poll(() => late.getByRole('link').isVisible()).toBe(true);
  expect(await late.getByRole('link').getAttribute('href')).toBe(`${sampleView().address}/form`);
});

test('a large picture is signed with over a slow network', async () => {
  await using open = await openPage(browser, sampleView(), phone);
  const { page, served, complaints } = open;
  await page.getByRole('tab', { name: 'Upload' }).click();
  const noise = (await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1000, height: 400 });
    const context = canvas.getContext('2d');
    for (let n = 0; n < 60000; n++) {
      context.fillStyle = 'hsl(' + Math.random() * 360 + ' 50% ' + Math.random() * 50 + '%)';
      context.fillRect(Math.random() * 1000, Math.random() * 400, 2, 2);
    }
    return canvas.toDataURL('image/png').split(',')[1];
  })()`)) as string;
  const picture = { name: 'noise.png', mimeType: 'image/png', buffer: Buffer.from(noise, 'base64') };
  await page.getByLabel('Image file').setInputFiles(picture);
  await page.locator('#uploaded canvas').waitFor();
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const speed = { offline: false, latency: 300, downloadThroughput: 30_000, uploadThroughput: 6_000 };
  await network.send('Network.emulateNetworkConditions', speed);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  const signed = () =>
    served.posts.find(({ path }) => path === 'sign')?.body as { signature: { png: string } } | undefined;
  await expect.poll(() => signed()?.signature.png.length, { timeout: 60_000 }).toBeGreaterThan(150_000);
  expect(complaints).toEqual([]);
}, 120_000);
