import { createHash, type X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSeals } from '../../src/pdf/reading/find-seals.ts';
import { readSignedData, type SignedData } from '../../src/pdf/reading/signed-data.ts';
import { readCertificatesUsed, storeCertificate } from '../../src/pdf/signatures/certificates-used.ts';
import { hasLowS } from '../../src/pdf/signatures/low-s.ts';
import { createLog } from '../../src/platform/log.ts';
import { sampleFile } from '../../src/sealing/testing/sample-files.ts';
import { createVerifier, type Verifier } from '../../src/verify/create-verifier.ts';
import { type Company, createCompany, startTestService, type TestService } from '../support/service.ts';
import { lowerCased, twinOf } from './attacks/rewritten-seal.ts';
import { appended, nextNumber } from './attacks/update.ts';
import { postPdf, type Sealed, sealedDocument, sealedFile, sealedInTestMode } from './sealed.ts';
import { signedByAnother, stream, unsigned } from './tampering.ts';

let app: TestService;
let company: Company;
let sealed: Sealed;
/** Judges like an installation that has our certificate and no record of the file. */
let elsewhere: Verifier;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  sealed = await sealedDocument(app, company);
  const certificates = () => readCertificatesUsed(join(app.dataDir, 'certificates'));
  elsewhere = createVerifier({ certificates, sealedFiles: null, anchors: [], log: createLog('silent') });
});
afterAll(async () => {
  await elsewhere.close();
  await app.stop();
});

async function judged(pdf: Buffer): Promise<{ here: string[]; elsewhere: string }> {
  const path = join(app.dataDir, 'judged.pdf');
  writeFileSync(path, pdf);
  const { body, against } = await postPdf(app, pdf);
  return { here: [body.verdict, ...against], elsewhere: (await elsewhere.examine(path)).verdict };
}

const valid = { here: ['valid'], elsewhere: 'valid' };

/** Returns an attached file that contains these texts uncompressed. */
async function fileWith(...texts: string[]): Promise<Buffer> {
  const file = await sampleFile(1);
  const first = nextNumber(file);
  return appended(
    file,
    Object.fromEntries(texts.map((text, i) => [first + i, stream('', Buffer.from(text)).toString('latin1')])),
  );
}

test('an attached file with hundreds of texts that look like signatures is genuine when it is sealed', async () => {
  const lookAlikes = Array.from({ length: 400 }, (_, i) => `/ByteRange [0 ${i} ${i + 9} 999999] /Contents <3000>`);
  const { pdf } = await sealedFile(app, company, await fileWith(lookAlikes.join('\n')));
  expect(await judged(pdf)).toEqual(valid);
});

test('a copy of another seal of this service, with a range that reaches far, spoils nothing', async () => {
  const copied = sealText(sealed.pdf);
  const far = copied.replace(/\/ByteRange \[[^\]]*\]/, '/ByteRange [0 100 200 99999999]');
  const { pdf } = await sealedFile(app, company, await fileWith(copied, far));
  expect(await judged(pdf)).toEqual(valid);
});

test('a document that is sealed again as the attached file of another is genuine, and so is the first', async () => {
  const { pdf } = await sealedFile(app, company, sealed.pdf);
  expect(await judged(pdf)).toEqual(valid);
  expect(await judged(sealed.pdf)).toEqual(valid);
});

test('a document that was sent in test mode is genuine, and the report says that it is a test', async () => {
  const { pdf } = await sealedInTestMode(app, company);
  const { body } = await postPdf(app, pdf);
  expect([body.verdict, body.document.mode]).toEqual(['valid', 'test']);
  expect(body.findings).toContainEqual({
    id: 'test_mode',
    ok: null,
    text: 'This document was sent in test mode. Its signatures are not real, and no e-mail or SMS was sent for it.',
  });
  const page = (await postPdf(app, pdf, { accept: 'text/html' })).body;
  expect(page).toMatch(
    /<h1>This document is genuine and unaltered<\/h1>\n<p class="test">Test mode · Not a real signature<\/p>/,
  );
  expect(page).toContain('<dd>personal link, not sent</dd>');
  expect(page).not.toContain('sent by e-mail');
});

test('a document that was sent for real is not called a test', async () => {
  const { body } = await postPdf(app, sealed.pdf);
  expect(body.document.mode).toBe('live');
  expect(body.findings.map(({ id }: { id: string }) => id)).not.toContain('test_mode');
  expect((await postPdf(app, sealed.pdf, { accept: 'text/html' })).body).not.toMatch(/test mode/i);
});

