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
import { desk, engines, faultsOf, inkWidth, phone, stroke, untilShown, untilTrue, withTab } from './checks.ts';

/** Signing in other engines than Chromium's. */
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
      await untilShown(tab, '#drawing');
      await tab.draw('#drawing', stroke);
      await untilTrue(tab, `${inkWidth} > 100`);
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
