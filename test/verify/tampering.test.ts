import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfName, PdfString } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, type Sealed, sealedDocument } from './sealed.ts';
import {
  encrypted,
  flipped,
  handmade,
  inflatesTo,
  offsetOf,
  otherDigit,
  plainPdf,
  replaced,
  rewritten,
  signedByAnother,
  stream,
  unsigned,
  updated,
  withForgedTrail,
  withNote,
  withRange,
} from './tampering.ts';

let app: TestService;
let sealed: Sealed;

beforeAll(async () => {
  app = await startTestService();
  sealed = await sealedDocument(app, await createCompany(app));
});
afterAll(() => app.stop());

test('a completed document is valid: sealed here, covered whole, its trail intact, with who and when', async () => {
  const { status, body, against } = await postPdf(app, sealed.pdf);
  expect({ status, verdict: body.verdict, against }).toEqual({ status: 200, verdict: 'valid', against: [] });
  expect(body.findings.map(({ id }: { id: string }) => id)).toEqual([
    'is_pdf',
    'recorded_here',
    'whole_file_covered',
    'bytes_unchanged',
    'signature_holds',
    'changes_forbidden',
    'certificate_bound',
    'sealed_here',
    'certificate_in_validity',
    'no_time_stamp',
    'audit_trail_intact',
    'content_as_sent',
    'acts_attested',
  ]);
  expect(body.document).toMatchObject({ id: sealed.id, title: 'Roof repair — phase 2' });
  expect(body.seal).toMatchObject({ name: 'Acme Builders', subject: 'CN=Countersign', time_stamp: null });
  const at = app.clock.now().toISOString();
  const [ada, bo, carl] = body.parties;
  expect(ada).toMatchObject({ name: 'Ada Lovelace', kind: 'signer', channel: 'email', signed_at: at, method: 'typed' });
  expect(ada.auth_level).toBe('l0_email_link');
  expect(bo).toMatchObject({ name: 'Bo Approver', kind: 'approver', signed_at: at, method: 'approval' });
  expect(carl).toMatchObject({ name: 'Carl Copy', kind: 'cc', signed_at: null });
});

interface Case {
  make(pdf: Buffer): Buffer | Promise<Buffer>;
  verdict: 'altered' | 'not_sealed_here' | 'not_sealed' | 'unreadable';
  /** A finding that identifies the variant. There may be others. */
  finding: string;
  /** The verdict of pdfsig, if it can judge. */
  pdfsig?: RegExp;
}

const mismatch = /Digest Mismatch/;

