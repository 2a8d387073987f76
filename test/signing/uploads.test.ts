import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFieldFiles, removePendingFiles } from '../../src/documents/field-file.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { reassignRecipient } from '../../src/documents/reassign-recipient.ts';
import { fileKey } from '../../src/documents/stored-files.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { cleanFileName } from '../../src/signing/file-kind.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { attachPdf, type FieldToPlace, fieldsOf, placeOn } from '../support/attach.ts';
import { launchBrowser } from '../support/browser.ts';
import { desk, phone } from '../support/devices.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { uploadTo } from '../support/uploads.ts';
import { auditOf, openLinkOf, signature } from './signer.ts';

/** Files that recipients attach to fields: kept for them until they sign, proved by the audit trail, and downloaded. */
let app: TestService;
let company: Company;
const directory = mkdtempSync(join(tmpdir(), 'countersign-uploads-'));

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(async () => {
  await app.stop();
  rmSync(directory, { recursive: true, force: true });
});

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
];
const permit = '%PDF-1.7\na building permit';
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

async function sentWith(fieldsToPlace: readonly FieldToPlace[]) {
  const id = await createDraft(app, company.key, { recipients });
  await attachPdf(app, company, id);
  const fields = (await placeOn(app, company, id, fieldsToPlace)).map((field) => field.id);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const open = (name: string) => openLinkOf(app, company, id, name);
  return { id, fields, field: fields[0] ?? '', ada: await open('Ada Lovelace'), open };
}

const get = (url: string) => fetchLocally(url, { method: 'GET', headers: {}, body: null });
const filesOf = (id: string) => listFieldFiles(app.db, { account_id: company.id, id });
const valuesOf = async (id: string) => (await fieldsOf(app, company, id)).map(({ value }) => value);
const storedAt = (hex: string) => join(app.dataDir, 'files', fileKey(hex));
const referencesTo = async (hex: string) =>
  (
    await app.db.query<{ reference_count: number }>({
      name: '',
      text: 'select reference_count from stored_files where sha256 = $1',
      values: [Buffer.from(hex, 'hex')],
    })
  )[0]?.reference_count;

