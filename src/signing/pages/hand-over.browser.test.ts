import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { phone } from '../../../test/support/devices.ts';
import { texts } from '../../page-texts/texts.ts';
import { openPage } from './testing/open-page.ts';
import { sampleFile, sampleView } from './testing/sample-views.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('nothing of the document is shown, nor counts as viewed, before the device has changed hands', async () => {
  for (const language of ['en', 'es'] as const) {
    const text = texts[language];
    const view = sampleView({ language, handOver: true, isInPerson: true, file: sampleFile() });
    await using open = await openPage(browser, view, phone);
    const { page, served } = open;
    await page.getByRole('heading', { level: 2, name: 'Maria López Herrera' }).waitFor();
    expect(await page.content()).not.toContain('retention');
    expect(await page.locator('.sheet').count()).toBe(0);
    await page.waitForLoadState('networkidle');
    expect(served.posts).toEqual([]);

    served.answer = 'hang up';
    const begin = page.getByRole('button', { name: text.file.begin, exact: true });
    await begin.click();
    await page.getByRole('alert').filter({ hasText: text.script.connectionFailed }).waitFor();
    served.answer = null;
    served.view = { ...view, handOver: false };
    await begin.click();
    await page.getByRole('button', { name: text.start, exact: true }).waitFor();
    expect(served.posts[0]).toEqual({ path: 'viewed', body: {} });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('title');
    expect(open.complaints).toEqual([]);
  }
});

test('after the end the page asks for the device back, and Finish leaves only that', async () => {
  const view = sampleView({ isInPerson: true, state: { kind: 'signed', at: new Date() } });
  await using open = await openPage(browser, view, phone);
  const { page, served } = open;
  await page.getByText('You can hand the device back now.').waitFor();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByText('Please hand the device back.').waitFor();
  expect(await page.content()).not.toContain('Maria');
  // The server ends what the recipient proved on this device.
  await expect.poll(() => served.posts).toEqual([{ path: 'finish', body: {} }]);
});

test('Back after Finish shows nothing of the document, also when another language was chosen', async () => {
  const view = sampleView({ isInPerson: true });
  await using open = await openPage(browser, view, phone);
  const { page, served } = open;
  await page.locator('#languages summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Starten' }).waitFor();
  served.view = { ...view, language: 'de', state: { kind: 'signed', at: new Date() } };
  await page.getByRole('button', { name: texts.de.sign, exact: true }).click();
  await page.getByRole('button', { name: texts.de.finish }).click();
  await page.goBack();
  expect(await page.content()).not.toContain(view.document.title);
});

test('on a personal device nothing is said of the next person', async () => {
  for (const language of ['en', 'es'] as const) {
    const view = sampleView({ language, state: { kind: 'signed', at: new Date() } });
    await using open = await openPage(browser, view, phone);
    const { page, served } = open;
    const { finishHint, finishHintInPerson } = texts[language];
    await page.getByText(finishHint).waitFor();
    expect(await page.getByText(finishHintInPerson).count()).toBe(0);
    served.view = { ...view, isInPerson: true };
    await page.reload();
    await page.getByText(finishHintInPerson).waitFor();
  }
});

test('who holds the sealed copy finds where it can be checked', async () => {
  for (const state of [{ kind: 'completed', at: new Date(), copy: 'ready' }, { kind: 'copy' }] as const) {
    await using open = await openPage(browser, sampleView({ state }), phone);
    const link = open.page
      .getByRole('contentinfo')
      .getByRole('link', { name: 'Check whether a sealed PDF is genuine' });
    expect(await link.getAttribute('href')).toBe('/verify');
  }
});
