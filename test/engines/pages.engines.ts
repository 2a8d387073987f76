import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setEmbedOrigins } from '../../src/accounts/embed-origins.ts';
import { readQr } from '../signing/read-qr.ts';
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
import { desk, engines, faultsOf, inkWidth, phone, stroke, untilShown, untilTrue, withTab } from './checks.ts';
import type { Tab } from './tab.ts';

/** The form view, drawing on a phone, frames in other sites and the menu of languages in other engines than Chromium's. */
let app: TestService;
let company: Company;
let site: { server: Server; origin: string; content: string };

beforeAll(async () => {
  [app, site] = await Promise.all([startTestService(), startSite()]);
  company = await createCompany(app);
  await app.db.transaction((tx) => setEmbedOrigins(app.world, tx, company.id, [site.origin], null));
});
afterAll(async () => {
  site.server.close();
  await app.stop();
});

const fields: FieldToPlace[] = [
  { recipient: 1, type: 'text', label: 'Company', required: true },
  { recipient: 1, type: 'number', label: 'Price', required: true, min: '1', decimals: 2 },
  { recipient: 1, type: 'radio', label: 'By bank', group: 'Payment', required: true },
  { recipient: 1, type: 'radio', label: 'In cash', group: 'Payment', required: true },
  { recipient: 1, type: 'text', label: 'Account', required: true, shown_if: { field: 3, value: 'true' } },
  { recipient: 1, type: 'date', required: true },
  { recipient: 1, type: 'signature', required: true },
];
const control = (name: string) => `[aria-label^="${name}"].control`;