test('a file is kept, replaced, signed with, proved, and downloaded only by its sender and its owner', async () => {
  const { id, field, ada, open } = await sentWith([
    { recipient: 1, type: 'upload', label: 'Permit', private: true },
    { recipient: 2, type: 'upload', required: false },
  ]);
  expect((await ada.post('sign', signature)).body.error.code).toBe('fields_missing');
  const first = await uploadTo(ada, field, 'a.png', new Uint8Array(drawnSignature()));
  const twice = await Promise.all([1, 2].map(() => uploadTo(ada, field, '../\u202Epermit.exe', permit)));
  const kept = twice[0]?.body.file;
  expect(twice[1]?.body.file).toEqual(kept);
  expect(kept.name).toBe('_permit.exe.pdf');
  expect(await valuesOf(id)).toEqual(['_permit.exe.pdf', null]);
  expect([await referencesTo(sha256(drawnSignature())), await referencesTo(sha256(permit))]).toEqual([0, 1]);

  const grace = await open('Grace Hopper');
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect((await member.get(`/documents/${id}/uploads/${field}`)).status).toBe(404); // nobody has signed with it
  expect((await get(`${grace.link}/files/${field}`)).status).toBe(404);
  expect((await uploadTo(grace, field, 'b.pdf', permit)).body.error.code).toBe('invalid_field');
  const stale = { ...signature, fields: { [field]: first.body.file.id } };
  expect((await ada.post('sign', stale)).body.error.code).toBe('invalid_field');
  const signing = { ...signature, fields: { [field]: kept.id } };
  expect((await ada.post('sign', signing)).status).toBe(200);
  expect((await ada.post('sign', signing)).status).toBe(200);
  expect((await uploadTo(ada, field, 'late.pdf', permit)).body.error.code).toBe('already_signed');

  const [signed] = (await auditOf(app, company, id)).filter(({ action }) => action === 'signed');
  const file = { field, name: '_permit.exe.pdf', bytes: permit.length, sha256: sha256(permit) };
  expect(signed?.detail.files).toEqual([file]);
  expect((await grace.page()).text).not.toContain('permit.exe');
  expect((await get(`${grace.link}/files/${field}`)).status).toBe(404);
  const own = await get(`${ada.link}/files/${field}`);
  expect(await own.text()).toBe(permit);
  expect(own.headers.get('content-disposition')).toContain("filename*=UTF-8''_permit.exe.pdf");
  expect(own.headers.get('x-content-type-options')).toBe('nosniff');
  expect(own.headers.get('content-security-policy')).toContain('sandbox');
  const downloaded = await member.get(`/documents/${id}/uploads/${field}`);
  expect([downloaded.status, downloaded.text]).toEqual([200, permit]);
  expect(downloaded.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect((await stranger.get(`/documents/${id}/uploads/${field}`)).status).toBe(404);
  const timeline = (await member.get(`/documents/${id}/timeline`)).body.data as { files: unknown[] }[];
  expect(timeline.flatMap(({ files }) => files)).toEqual([file]);

  expect((await grace.post('sign', { ...signature, full_name: 'Grace Hopper' })).status).toBe(200);
  const copy = await eventually(
    () => get(`${ada.link}/document.pdf`),
    (answer) => answer.status === 200,
  );
  const pdf = join(directory, 'sealed.pdf');
  writeFileSync(pdf, Buffer.from(await copy.arrayBuffer()));
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' });
  expect(text).toContain('_permit.exe.pdf');
  expect(text.replaceAll(/\s/g, '')).toContain(sha256(permit));

  const erased = (await findRecipients(app.db, { channel: 'email', address: 'ada@example.com' }, company.id)).filter(
    ({ document_id }) => document_id === id,
  );
  await eraseRecipients(app.world, app.db, erased, 'keep');
  expect(await filesOf(id)).toEqual([]);
  expect(await valuesOf(id)).toEqual(['-', null]);
  expect(await referencesTo(sha256(permit))).toBe(0);
  expect((await member.get(`/documents/${id}/uploads/${field}`)).status).toBe(404);
});

test('files are judged by their contents, within limits, and only from our own pages', async () => {
  const { field, ada } = await sentWith([
    { recipient: 1, type: 'upload' },
    { recipient: 1, type: 'text', required: false },
  ]);
  const code = async (...args: Parameters<typeof uploadTo>) => (await uploadTo(...args)).body.error?.code;
  expect(await code(ada, field, 'a.pdf', '<html>%PDF')).toBe('file_type_refused');
  expect(await code(ada, field, 'a.pdf', '')).toBe('file_type_refused');
  expect(await code(ada, field, 'a.pdf', `PK\x03\x04\x14\0 a.pdf${permit}`)).toBe('file_type_refused');
  const large = new Uint8Array(10 * 1024 * 1024 + 1);
  large.set(Buffer.from(permit));
  expect(await code(ada, field, 'a.pdf', large)).toBe('file_too_large');
  expect(await code(ada, field, 'a.pdf', large.subarray(0, -1))).toBe(undefined);
  expect(await code(ada, 'nonsense', 'a.pdf', permit)).toBe('invalid_field');
  expect(await code(ada, field, 'a.pdf', permit, { origin: 'https://evil.example' })).toBe('malformed_request');
  expect((await ada.post('progress', { fields: { [field]: 'a.pdf' } })).body.error.code).toBe('invalid_field');
  for (let n = 0; n < 60; n++) await code(ada, field, `${n}.pdf`, permit);
  expect(await code(ada, field, 'a.pdf', permit)).toBe('too_many_uploads');
});

test.each([
  ['C:\\docs\\Pérmit.PDF', 'application/pdf', 'Pérmit.PDF'],
  ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
  ['a\u0000b\ud800.png', 'image/png', 'a_b\ufffd.png'],
  ['..', 'application/pdf', 'file.pdf'],
  ['😀'.repeat(300), 'image/png', `${'😀'.repeat(115)}.png`],
] as const)('the name %j is cleaned', (name, type, clean) => {
  expect(cleanFileName(name, type)).toBe(clean);
});

test('a file that is too large for the form without a script loses nothing else that was entered', async () => {
  const { ada, fields } = await sentWith([
    { recipient: 1, type: 'text', label: 'Remarks', required: false },
    { recipient: 1, type: 'upload', label: 'Permit' },
    { recipient: 1, type: 'stamp', label: 'Seal', required: false },
  ]);
  const submit = async (bytes: Record<string, number>) => {
    const form = new FormData();
    const [remarks, permitField] = fields;
    const named: Record<string, string> = { permit: `file.${permitField}`, stamp: 'stamp' };
    for (const [name, size] of Object.entries(bytes)) {
      const content = new Uint8Array(size);
      content.set(Buffer.from(permit));
      form.append(named[name] ?? '', new Blob([content]), 'scan.pdf');
    }
    // After the files, as it is in the form.
    for (const [name, value] of [
      [`field.${remarks}`, 'On the left'],
      ['full_name', 'Ada Byron'],
      ['action', 'sign'],
    ]) {
      form.append(name ?? '', value ?? '');
    }
    const request = new Request('http://form.example', { method: 'POST', body: form });
    const response = await fetchLocally(`${ada.link}/form`, {
      method: 'POST',
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: new Uint8Array(await request.arrayBuffer()),
    });
    const page = await response.text();
    return [response.status, page.includes('value="On the left"') && page.includes('value="Ada Byron"'), page] as const;
  };
  const max = 10 * 1024 * 1024;
  const [status, isKept, page] = await submit({ permit: max + 5_000_000 });
  expect([status, isKept]).toEqual([413, true]);
  expect(page).toContain('Permit</span>, page 1</bdi>: This file is too large. Choose one of up to 10 MB.');
  const [, hasEntries, withStamp] = await submit({ permit: 100, stamp: max + 1 });
  expect([hasEntries, withStamp.includes('This file can’t be used as a stamp.')]).toEqual([true, true]);
});

test('a file of a hidden field, of somebody who was replaced, and one that nobody signs with are dropped', async () => {
  const hidden = await sentWith([
    { recipient: 1, type: 'upload', shown_if: { field: 2, value: 'true' } },
    { recipient: 1, type: 'checkbox', label: 'Company' },
    { recipient: 1, type: 'upload', required: false },
  ]);
  const [file = '', box = '', other = ''] = hidden.fields;
  for (const to of [file, other]) await uploadTo(hidden.ada, to, 'a.pdf', `${permit} hidden`);
  await hidden.ada.post('progress', { fields: { [other]: null, [box]: 'true' } });
  expect((await filesOf(hidden.id)).map(({ field_id }) => field_id)).toEqual([file]);
  expect((await hidden.ada.post('sign', { ...signature, fields: { [box]: 'false' } })).status).toBe(200);
  expect([await filesOf(hidden.id), await referencesTo(sha256(`${permit} hidden`))]).toEqual([[], 0]);

  const replaced = await sentWith([{ recipient: 1, type: 'upload' }]);
  await uploadTo(replaced.ada, replaced.field, 'a.pdf', `${permit} replaced`);
  await app.db.transaction(async (tx) => {
    const document = await lockDocument(tx, company.id, replaced.id, 'all');
    const queue = { enqueue: async () => {} } as never;
    if (document === null) throw new Error('there is no document');
    const person = { name: 'Mary', email: 'mary@example.com' };
    await reassignRecipient(app.world, tx, queue, document, replaced.ada.recipientId, person, 'operator');
  });
  expect([await filesOf(replaced.id), await valuesOf(replaced.id)]).toEqual([[], [null]]);

  const left = await sentWith([{ recipient: 1, type: 'upload' }]);
  await uploadTo(left.ada, left.field, 'a.pdf', `${permit} left`);
  const declined = await sentWith([{ recipient: 1, type: 'upload' }]);
  await uploadTo(declined.ada, declined.field, 'a.pdf', `${permit} declined`);
  expect((await declined.ada.post('decline', { reason: 'Wrong.' })).status).toBe(200);
  // A document that is locked for its messages is left for the next time.
  const emptied = (id: string) =>
    eventually(
      () => removePendingFiles(app.world, app.db).then(() => valuesOf(id)),
      ([value]) => value === null,
    );
  await emptied(declined.id);
  expect(await valuesOf(left.id)).toEqual(['a.pdf']);
  app.clock.advance({ days: 6 });
  await uploadTo(left.ada, left.field, 'a.pdf', `${permit} left`); // the same again
  app.clock.advance({ days: 6 });
  await removePendingFiles(app.world, app.db);
  expect(await valuesOf(left.id)).toEqual(['a.pdf']);
  app.clock.advance({ days: 2 });
  await emptied(left.id);
  expect(await filesOf(left.id)).toEqual([]);
  expect(existsSync(storedAt(sha256(`${permit} left`)))).toBe(true); // until released files are removed
});

test('a file stays while its field is hidden, until the recipient removes it or signs', async () => {
  const browser: Browser = await launchBrowser();
  try {
    const { id, ada } = await sentWith([
      { recipient: 1, type: 'checkbox', label: 'Insured', required: false },
      { recipient: 1, type: 'upload', label: 'Policy', shown_if: { field: 1, value: 'true' } },
    ]);
    const policy = { name: 'policy.pdf', mimeType: 'application/pdf', buffer: Buffer.from(permit) };
    const plain = await (await browser.newContext({ ...desk, javaScriptEnabled: false })).newPage();
    await plain.goto(`${ada.link}/form`);
    const save = async () => {
      await plain.getByRole('button', { name: 'Save for later' }).click();
      await plain.getByText('Saved.', { exact: false }).waitFor();
    };
    const link = plain.getByRole('link', { name: 'policy.pdf' });
    await plain.getByLabel('Policy, page 1, required').setInputFiles(policy);
    await save(); // the box that shows the field isn't ticked yet
    await link.waitFor();
    expect(await filesOf(id)).toHaveLength(1);
    await plain.getByLabel('Remove this file').check();
    await save();
    await link.waitFor({ state: 'detached' });
    expect(await filesOf(id)).toEqual([]);

    const page = await (await browser.newContext(desk)).newPage();
    await page.goto(ada.link);
    const box = page.getByRole('checkbox', { name: /Insured/ });
    const saved = () => page.getByText('Saved', { exact: true }).waitFor();
    await box.check();
    await page.getByRole('button', { name: /Policy, File/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Policy, page 1' });
    await dialog.locator('input[type=file]').setInputFiles(policy);
    await dialog.getByText('Received: policy.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await saved();
    for (const isTicked of [false, true]) {
      await box.setChecked(isTicked);
      await saved();
      expect([await valuesOf(id), (await filesOf(id)).length]).toEqual([
        [isTicked ? 'true' : 'false', 'policy.pdf'],
        1,
      ]);
    }
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
    expect((await filesOf(id)).map(({ name }) => name)).toEqual(['policy.pdf']);
  } finally {
    await browser.close();
  }
});

test('a tab that shows a replaced file saves the rest, and takes nothing away', async () => {
  const { id, fields, field, ada } = await sentWith([
    { recipient: 1, type: 'upload', label: 'Permit' },
    { recipient: 1, type: 'text', label: 'Plot' },
  ]);
  const shown = (await uploadTo(ada, field, 'old.pdf', permit)).body.file;
  const replaced = (await uploadTo(ada, field, 'new.pdf', `${permit} 2`)).body.file;
  const entered = { [field]: shown.id, [fields[1] ?? '']: 'Plot 7' };
  expect((await ada.post('progress', { fields: entered })).status).toBe(200);
  expect(await valuesOf(id)).toEqual(['new.pdf', 'Plot 7']);
  // Nobody signs with a file that their page didn't show.
  expect((await ada.post('sign', { ...signature, fields: entered })).body.error.code).toBe('invalid_field');
  expect((await ada.post('sign', { ...signature, fields: { [field]: replaced.id } })).status).toBe(200);
  expect(await valuesOf(id)).toEqual(['new.pdf', 'Plot 7']);
});

test('a file without a name, or with a hostile one, comes with a form, and the document is signed', async () => {
  const { id, field, ada } = await sentWith([{ recipient: 1, type: 'upload', label: 'Permit' }]);
  const cookie = [...ada.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const part = (head: string, value: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const send = (disposition: string) =>
    fetchLocally(`${ada.link}/form`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'multipart/form-data; boundary=b' },
      body: `${part('name="action"', 'save')}${part(`name="file.${field}"${disposition}`, permit)}--b--\r\n`,
    });
  const type = '\r\nContent-Type: application/octet-stream';
  for (const [disposition, name] of [
    [type, 'file.pdf'],
    [`; filename=""${type}`, 'file.pdf'],
    [`; filename="../../\u202e${'a'.repeat(5000)}\0.pdf"${type}`, `_${'a'.repeat(114)}.pdf`],
  ] as const) {
    expect((await send(disposition)).status, name).toBe(303);
    expect(await valuesOf(id)).toEqual([name]);
  }
  const fields = { [field]: (await filesOf(id))[0]?.id };
  expect((await ada.post('sign', { ...signature, fields })).status).toBe(200);
});

test('a file that is chosen just after another one was removed stays, also when its answer is slow', async () => {
  const browser: Browser = await launchBrowser();
  try {
    const { id, field, ada } = await sentWith([{ recipient: 1, type: 'upload', label: 'Permit' }]);
    await uploadTo(ada, field, 'old.pdf', permit);
    const page = await (await browser.newContext(desk)).newPage();
    await page.goto(ada.link);
    const saves: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/progress')) saves.push(response.request().postData() ?? '');
    });
    await page.route('**/files/*', async (route) => {
      const response = await route.fetch();
      // Longer than the page waits before it saves what has changed.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Permit, File, page 1, required: old.pdf' }).click();
    const dialog = page.getByRole('dialog', { name: 'Permit, page 1' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: /^Permit, File, page 1, required$/ }).click();
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'new.pdf', mimeType: 'application/pdf', buffer: Buffer.from(`${permit} 2`) });
    await dialog.getByText('Received: new.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const [{ id: kept } = { id: '' }] = await filesOf(id);
    await expect.poll(() => saves.at(-1)).toBe(JSON.stringify({ fields: { [field]: kept } }));
    expect(await valuesOf(id)).toEqual(['new.pdf']);
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
  } finally {
    await browser.close();
  }
});

test('a removal that was not saved before a reload is shown, and the recipient signs without the file', async () => {
  const browser: Browser = await launchBrowser();
  try {
    const { id, field, ada } = await sentWith([{ recipient: 1, type: 'upload', label: 'Permit', required: false }]);
    await uploadTo(ada, field, 'old.pdf', permit);
    const page = await (await browser.newContext(desk)).newPage();
    await page.goto(ada.link);
    await page.route('**/progress', (route) => route.abort());
    await page.getByRole('button', { name: 'Permit, File, page 1, optional: old.pdf' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Not saved yet', { exact: false }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Permit, File, page 1, optional$/ }).waitFor();
    await page.unrouteAll();
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
    expect([await filesOf(id), await valuesOf(id)]).toEqual([[], [null]]);
  } finally {
    await browser.close();
  }
});

test('a file whose answer was lost is shown, and one that the page could not ask for is named when signing', async () => {
  const browser: Browser = await launchBrowser();
  try {
    const { id, field, ada } = await sentWith([{ recipient: 1, type: 'upload', label: 'Permit' }]);
    await uploadTo(ada, field, 'a.pdf', permit);
    const page = await (await browser.newContext(desk)).newPage();
    await page.goto(ada.link);
    const dialog = page.getByRole('dialog', { name: 'Permit, page 1' });
    const choose = (name: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(`${permit} ${name}`) });
    await page.route('**/files/*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Permit, File, page 1, required: a.pdf' }).click();
    await choose('b.pdf');
    await dialog.getByText('Received: b.pdf').waitFor();
    await dialog.getByRole('link', { name: 'b.pdf' }).waitFor();

    await page.route(ada.link, (route) => route.abort());
    await choose('c.pdf');
    await dialog.getByText('The connection failed.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.unrouteAll();
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    const sign = page.getByRole('button', { name: 'Sign', exact: true });
    await sign.click();
    await page.getByText('Permit, page 1: The value can’t be used. Check it and try again.').waitFor();
    expect(await page.evaluate('document.activeElement.dataset.field')).toBe(field);
    await page.getByRole('button', { name: 'Permit, File, page 1, required: b.pdf' }).click();
    await choose('d.pdf');
    await dialog.getByText('Received: d.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await sign.click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();
    expect((await filesOf(id)).map(({ name }) => name)).toEqual(['d.pdf']);
  } finally {
    await browser.close();
  }
});

test('a file is attached on a phone, in the form, and without a script', async () => {
  const browser: Browser = await launchBrowser();
  try {
    const { id, ada } = await sentWith([
      { recipient: 1, type: 'upload', label: 'Permit' },
      { recipient: 2, type: 'upload', label: 'Licence' },
    ]);
    const page = await (await browser.newContext(phone)).newPage();
    await page.goto(ada.link);
    await page.locator('#form-open').click();
    await page
      .locator('.form-row')
      .getByRole('button', { name: /^Permit, File, page 1, required/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Permit, page 1' });
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a text') });
    await dialog.getByText('This file can’t be used.', { exact: false }).waitFor();
    await input.setInputFiles({ name: 'permit.pdf', mimeType: 'application/pdf', buffer: Buffer.from(permit) });
    await dialog.getByText('Received: permit.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    // A file that is still on its way is waited for.
    const held = Promise.withResolvers<void>();
    await page.route('**/files/*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.locator('.form-row').getByRole('button', { name: 'Permit, File, page 1, required: permit.pdf' }).click();
    await input.setInputFiles({ name: 'newer.pdf', mimeType: 'application/pdf', buffer: Buffer.from(`${permit} 2`) });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await dialog.waitFor();
    held.resolve();
    await dialog.getByText('Received: newer.pdf').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByRole('heading', { name: 'You signed this document' }).waitFor();

    const plain = await (await browser.newContext({ ...desk, javaScriptEnabled: false })).newPage();
    await plain.goto(`${(await openLinkOf(app, company, id, 'Grace Hopper')).link}/form`);
    await plain.getByText('Permit: newer.pdf').waitFor();
    const sign = plain.getByRole('button', { name: 'Sign', exact: true });
    await sign.click();
    await plain.getByRole('alert').getByText('Attach a file: Licence', { exact: false }).waitFor();
    const licence = plain.getByLabel('Licence, page 1, required');
    await licence.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a text') });
    await sign.click();
    await plain.getByRole('alert').getByText('This file can’t be used.', { exact: false }).waitFor();
    await licence.setInputFiles({ name: 'licence.png', mimeType: 'image/png', buffer: drawnSignature() });
    await plain.getByRole('button', { name: 'Save for later' }).click();
    await plain.getByRole('link', { name: 'licence.png' }).waitFor();
    await plain.getByRole('textbox', { name: 'Full name' }).fill('Grace Hopper');
    await sign.click();
    await plain.locator('#outcome').waitFor();
    expect(await valuesOf(id)).toEqual(['newer.pdf', 'licence.png']);
    expect((await filesOf(id)).every(({ signed_at }) => signed_at !== null)).toBe(true);
  } finally {
    await browser.close();
  }
});
