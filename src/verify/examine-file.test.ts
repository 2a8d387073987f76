import { expect, test } from 'vitest';
import { hasTool } from '../../test/support/tools.ts';
import { offsetOf, otherDigit } from '../../test/verify/tampering.ts';
import { createSelfSigned } from '../pdf/signatures/self-signed.ts';
import { stampPdf } from '../pdf/signatures/stamp-pdf.ts';
import { inputFor, sampleFile, signedFile } from '../sealing/testing/sample-files.ts';
import { sealHere } from '../sealing/testing/seal-here.ts';
import { startTsa } from '../sealing/testing/tsa-server.ts';
import { examineFile } from './examine-file.ts';

/** Examines a file where another service than ours signed it. */
async function examined(file: Uint8Array) {
  const [notBefore, notAfter] = [new Date('2026-01-01'), new Date('2036-01-01')];
  const serial = Buffer.alloc(16, 9);
  const { certificate } = await createSelfSigned({ commonName: 'Ours', notBefore, notAfter, serial });
  const known = { certificates: [certificate], recorded: null, anchors: [], now: new Date() };
  return (await examineFile(Buffer.from(file), known)).report;
}

test.runIf(hasTool('openssl'))(
  'a time-stamp of an attached file is no broken signature, unless it is broken',
  async () => {
    const { file } = await stampPdf(await signedFile(await sampleFile(1)), await startTsa(), async () => {});
    const stamped = Buffer.from(file);
    const earlier = async (attached: Buffer) => {
      const { findings } = await examined(await sealHere(inputFor(attached, 1), attached));
      return findings.filter(({ id }) => id.startsWith('earlier_')).map(({ id, detail }) => [id, detail.signatures]);
    };
    expect(await earlier(stamped)).toEqual([['earlier_signatures_hold', 1]]);
    const broken = otherDigit(stamped, offsetOf(stamped, '/Contents <', -1) + 700);
    expect(await earlier(broken)).toEqual([
      ['earlier_signatures_hold', 1],
      ['earlier_signature_broken', undefined],
    ]);
  },
);