describe.each(engines)('%s', (_name, start) => {
  test.each([
    ['a phone in the dark', phone, 'dark'],
    ['a desk in the light', desk, 'light'],
  ] as const)(
    'fields are filled in as a form on %s, and the pages show the same',
    async (_device, size, colorScheme) => {
      const { id, link } = await sent(fields);
      await withTab(start, colorScheme, async (tab) => {
        await tab.resize(size.width, size.height);
        await tab.open(link);
        await untilShown(tab, '#form-open');
        await tab.click('#form-open');
        await untilShown(tab, '#form-view');
        expect(await faultsOf(tab)).toEqual([]);
        expect(
          await tab.evaluate(`getComputedStyle(document.querySelector('${control('Company')}')).borderRadius`),
        ).toBe('8px');
        expect(await isSeen(tab, control('Account'))).toBe(false);
        await tab.type(control('Company'), 'Herrera — Ćwierć');
        await tab.type(control('Price'), '12.5');
        await tab.click(control('By bank'));
        await untilShown(tab, control('Account'));
        await tab.type(control('Account'), 'ES12');
        await tab.click(control('Signature'));
        await untilShown(tab, '#signature-dialog');
        await tab.click('#signature-place');
        await untilTrue(tab, 'document.querySelector("#left").textContent === "Ready to sign"');
        expect(await faultsOf(tab)).toEqual([]);

        await tab.click('[aria-label="Show in the document: Price"]');
        await untilShown(tab, '#form-return');
        expect(await tab.evaluate(`document.querySelector('.sheet ${control('Price')}').value`)).toBe('12.50');
        expect(await isSeen(tab, '#form-view')).toBe(false);
        expect(await faultsOf(tab)).toEqual([]);
        await tab.click('#form-return');
        await untilShown(tab, '#form-view');
        expect(await tab.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(
          'Show in the document: Price',
        );
        expect(await tab.evaluate(`document.querySelector('#form-view ${control('Company')}').value`)).toBe(
          'Herrera — Ćwierć',
        );
        await tab.click('#sign');
        await untilShown(tab, '#outcome');
      });
      expect(await statusOf(id)).toBe('completed');
    },
  );

  test('a signature is drawn on a phone for a page at a desk', async () => {
    const { id, link } = await sent(null);
    await withTab(start, 'light', async (tab) => {
      await tab.resize(desk.width, desk.height);
      await tab.open(link);
      await tab.click('#draw-tab');
      await untilShown(tab, '#phone');
      await tab.click('#phone');
      await untilShown(tab, '#phone-qr path');
      expect(await faultsOf(tab)).toEqual([]);
      const qr = await tab.evaluate<{ size: number; path: string }>(
        `(image => ({ size: Number(image.getAttribute('viewBox').split(' ')[2]), path: image.querySelector('path').getAttribute('d') }))(document.querySelector('#phone-qr'))`,
      );
      await withTab(start, 'dark', async (onPhone) => {
        await onPhone.resize(phone.width, phone.height);
        await onPhone.open(readQr(qr));
        await untilShown(onPhone, '#drawing');
        expect(await faultsOf(onPhone)).toEqual([]);
        await onPhone.draw('#drawing', stroke);
        await untilTrue(onPhone, `${inkWidth} > 100`);
        await onPhone.click('#send');
        await untilTrue(onPhone, `document.body.textContent.includes('Your drawing was sent')`);
        expect(await faultsOf(onPhone)).toEqual([]);
      });
      await untilTrue(tab, `document.querySelector('#phone-status').textContent.includes('is here')`);
      await untilTrue(tab, `${inkWidth} > 50`);
      await tab.click('#sign');
      await untilShown(tab, '#outcome');
    });
    expect(await statusOf(id)).toBe('completed');
  });

  test('a page in a frame of another site is signed there, and the site is told so', async () => {
    const { id, link } = await sent(fields.slice(0, 1));
    site.content = embedding(link);
    await withTab(start, 'light', async (tab) => {
      await tab.resize(desk.width, desk.height);
      await tab.open(site.origin);
      await untilTrue(tab, `window.events?.[0] === 'ready open'`);
      await tab.inFrame('iframe', async (frame) => {
        await frame.click('#form-open');
        await frame.type(control('Company'), 'Herrera');
        await untilTrue(frame, 'document.querySelector("#left").textContent !== "0 of 1 fields"');
        await frame.click('#full-name');
        await frame.type('#full-name', ' Byron');
        await frame.click('#sign');
      });
      await untilTrue(tab, `window.events.join() === 'ready open,signed completed,ready completed'`);
    });
    expect(await statusOf(id)).toBe('completed');
  });

  test('another language is chosen without losing what was typed, in the form too', async () => {
    const { link } = await sent(fields);
    await withTab(start, 'light', async (tab) => {
      await tab.resize(phone.width, phone.height);
      await tab.open(link);
      await untilShown(tab, '#form-open');
      await tab.click('#form-open');
      await untilShown(tab, '#form-view');
      await tab.type(control('Company'), 'Herrera');
      await tab.click('#languages summary');
      await untilShown(tab, '#languages a[hreflang="de"]');
      expect(await faultsOf(tab)).toEqual([]);
      await tab.click('#languages a[hreflang="de"]');
      await untilTrue(
        tab,
        `document.documentElement.lang === 'de' && document.querySelector('#form-view')?.hidden === false`,
      );
      expect(await tab.evaluate(`document.querySelector('${control('Company')}').value`)).toBe('Herrera');
      expect(await tab.evaluate(`document.querySelector('label.form-label').lang`)).toBe('en');
      expect(await faultsOf(tab)).toEqual([]);
    });
  });
});

async function isSeen(tab: Tab, selector: string): Promise<boolean> {
  return tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).getClientRects().length > 0`);
}

async function statusOf(id: string): Promise<unknown> {
  return (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status;
}

/** Sends a document to one signer. `placed`: the fields on a PDF of one page, or null for a document without a file. */
async function sent(placed: FieldToPlace[] | null): Promise<{ id: string; link: string }> {
  const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
  const id = await createDraft(app, company.key, { title: 'Lease', recipients });
  if (placed !== null) {
    await attachPdf(app, company, id);
    await placeOn(app, company, id, placed);
  }
  const answer = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  expect(answer.status, answer.text).toBe(200);
  return { id, link: (await openLinkOf(app, company, id, 'Ada Lovelace')).link };
}

/** A page of another site: browsers take `localhost` and `127.0.0.1` for two sites. */
function embedding(link: string): string {
  return `<!doctype html><title>Site</title><script type="module" src="${new URL(app.baseUrl).origin}/embed.js"></script>
<countersign-signing id="signing" src="${link}" label="Sign the lease"></countersign-signing>
<script>
  window.events = [];
  for (const type of ['ready', 'signed', 'declined']) {
    document.getElementById('signing').addEventListener(type, ({ detail }) => window.events.push(type + ' ' + detail.state));
  }
</script>`;
}

async function startSite(): Promise<typeof site> {
  const started = { server: createServer(), origin: '', content: '' };
  started.server.on('request', (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(started.content),
  );
  await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
  started.origin = `http://localhost:${(started.server.address() as AddressInfo).port}`;
  return started;
}
