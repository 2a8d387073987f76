import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLinkOf } from '../signing/signer.ts';
import { attachPdf, type FieldToPlace, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { startFirefox } from './firefox.ts';
import type { ColorScheme, Engine, Tab } from './tab.ts';
import { startWebkit } from './webkit.ts';

/** Signing in the engines of Firefox and of Safari. The other browser tests use Chromium. */
const engines: Array<[string, (colorScheme: ColorScheme) => Promise<Engine>]> = [
  ['Firefox', startFirefox],
  ['WebKit', startWebkit],
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

describe.each(engines)('%s', (_name, start) => {
  test.each([
    ['a phone in the dark', phone, 'dark'],
    ['a desk in the light', desk, 'light'],
  ] as const)('a PDF with every kind of field is filled in and signed on %s', async (_device, size, colorScheme) => {
    const { id, link } = await sent([
      { recipient: 1, type: 'text', label: 'Employer', required: true },
      { recipient: 1, type: 'checkbox', label: 'Agrees', required: true },
      { recipient: 1, type: 'date', required: true },
      { recipient: 1, type: 'signature', required: true },
      { recipient: 1, type: 'initials', required: true },
    ]);
    await withTab(start, colorScheme, async (tab) => {
      await tab.resize(size.width, size.height);
      await tab.open(link);
      await untilShown(tab, '#start');
      expect(await faultsOf(tab)).toEqual([]);

      await tab.type('[aria-label^="Employer"]', 'Analytical Engines — Ćwierć');
      await tab.click('[aria-label^="Agrees"]');
      await tab.click('[aria-label^="Signature"]');
      await untilShown(tab, '#signature-dialog');
      await tab.click('#draw-tab');
      await tab.draw('#drawing', stroke);
      expect(await tab.evaluate<number>(inkWidth)).toBeGreaterThan(100);
      expect(await faultsOf(tab)).toEqual([]);
      await tab.click('#signature-place');
      await tab.click('[aria-label^="Initials"]');
      await tab.click('#initials-place');
      await untilTrue(tab, 'document.querySelector("#left").textContent === "Ready to sign"');
      expect(await faultsOf(tab)).toEqual([]);
      await tab.click('#sign');
      await untilShown(tab, '#outcome');
      expect(await tab.evaluate('document.querySelector("#outcome-heading").textContent')).toMatch(/completed/i);
      await untilShown(tab, '#copy-ready');
      expect(await faultsOf(tab)).toEqual([]);
    });
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('completed');
  });

  test('a document without a file is signed with a typed name', async () => {
    const { id, link } = await sent(null);
    await withTab(start, 'light', async (tab) => {
      await tab.open(link);
      await untilShown(tab, '#sign');
      await tab.click('#sign');
      await untilShown(tab, '#outcome');
    });
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('completed');
  });

  test('a document is declined with a reason', async () => {
    const { id, link } = await sent(null);
    await withTab(start, 'light', async (tab) => {
      await tab.open(link);
      await tab.click('#decline');
      await tab.type('#reason', 'The rent is wrong.');
      await tab.click('#decline-to-sign');
      await untilShown(tab, '#outcome');
    });
    expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status).toBe('declined');
  });
});

const stroke = Array.from({ length: 14 }, (_, step): [number, number] => [40 + step * 10, 40 + (step % 3) * 9]);

/** The width of what is drawn on the canvas, in pixels of the page. The stroke above is 130 wide, and its end may be left out. */
const inkWidth = `(canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const columns = Array.from({ length: width }, (_, x) => x).filter(x => {
    for (let y = 0; y < height; y++) if (data[4 * (y * width + x) + 3] > 0) return true;
  });
  return (columns.at(-1) - columns[0]) * canvas.clientWidth / width;
})(document.querySelector('#drawing'))`;

async function withTab(
  start: (colorScheme: ColorScheme) => Promise<Engine>,
  colorScheme: ColorScheme,
  work: (tab: Tab) => Promise<void>,
): Promise<void> {
  const engine = await start(colorScheme);
  try {
    await work(engine.tab);
  } finally {
    await engine.close();
  }
}

/** Sends a document to one signer. `fields`: on a PDF of one page, or null for a document without a file. */
async function sent(fields: FieldToPlace[] | null): Promise<{ id: string; link: string }> {
  const id = await createDraft(app, company.key, {
    title: 'Lease',
    recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
  });
  if (fields !== null) {
    await attachPdf(app, company, id);
    await placeOn(app, company, id, fields);
  }
  const answer = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(answer.status, answer.text).toBe(200);
  return { id, link: (await openLinkOf(app, company, id, 'Ada Lovelace')).link };
}

/** Waits until an element is there and takes up room. */
async function untilShown(tab: Tab, selector: string): Promise<void> {
  await untilTrue(tab, `(document.querySelector(${JSON.stringify(selector)})?.getClientRects().length ?? 0) > 0`);
}

async function untilTrue(tab: Tab, expression: string): Promise<void> {
  await expect.poll(() => tab.evaluate<boolean>(expression), { message: expression }).toBe(true);
}

/** Returns what axe finds in the state that is shown, each with the elements. */
async function faultsOf(tab: Tab): Promise<string[]> {
  await tab.evaluate(`(() => { ${axe} })()`);
  await tab.evaluate(
    `void axe.run().then(({ violations }) => { window.axeFaults = violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')); })`,
  );
  await untilTrue(tab, 'window.axeFaults !== undefined');
  return tab.evaluate<string[]>('(({ axeFaults }) => { delete window.axeFaults; return axeFaults; })(window)');
}
