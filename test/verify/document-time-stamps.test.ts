import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpTimestampAuthority, PDF } from '@libpdf/core';
import { afterEach, expect, test } from 'vitest';
import { readCertificatesUsed, readPem } from '../../src/pdf/signatures/certificates-used.ts';
import { stampPdf } from '../../src/pdf/signatures/stamp-pdf.ts';
import { createLog } from '../../src/platform/log.ts';
import { documentTimeStampOf, signatureOf } from '../../src/sealing/testing/signature-of.ts';
import { startTsaOf } from '../../src/sealing/testing/tsa-server.ts';
import { createVerifier } from '../../src/verify/create-verifier.ts';
import { createCompany, startTestService, TestClock, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';
import { postPdf, sealedDocument } from './sealed.ts';
import { flipped, updated } from './tampering.ts';

let app: TestService | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

/** Starts a service whose clock is right, because the authority's is. */
async function startService(env: Record<string, string> = {}): Promise<TestService> {
  const clock = new TestClock();
  clock.advance({ seconds: Math.round((Date.now() - clock.now().getTime()) / 1000) });
  app = await startTestService({ clock, env });
  return app;
}

/** Returns the verdict, and the findings about what follows the seal. */
async function found(service: TestService, pdf: Buffer): Promise<[string, string[]]> {
  const { body } = await postPdf(service, pdf);
  return [body.verdict, aboutTheEnd(body.findings)];
}

function aboutTheEnd(findings: ReadonlyArray<{ id: string }>): string[] {
  const wanted =
    /^(?:recorded_here|not_as_recorded|whole_file|validation_data|document_time|update_app|bytes_app|time_stamp_broken)/;
  return findings.map(({ id }) => id).filter((id) => wanted.test(id));
}

/** Examines a file where the certificate is known and the file is not. */
async function foundElsewhere(service: TestService, pdf: Buffer, trusted: Buffer): Promise<[string, string[]]> {
  const certificates = () => readCertificatesUsed(join(service.dataDir, 'certificates'));
  const anchors = readPem(trusted);
  const verifier = createVerifier({ certificates, sealedFiles: null, anchors, log: createLog('silent') });
  try {
    const path = join(service.dataDir, 'elsewhere.pdf');
    writeFileSync(path, pdf);
    const { verdict, findings } = await verifier.examine(path);
    return [verdict, aboutTheEnd(findings)];
  } finally {
    await verifier.close();
  }
}

const hasOpenssl = hasTool('openssl');

test.runIf(hasOpenssl)('a file is sealed with a time-stamp over all of it, which is verified', async () => {
  const { url, certificate } = await startTsaOf();
  const service = await startService({ TSA_URL: url, TSA_TRUST_FILE: certificate });
  const { pdf } = await sealedDocument(service, await createCompany(service));
  expect(documentTimeStampOf(pdf).end).toBe(pdf.length);
  const { body } = await postPdf(service, pdf);
  expect([body.verdict, aboutTheEnd(body.findings)]).toEqual([
    'valid',
    ['recorded_here', 'validation_data_added', 'document_time_stamped'],
  ]);
  expect(body.seal.time_stamp).toMatchObject({ authority: 'CN=Test TSA', verified: true });
  expect(body.seal.document_time_stamps).toEqual([
    { at: expect.any(String), authority: 'CN=Test TSA', verified: true },
  ]);
  const trust = readFileSync(certificate);
  expect(await foundElsewhere(service, pdf, trust)).toEqual([
    'valid',
    ['validation_data_added', 'document_time_stamped'],
  ]);
  expect(await foundElsewhere(service, pdf, Buffer.alloc(0))).toEqual([
    'valid',
    ['validation_data_added', 'document_time_stamp_unverified'],
  ]);

  // A time-stamp that is gone, is another one, or is damaged.
  const { end } = signatureOf(pdf);
  expect(await found(service, pdf.subarray(0, end))).toEqual(['altered', ['not_as_recorded']]);
  const another = Buffer.from((await stampPdf(pdf.subarray(0, end), url)).file);
  expect(await found(service, another)).toEqual(['altered', ['not_as_recorded']]);
  const damaged = flipped(pdf, pdf.lastIndexOf('/Contents <') + 2000);
  expect((await foundElsewhere(service, damaged, trust))[0]).toBe('altered');
  const filled = Buffer.from(pdf);
  filled.write('01', pdf.lastIndexOf('00>'), 'latin1');
  expect(await foundElsewhere(service, filled, trust)).toEqual([
    'altered',
    ['validation_data_added', 'time_stamp_broken'],
  ]);
});

test.runIf(hasOpenssl)('validation data that another program adds alters nothing, and anything else does', async () => {
  const { url } = await startTsaOf();
  const service = await startService();
  const { pdf } = await sealedDocument(service, await createCompany(service));
  const opened = await PDF.load(pdf);
  const timestampAuthority = new HttpTimestampAuthority(url);
  const { bytes } = await opened.addArchivalData({ timestampAuthority });
  const archived = Buffer.from(bytes);
  const added = ['validation_data_added', 'document_time_stamp_unverified'];
  expect(await found(service, archived)).toEqual(['valid', added]);
  expect(await foundElsewhere(service, archived, Buffer.alloc(0))).toEqual(['valid', added]);

  const again = Buffer.from((await stampPdf(archived, url)).file);
  expect(await found(service, again)).toEqual(['valid', [...added, 'document_time_stamp_unverified']]);
  const withText = await updated(again, (file) => file.getPage(0)?.drawText('100,000', { x: 100, y: 100 }));
  expect(await found(service, withText)).toEqual(['altered', ['update_appended']]);
  expect(await foundElsewhere(service, withText, Buffer.alloc(0))).toEqual(['altered', ['update_appended']]);
  const withTitle = await updated(pdf, (file) => file.setTitle('Other'));
  const stamped = Buffer.from((await stampPdf(withTitle, url)).file);
  expect(await found(service, stamped)).toEqual(['altered', ['update_appended']]);
});