const cases: Record<string, Case> = {
  'a byte of a page changed': {
    make: (pdf) => flipped(pdf, offsetOf(pdf, 'stream\n') + 40),
    verdict: 'altered',
    finding: 'bytes_changed',
    pdfsig: mismatch,
  },
  'a byte of an embedded file changed': {
    make: (pdf) => flipped(pdf, pdf.indexOf('stream', offsetOf(pdf, '/EmbeddedFile')) + 40),
    verdict: 'altered',
    finding: 'bytes_changed',
    pdfsig: mismatch,
  },
  'a byte of the table of objects changed': {
    make: (pdf) => flipped(pdf, offsetOf(pdf, ' 00000 n', 5) - 2),
    verdict: 'altered',
    finding: 'bytes_changed',
  },
  'a byte after the signature changed': {
    make: (pdf) => flipped(pdf, offsetOf(pdf, '/Reason (') + 12),
    verdict: 'altered',
    finding: 'bytes_changed',
    pdfsig: mismatch,
  },
  'a byte of the signature value changed': {
    make: (pdf) => otherDigit(pdf, pdf.indexOf('000000000000', offsetOf(pdf, '/Contents <')) - 12),
    verdict: 'altered',
    finding: 'signature_broken',
  },
  'a digit of the signature written in small letters': {
    make: (pdf) =>
      replaced(pdf, /\/Contents <3082[^>]*?[A-F]/, (match) => match.slice(0, -1) + match.slice(-1).toLowerCase()),
    verdict: 'altered',
    finding: 'signature_damaged',
  },
  'something written into the empty room behind the signature': {
    make: (pdf) => flipped(pdf, pdf.indexOf('>', offsetOf(pdf, '/Contents <')) - 20),
    verdict: 'altered',
    finding: 'signature_room_used',
  },
  'the signature blanked out': {
    make: (pdf) => replaced(pdf, /\/Contents <[^>]*>/, (match) => `/Contents <${'0'.repeat(match.length - 12)}>`),
    verdict: 'altered',
    finding: 'signature_damaged',
  },
  'bytes appended': {
    make: (pdf) => Buffer.concat([pdf, Buffer.from('\nsee the other side\n')]),
    verdict: 'altered',
    finding: 'bytes_appended',
    pdfsig: /Not total document signed/,
  },
  'a note appended as an incremental update': {
    make: (pdf) => updated(pdf, withNote),
    verdict: 'altered',
    finding: 'update_appended',
    pdfsig: /Not total document signed/,
  },
  'a field changed by an incremental update': {
    make: (pdf) => updated(pdf, (opened) => opened.setTitle('Another title')),
    verdict: 'altered',
    finding: 'update_appended',
    pdfsig: /Not total document signed/,
  },
  'the seal unhooked by an incremental update': {
    make: (pdf) => updated(pdf, (opened) => opened.context.catalog.removeAcroForm()),
    verdict: 'altered',
    finding: 'seal_disconnected',
  },
  'another signature added on top': {
    make: (pdf) => signedByAnother(pdf, 'Somebody', 'Second'),
    verdict: 'altered',
    finding: 'update_appended',
  },
  'the range narrowed before the signature': {
    make: (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0, d = 0]) => [a, b - 100, c, d]),
    verdict: 'altered',
    finding: 'byte_range_altered',
  },
  'the range narrowed at the end': {
    make: (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, d - 100]),
    verdict: 'altered',
    finding: 'byte_range_altered',
  },
  'the range widened at the end': {
    make: (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, d + 100]),
    verdict: 'altered',
    finding: 'byte_range_altered',
  },
  'the range widened into the signature': {
    make: (pdf) => withRange(pdf, ([a = 0, b = 0, c = 0, d = 0]) => [a, b + 10, c, d]),
    verdict: 'altered',
    finding: 'byte_range_altered',
  },
  'the range made to start later': {
    make: (pdf) => withRange(pdf, ([, b = 0, c = 0, d = 0]) => [9, b - 9, c, d]),
    verdict: 'altered',
    finding: 'byte_range_altered',
  },
  'an audit entry altered and the chain computed anew, as an update': {
    make: (pdf) => updated(pdf, withForgedTrail),
    verdict: 'altered',
    finding: 'update_appended',
  },
  'an audit entry altered, and all signed again with another key of the same name': {
    make: async (pdf) => signedByAnother(await rewritten(unsigned(pdf), withForgedTrail), 'Countersign'),
    // The attestations are of the entries as they were.
    verdict: 'altered',
    finding: 'certificate_of_same_name',
  },
  'signed with another key of the same name': {
    make: (pdf) => signedByAnother(unsigned(pdf), 'Countersign'),
    verdict: 'not_sealed_here',
    finding: 'certificate_of_same_name',
    pdfsig: /Signature is Valid/,
  },
  'signed with a key of another name': {
    make: (pdf) => signedByAnother(unsigned(pdf), 'Forgers Ltd'),
    verdict: 'not_sealed_here',
    finding: 'other_certificate',
    pdfsig: /Signature is Valid/,
  },
  'the signature removed': {
    make: unsigned,
    verdict: 'not_sealed',
    finding: 'seal_removed',
    pdfsig: /does not contain any signatures/,
  },
  'the end missing': {
    make: (pdf) => pdf.subarray(0, -200),
    verdict: 'altered',
    finding: 'truncated',
  },
  'the second half missing': {
    make: (pdf) => pdf.subarray(0, pdf.length / 2),
    verdict: 'unreadable',
    finding: 'cut_short',
  },
  'a PDF that nobody sealed': {
    make: () => plainPdf(),
    verdict: 'not_sealed',
    finding: 'no_seal',
    pdfsig: /does not contain any signatures/,
  },
  'an empty file': { make: () => Buffer.alloc(0), verdict: 'unreadable', finding: 'empty_file' },
  'a text file': { make: () => Buffer.from('Dear Ada,\n'), verdict: 'unreadable', finding: 'not_a_pdf' },
  'a PDF in name only': {
    make: () => Buffer.from('%PDF-1.7\nhello\n%%EOF\n'),
    verdict: 'unreadable',
    finding: 'structure_unreadable',
  },
  'an encrypted PDF': { make: encrypted, verdict: 'unreadable', finding: 'encrypted' },
  'a hundred pages that inflate to a gigabyte each': {
    make: () => pageBomb(100),
    verdict: 'not_sealed',
    finding: 'no_seal',
  },
  'objects inside a stream that inflates beyond all memory': {
    make: () => objectStreamBomb(),
    verdict: 'unreadable',
    finding: 'too_complex',
  },
};