test('what identifies a sealed file is recorded with it', async () => {
  const [row] = await app.db.query<{ bytes: number; range: number[]; digest: Buffer }>({
    name: '',
    text: 'select bytes, byte_range as range, signed_digest as digest from sealed_files where document_id = $1',
    values: [sealed.id],
  });
  const [seal] = findSeals(sealed.pdf);
  expect({ bytes: Number(row?.bytes), range: row?.range.map(Number), digest: row?.digest }).toEqual({
    bytes: sealed.pdf.length,
    range: seal?.range,
    digest: signedIn(sealed.pdf).messageDigest,
  });
});

test('what was appended is judged at the recorded place, whatever it looks like', async () => {
  const lookAlikes = Array.from({ length: 20 }, (_, i) => `/ByteRange [0 ${i + 1} ${i + 9} 99] /Contents <3000>`);
  const extended = appended(sealed.pdf, {
    [nextNumber(sealed.pdf)]: stream('', Buffer.from(lookAlikes.join('\n'))).toString(),
  });
  expect((await judged(extended)).here).toEqual(['altered', 'update_appended']);
});

test('seals have the lower s, and neither their twin nor another spelling of their digits is valid', async () => {
  const { signature, signer } = signedIn(sealed.pdf);
  expect(hasLowS(signature, (signer as X509Certificate).publicKey)).toBe(true);
  const damaged = { here: ['altered', 'signature_damaged'], elsewhere: 'altered' };
  expect(await judged(twinOf(sealed.pdf))).toEqual(damaged);
  expect(await judged(lowerCased(sealed.pdf))).toEqual(damaged);
});

test('both files are genuine of a document that was sealed again after a restore', async () => {
  const { id, pdf } = await sealedFile(app, company, await sampleFile(1));
  await app.db.query({
    name: '',
    text: `update sealed_files set sha256 = decode(repeat('ab', 32), 'hex'), signed_digest = decode(repeat('cd', 32), 'hex')
           where document_id = $1`,
    values: [id],
  });
  await app.db.query({
    name: '',
    text: `update documents set sealed_file = 'sha256/ab/' || repeat('ab', 31) where id = $1`,
    values: [id],
  });
  expect(await judged(pdf)).toEqual(valid);
});

test('a document of an earlier version is genuine by its SHA-256, and the twin of its seal is not', async () => {
  const { id, pdf } = sealed;
  // Like a seal of an earlier version: either s, no recorded position, a certificate that was in use then.
  const old = await signedByAnother(unsigned(pdf), 'Countersign');
  await storeCertificate(join(app.dataDir, 'certificates'), (signedIn(old).signer as X509Certificate).raw);
  await app.db.query({ name: '', text: 'delete from sealed_files where document_id = $1', values: [id] });
  const sha256 = createHash('sha256').update(old).digest('hex');
  await app.db.query({
    name: '',
    text: 'update documents set sealed_file = $2 where id = $1',
    values: [id, `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`],
  });
  expect(await judged(old)).toEqual(valid);
  expect((await judged(twinOf(old))).here).toEqual(['altered', 'not_as_recorded']);
  // Without the record the two can't be told apart, and the report says so for both.
  for (const pdf of [old, twinOf(old)]) expect(await unconfirmed(pdf)).toEqual(['valid', true]);
  expect(await unconfirmed(sealed.pdf)).toEqual(['valid', false]);
  expect((await postPdf(app, old)).body.findings.map(({ id: found }: { id: string }) => found)).not.toContain(
    'signature_unconfirmed',
  );
  const after = Buffer.concat([old, Buffer.from('more\n')]);
  expect((await judged(after)).here).toEqual(['altered', 'bytes_appended']);
});

/** Returns the verdict of an installation without a record, and whether it warns that the signature may be the other one. */
async function unconfirmed(pdf: Buffer): Promise<[string, boolean]> {
  const path = join(app.dataDir, 'unrecorded.pdf');
  writeFileSync(path, pdf);
  const { verdict, findings } = await elsewhere.examine(path);
  return [verdict, findings.some(({ id }) => id === 'signature_unconfirmed')];
}

function signedIn(pdf: Buffer): SignedData {
  return readSignedData(findSeals(pdf).at(-1)?.contents ?? Buffer.alloc(0));
}

/** Returns the dictionary of the last signature as text. */
function sealText(pdf: Buffer): string {
  const at = pdf.lastIndexOf('/ByteRange');
  return pdf.toString('latin1', pdf.lastIndexOf(' obj', at) + 4, pdf.indexOf('endobj', at));
}
