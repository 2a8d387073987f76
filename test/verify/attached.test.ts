import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleFile, signedFile } from '../../src/sealing/testing/sample-files.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, sealedFile } from './sealed.ts';
import { flipped, offsetOf, signedByAnother, updated, withNote } from './tampering.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const sealedWith = (file: Buffer) => sealedFile(app, company, file);

const idsOf = (body: { findings: Array<{ id: string }> }) => body.findings.map(({ id }) => id);

test('an attached file, signed and sealed, is found valid and byte for byte what was sent', async () => {
  const file = await sampleFile(2);
  const { pdf, sha256 } = await sealedWith(file);
  expect(pdf.subarray(0, file.length).equals(file)).toBe(true);
  const { body, against } = await postPdf(app, pdf);
  expect([body.verdict, against]).toEqual(['valid', []]);
  expect(idsOf(body)).toEqual(
    expect.arrayContaining(['changes_forbidden', 'content_as_sent', 'file_as_attached', 'values_as_signed']),
  );
  expect(body.document.file).toMatchObject({ name: 'Lease.pdf', manner: 'pages', sha256_before: sha256 });
  expect(body.document.file.sha256_after).not.toBe(sha256);
});

test('a file that was signed before is found valid with its earlier signature, untouched', async () => {
  const { pdf } = await sealedWith(await signedFile(await sampleFile(1)));
  const { body, against } = await postPdf(app, pdf);
  expect([body.verdict, against]).toEqual(['valid', []]);
  expect(idsOf(body)).toEqual(
    expect.arrayContaining(['file_as_attached', 'earlier_signatures_hold', 'values_as_signed']),
  );
  expect(idsOf(body)).not.toContain('changes_forbidden');
  expect(body.document.file).toMatchObject({ manner: 'signed', sha256_after: null });
  expect(body.parties).toMatchObject([{ name: 'Ada Lovelace', method: 'typed' }]);
});

test('our own marks on each page are no change, and a change of a mark is named like every other', async () => {
  const other = await createCompany(app);
  const admin = await signedIn(app, await addMember(app, other.id, 'admin'));
  const settings = {
    asks_consent: false,
    copies_contact: '',
    copies_cost: '',
    prints_document_id: true,
    allows_delegation: false,
    allows_comments: true,
    masks_contacts: false,
    shows_devices: false,
  };
  expect((await admin.post('/signing', settings)).status).toBe(200);
  for (const file of [await sampleFile(2), await signedFile(await sampleFile(2))]) {
    const { id, pdf } = await sealedFile(app, other, file, other.testKey);
    const pages = pdfText(pdf).split('\f').slice(0, 2);
    for (const page of pages) expect([page.includes('TEST MODE'), page.includes(id)]).toEqual([true, true]);
    const { body, against } = await postPdf(app, pdf);
    expect([body.verdict, against]).toEqual(['valid', []]);
    expect(idsOf(body)).toContain('file_as_attached');
    // The first stream that the update adds draws the values and the marks.
    const added = pdf.indexOf('stream\n', file.length) + 12;
    expect((await postPdf(app, flipped(pdf, added))).body.verdict).toBe('altered');
  }
});

test('a file that its maker certified is enclosed, and found again', async () => {
  const { body, against } = await postPdf(
    app,
    (await sealedWith(await signedFile(await sampleFile(1), 'Maker', 1))).pdf,
  );
  expect([body.verdict, against, body.document.file.manner]).toEqual(['valid', [], 'enclosed']);
  expect(idsOf(body)).toContain('file_as_attached');
});

test('an earlier signature that was broken before is remarked on, and takes nothing from the seal', async () => {
  const signed = await signedFile(await sampleFile(1));
  const { body } = await postPdf(app, (await sealedWith(flipped(signed, offsetOf(signed, 'ID [<') + 6))).pdf);
  expect(body.verdict).toBe('valid');
  expect(idsOf(body)).toContain('earlier_signature_broken');
});

test('each way of changing a sealed file is named', async () => {
  for (const file of [await sampleFile(2), await signedFile(await sampleFile(2))]) {
    const { pdf } = await sealedWith(file);
    const found = async (changed: Buffer) => {
      const { body, against } = await postPdf(app, changed);
      return [body.verdict, ...against];
    };
    expect(await found(flipped(pdf, offsetOf(pdf, 'stream\n') + 20))).toEqual([
      'altered',
      'bytes_changed',
      'file_not_as_attached',
    ]);
    expect(await found(await updated(pdf, withNote))).toEqual(['altered', 'update_appended']);
    expect(await found(pdf.subarray(0, pdf.length - 400))).toContain('truncated');
    expect(await found(await signedByAnother(pdf, 'Somebody', 'Another'))).toContain('update_appended');
    expect(await found(file)).not.toContain('valid');
  }
});

test.runIf(hasTool('pdfsig'))('pdfsig agrees with every verdict on an attached file', async () => {
  const pdfsig = (pdf: Buffer) => {
    const path = join(app.dataDir, 'pdfsig.pdf');
    writeFileSync(path, pdf);
    const printed = execFileSync('pdfsig', [path], { encoding: 'utf8' });
    return printed.match(/Signature is Valid|Digest Mismatch/g);
  };
  const { pdf } = await sealedWith(await signedFile(await sampleFile(1)));
  expect(pdfsig(pdf)).toEqual(['Signature is Valid', 'Signature is Valid']);
  expect(pdfsig(flipped(pdf, offsetOf(pdf, '/Reason (Comp') + 12))).toEqual(['Signature is Valid', 'Digest Mismatch']);
});
