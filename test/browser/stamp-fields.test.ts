import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { auditOf, openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** Fields for the stamp of a company, on the signing page, in its form view, and without a script. */
let app: TestService;
let company: Company;
let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), 'countersign-stamp-'));

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestService(), launchBrowser()]);
  company = await createCompany(app);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
];

async function sentWith(fields: readonly FieldToPlace[]) {
  const id = await createDraft(app, company.key, { recipients, content: { sign_order_mode: 'sequential' } });
  await attachPdf(app, company, id);
  const placed = await placeOn(app, company, id, fields);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  return { id, fields: placed.map((field) => field.id) };
}

async function open(id: string, name: string, options: BrowserContextOptions, path = ''): Promise<Page> {
  const { link } = await openLinkOf(app, company, id, name);
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${link}${path}`);
  return page;
}

/** Draws a filled circle on a white image that is twice as wide as high, as a browser encodes it. */
async function pictureOf(type: string, colour: string): Promise<Buffer> {
  const page = await browser.newPage();
  const address = await page.evaluate(
    `(() => { const c = document.createElement('canvas'); c.width = 1600; c.height = 800; const g = c.getContext('2d');
      g.fillStyle = '#fff'; g.fillRect(0, 0, 1600, 800); g.fillStyle = '${colour}'; g.fillRect(100, 100, 1400, 600);
      return c.toDataURL('${type}'); })()`,
  );
  await page.close();
  return Buffer.from(String(address).split(',')[1] ?? '', 'base64');
}

/** Returns the colour of a pixel of a sealed PDF's first page. `x`, `y`: points from the top left corner. */
function colourAt(pdf: string, x: number, y: number): number[] {
  const prefix = join(directory, 'page');
  execFileSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', '-singlefile', pdf, prefix]);
  const ppm = readFileSync(`${prefix}.ppm`);
  const [, width = ''] = /^P6\s+(\d+)\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 40)) ?? [];
  const start = ppm.toString('latin1', 0, 40).indexOf('255') + 4;
  return [...ppm.subarray(start + (y * Number(width) + x) * 3, start + (y * Number(width) + x) * 3 + 3)];
}

const picturesOf = (id: string) =>
  app.db.query<{ stamp_png: Buffer | null }>({
    name: 'stamps',
    text: 'select stamp_png from recipients where document_id = $1 order by position',
    values: [id],
  });
const sha256 = (bytes: Buffer | null) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

test('a stamp is uploaded on a phone and without a script, drawn in its colours, and its hash is in the chain', async () => {
  const { id } = await sentWith([
    { recipient: 1, type: 'checkbox', label: 'Company', required: false },
    { recipient: 1, type: 'stamp', shown_if: { field: 1, value: 'true' } },
    { recipient: 2, type: 'stamp' },
  ]);
  const ada = await open(id, 'Ada Lovelace', phone);
  await ada.locator('#form-open').click();
  await ada.getByRole('checkbox', { name: 'Company' }).check();
  const field = ada.locator('.form-row').getByRole('button', { name: /^Stamp, page 1, required/ });
  await field.click();
  const dialog = ada.getByRole('dialog', { name: 'Your stamp' });
  await dialog.getByRole('button', { name: 'Place stamp' }).click();
  await dialog.getByText('Choose a picture of your stamp.').waitFor();
  const input = dialog.locator('input[type=file]');
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await dialog.getByRole('alert').filter({ hasText: /read/ }).waitFor();
  const blank = { name: 'blank.png', mimeType: 'image/png', buffer: await pictureOf('image/png', '#fff') };
  await input.setInputFiles([]);
  await dialog.getByRole('button', { name: 'Place stamp' }).click();
  await dialog.getByText('Choose a picture of your stamp.').waitFor();
  await input.setInputFiles(blank);
  await dialog.getByRole('alert').filter({ hasText: /read/ }).waitFor();
  const webp = await pictureOf('image/webp', '#d00');
  await input.setInputFiles({ name: 'stamp.webp', mimeType: 'image/webp', buffer: webp });
  await dialog.locator('#stamp-uploaded canvas').waitFor();
  await dialog.getByRole('button', { name: 'Place stamp' }).click();
  await ada.reload(); // the picture stays in this tab
  await ada.locator('.form-row button.is-done canvas').waitFor();
  await ada.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await ada.getByText('Your signature is left').or(ada.getByText('Ready to sign')).waitFor();
  await ada.getByRole('button', { name: 'Sign', exact: true }).click();
  await ada.getByRole('heading', { name: 'You signed this document' }).waitFor();

  const grace = await open(id, 'Grace Hopper', { ...desk, javaScriptEnabled: false }, '/form');
  await grace.getByText('Stamp: picture').waitFor();
  await grace.getByRole('checkbox', { name: /^Stamp, page 1/ }).check();
  const sign = grace.getByRole('button', { name: 'Sign', exact: true });
  await sign.click();
  await grace.getByRole('alert').getByText('Choose a picture of your stamp.').waitFor();
  const stamp = grace.getByLabel('Stamp or seal');
  await stamp.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG nothing') });
  await sign.click();
  await grace.getByRole('alert').getByText('This file can’t be used as a stamp.', { exact: false }).waitFor();
  await stamp.setInputFiles(blank);
  await sign.click();
  await grace.getByRole('alert').getByText('This file can’t be used as a stamp.', { exact: false }).waitFor();
  await stamp.setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: await pictureOf('image/jpeg', '#07a') });
  await grace.getByRole('textbox', { name: 'Full name' }).fill(' ');
  await sign.click();
  await grace.getByText('The picture was received.', { exact: false }).waitFor();
  await grace.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
  await sign.click();
  await grace.locator('#outcome').waitFor();

  const [first, second] = (await picturesOf(id)).map(({ stamp_png }) => stamp_png);
  const hashes = (await auditOf(app, company, id))
    .filter(({ action }) => action === 'signed')
    .map(({ detail }) => detail);
  expect(hashes.map((detail) => [detail.method, detail.stamp_sha256])).toEqual([
    ['typed', sha256(first ?? null)],
    ['typed', sha256(second ?? null)],
  ]);
  const { link } = await openLinkOf(app, company, id, 'Ada Lovelace');
  const copy = await eventually(
    () => ada.request.get(`${link}/document.pdf`),
    (answer) => answer.ok(),
  );
  const pdf = join(directory, 'sealed.pdf');
  writeFileSync(pdf, await copy.body());
  // The fields are 160 by 30 points, so a stamp of two to one is 58 points wide, in the middle.
  const [red = 0, green = 255] = colourAt(pdf, 72 + 80, 140 + 15);
  expect([red > 180, green < 80]).toEqual([true, true]);
  const [, , blue = 0] = colourAt(pdf, 72 + 80, 180 + 15);
  expect(blue).toBeGreaterThan(120);
  for (const beyond of [72 + 30, 72 + 130]) expect(colourAt(pdf, beyond, 140 + 15)).toEqual([255, 255, 255]);
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' }).replaceAll(/\s/g, '');
  for (const png of [first, second]) expect(text).toContain(sha256(png ?? null));
  const verified = await ada.request.post(`${new URL(link).origin}/verify`, {
    headers: { accept: 'application/json' },
    multipart: { file: { name: 'sealed.pdf', mimeType: 'application/pdf', buffer: readFileSync(pdf) } },
  });
  expect((await verified.json()).verdict).toBe('valid');
});

test('a stamp is no signature, needs its picture, and is stored only where it is shown', async () => {
  const { id, fields } = await sentWith([
    { recipient: 1, type: 'stamp', required: false },
    { recipient: 1, type: 'signature' },
  ]);
  const [stamp = '', signed = ''] = fields;
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  const png = drawnSignature().toString('base64');
  const refused = async (body: object) => (await ada.post('sign', { ...signature, ...body })).body.error?.code;
  expect(await refused({ stamp: { png }, fields: { [stamp]: 'true' } })).toBe('fields_missing');
  expect(await refused({ fields: { [stamp]: 'true', [signed]: 'true' } })).toBe('fields_missing');
  expect(await refused({ stamp: { png: 'AAAA' }, fields: { [signed]: 'true' } })).toBe('invalid_signature');
  expect(await refused({ stamp: 'x', fields: { [signed]: 'true' } })).toBe('malformed_request');
  expect((await ada.post('sign', { ...signature, stamp: { png }, fields: { [signed]: 'true' } })).status).toBe(200);
  expect((await picturesOf(id)).map(({ stamp_png }) => stamp_png)).toEqual([null, null]);
  expect((await fieldsOf(app, company, id)).map(({ value }) => value)).toEqual([null, 'true']);
  expect((await ada.post('phone-drawing', { mark: 'stamp' })).status).toBe(400);
});
