import { expect, test } from 'vitest';
import { hasTool } from '../../test/support/tools.ts';
import { flipped, handmade, offsetOf, otherDigit, stream, updated, withNote } from '../../test/verify/tampering.ts';
import { createSelfSigned } from '../pdf/signatures/self-signed.ts';
import { stampPdf } from '../pdf/signatures/stamp-pdf.ts';
import { inputFor, sampleFile, signedFile } from '../sealing/testing/sample-files.ts';
import { sealHere } from '../sealing/testing/seal-here.ts';
import { startTsa } from '../sealing/testing/tsa-server.ts';
import { examineFile } from './examine-file.ts';
import { findingMeanings } from './findings.ts';

/** Examines a file where another service than ours signed it. */
async function examined(file: Uint8Array) {
  const [notBefore, notAfter] = [new Date('2026-01-01'), new Date('2036-01-01')];
  const serial = Buffer.alloc(16, 9);
  const { certificate } = await createSelfSigned({ commonName: 'Ours', notBefore, notAfter, serial });
  const known = { certificates: [certificate], recorded: null, anchors: [], now: new Date() };
  return (await examineFile(Buffer.from(file), known)).report;
}

/** Returns the verdict, and the findings that lead to it. */
async function against(file: Uint8Array): Promise<string[]> {
  const { verdict, findings } = await examined(file);
  const bad = findings.map(({ id }) => id).filter((id) => !['good', 'remark'].includes(findingMeanings[id]));
  return [verdict, ...bad];
}

test('a file that another service signed was not sealed here, whatever follows its signature', async () => {
  const signed = await signedFile(await sampleFile(1));
  expect(await against(signed)).toEqual(['not_sealed_here', 'other_certificate']);
  expect(await against(await updated(signed, withNote))).toEqual(['not_sealed_here', 'other_certificate']);
});

test('a signature of a kind that is not known here is not called altered', async () => {
  const signed = await signedFile(await sampleFile(1));
  const unknown = otherDigit(signed, offsetOf(signed, '/Contents <') + 11);
  expect(await against(unknown)).toEqual(['not_sealed_here', 'foreign_signature']);
});

test('a file whose signed bytes were changed was altered, whatever service signed it', async () => {
  const signed = await signedFile(await sampleFile(1));
  expect(await against(flipped(signed, offsetOf(signed, 'ID [<') + 6))).toContain('bytes_changed');
  expect((await against(signed.subarray(0, signed.length - 100)))[0]).not.toBe('not_sealed_here');
});

test('text that only looks like a signature is none', async () => {
  const file = handmade({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>',
    4: stream('', Buffer.from('/ByteRange [0 10 20 30] /Contents <00>')),
  });
  expect(await against(file)).toEqual(['not_sealed', 'no_seal']);
});

test('the document of another Countersign is judged like ours', async () => {
  const file = await sampleFile(1);
  const sealed = await sealHere(inputFor(file, 1), file);
  expect((await against(sealed))[0]).not.toBe('not_sealed');
  expect(await against(await updated(sealed, withNote))).toContain('update_appended');
});

/** Returns what is said of the signatures of an attached file after it was sealed, and how many hold. */
async function earlier(attached: Buffer) {
  const { findings } = await examined(await sealHere(inputFor(attached, 1), attached));
  return findings.filter(({ id }) => id.startsWith('earlier_')).map(({ id, detail }) => [id, detail.signatures]);
}

test('a signature whose attributes name no certificate holds, and its kind is not ours', async () => {
  const signed = await signedFile(await sampleFile(1), 'Earlier', null, 'adbe.pkcs7.detached');
  expect(await against(signed)).toEqual(['not_sealed_here', 'foreign_signature']);
  expect(await earlier(signed)).toEqual([['earlier_signatures_hold', 1]]);
  expect(await earlier(flipped(signed, offsetOf(signed, 'ID [<') + 6))).toEqual([
    ['earlier_signature_broken', undefined],
  ]);
});

test.runIf(hasTool('openssl'))(
  'a time-stamp of an attached file is no broken signature, unless it is broken',
  async () => {
    const { file } = await stampPdf(await signedFile(await sampleFile(1)), await startTsa(), async () => {});
    const stamped = Buffer.from(file);
    expect(await earlier(stamped)).toEqual([['earlier_signatures_hold', 1]]);
    const broken = otherDigit(stamped, offsetOf(stamped, '/Contents <', -1) + 700);
    expect(await earlier(broken)).toEqual([
      ['earlier_signatures_hold', 1],
      ['earlier_signature_broken', undefined],
    ]);
  },
);