for (const [name, { make, verdict, finding, pdfsig }] of Object.entries(cases)) {
  test(`${name}: ${finding}`, async () => {
    const file = await make(sealed.pdf);
    const { status, body, against } = await postPdf(app, file);
    expect({ status, verdict: body.verdict }, against.join(', ')).toEqual({ status: 200, verdict });
    expect(against).toContain(finding);
    expect(body.document === null || verdict === 'not_sealed_here').toBe(true);
    if (pdfsig !== undefined && hasTool('pdfsig')) expect(judgeOf(file)).toMatch(pdfsig);
  });
}

test('an XFA form is named, and nested object streams are read or given up, never believed', async () => {
  const xfa = handmade({
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 4 0 R >> >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
    4: stream('', Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>')),
  });
  const { body } = await postPdf(app, xfa);
  expect(body.findings.map(({ id }: { id: string }) => id)).toEqual(['no_seal', 'has_xfa']);

  const { body: nested } = await postPdf(app, nestedObjectStreams());
  expect(['not_sealed', 'unreadable']).toContain(nested.verdict);
});

test('a completed document of another Countersign was not sealed here, though its seal holds', async () => {
  const other = await startTestService();
  try {
    const { pdf } = await sealedDocument(other, await createCompany(other));
    expect((await postPdf(other, pdf)).body.verdict).toBe('valid');
    const { body, against } = await postPdf(app, pdf);
    expect({ verdict: body.verdict, against }).toEqual({
      verdict: 'not_sealed_here',
      against: ['certificate_of_same_name'],
    });
  } finally {
    await other.stop();
  }
});

test('a signature whose fields point elsewhere is damaged, not overlooked', async () => {
  const odd = await updated(sealed.pdf, (opened) => {
    const form = opened.context.catalog.getDict().getDict('AcroForm', (ref) => opened.context.resolve(ref));
    const field = form?.getArray('Fields')?.at(0, (ref) => opened.context.resolve(ref));
    if (field?.type !== 'dict') throw new Error('the seal has no field');
    field.set(PdfName.of('V'), PdfString.fromString('nothing'));
  });
  const { body, against } = await postPdf(app, odd);
  expect(body.verdict).toBe('altered');
  expect(against).toContain('seal_disconnected');
});

/** Returns the words of pdfsig, or that it cannot read the file. */
function judgeOf(file: Buffer): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pdfsig-'));
  const path = join(directory, 'file.pdf');
  writeFileSync(path, file);
  try {
    return execFileSync('pdfsig', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function pageBomb(pages: number): Buffer {
  const content = stream('/Filter /FlateDecode', inflatesTo(1024));
  const numbers = Array.from({ length: pages }, (_, i) => i + 4);
  return handmade({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Count ${pages} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
    3: content,
    ...Object.fromEntries(
      numbers.map((number) => [number, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] /Contents 3 0 R >>']),
    ),
  });
}

/** A cross-reference table in a compressed stream, allowed since PDF 1.5. */
function objectStreamBomb(): Buffer {
  const bomb = stream('/Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R /Filter /FlateDecode', inflatesTo(4096));
  const head = Buffer.from('%PDF-1.7\n');
  return Buffer.concat([
    head,
    Buffer.from('9 0 obj\n'),
    bomb,
    Buffer.from(`\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
  ]);
}

function nestedObjectStreams(): Buffer {
  const inner = (number: number, first: string) =>
    stream(
      `/Type /ObjStm /N 1 /First ${first.length} /Extends ${number} 0 R`,
      Buffer.from(`${first}<< /Type /Catalog /Pages 2 0 R >>`),
    );
  return handmade({ 1: inner(2, '1 0 '), 2: inner(3, '2 0 '), 3: inner(1, '3 0 ') });
}
