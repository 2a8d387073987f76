import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { openPdf } from '../../src/pdf/reading/open-pdf.ts';
import { createLog } from '../../src/platform/log.ts';
import { createPdfWorker } from '../../src/sealing/pdf-worker.ts';
import { testCertificate } from '../../src/sealing/testing/tools.ts';
import { sealDocument } from '../../src/signing/seal-document.ts';
import { attachPdf, filesOf, placeOn } from '../support/attach.ts';
import { call, createCompany, createDraft, startTestService } from '../support/service.ts';
import { openLinkOf, signature } from './signer.ts';

/** A page of 30 MB of drawing operators, which compress to little. */
function hugeDrawing(): Buffer {
  const line = '123.45 678.9 m 33.2 44.1 l S\n';
  const drawing = deflateSync(line.repeat(30_000_000 / line.length));
  return makePdf({ pages: [{ content: { entries: '/Filter /FlateDecode', bytes: drawing } }] });
}

test('a file that exceeds the limits of sealing is embedded after several attempts', async () => {
  const app = await startTestService({ env: { ROLE: 'web' } });
  onTestFinished(() => app.stop());
  const company = await createCompany(app);
  const id = await createDraft(app, company.key);
  const file = hugeDrawing();
  await attachPdf(app, company, id, file);
  const [field] = await placeOn(app, company, id, [{ recipient: 1, type: 'text' }]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  const signer = await openLinkOf(app, company, id, signature.full_name);
  const signed = await signer.post('sign', { ...signature, fields: { [field?.id ?? '']: 'Blue door' } });
  expect(signed.body).toMatchObject({ state: 'completed' });

  const pdf = createPdfWorker({
    certificate: await testCertificate(),
    tsaUrl: null,
    processes: 1,
    timeoutMs: 30_000,
    memoryMaxBytes: 300 * 2 ** 20,
    log: createLog('silent'),
    clock: app.clock,
  });
  onTestFinished(() => pdf.close());
  const sealing = { pdf, files: filesOf(app), queue: await app.queue(), origin: () => app.service.origin };
  const seal = (attempt: number) => sealDocument(app.world, app.db, sealing, id, attempt);
  await expect(seal(1)).rejects.toMatchObject({ name: 'PdfWorkerError' });
  await seal(6);
  const { body } = await call(app, 'GET', `/documents/${id}/download`, { key: company.key });
  const sealed = Buffer.from(await (await fetch(body.url)).arrayBuffer());
  expect((await openPdf(sealed)).attachment('attached.pdf')?.equals(file)).toBe(true);
});
