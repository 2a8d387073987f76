import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FormPlan, formFile, text, withLook } from '../../src/pdf/pdfium/testing/form-file.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { openLinkOf, signature } from './signer.ts';

/** Signers see the values that the form of an attached PDF has, because the sealed PDF shows them. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function sentForm(plan: FormPlan) {
  const id = await createDraft(app, company.key, { recipients: [ada] });
  await attachPdf(app, company, id, formFile(plan));
  const [mark] = await placeOn(app, company, id, [{ recipient: 1, type: 'signature', y: 700 }]);
  await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  return { id, mark: mark?.id ?? '', signer: await openLinkOf(app, company, id, ada.name) };
}

test('the pictures and the text of a page have the values of its form, as the sealed PDF does', async () => {
  const filled = await sentForm({ entries: `${text} ${withLook}` });
  const hidden = await sentForm({ entries: `${text} ${withLook}`, flags: 2 });
  const pictures = await Promise.all([filled, hidden].map(({ signer }) => signer.page('/pages/1?width=600')));
  expect(pictures.map(({ status }) => status)).toEqual([200, 200]);
  expect(pictures[0]?.text).not.toBe(pictures[1]?.text);

  const linesOf = async ({ signer }: typeof filled) =>
    (await signer.page('/pages/1/text')).body.lines.map((line: { text: string }) => line.text);
  expect(await linesOf(filled)).toEqual(['Rate:', 'Filled in']);
  expect(await linesOf(hidden)).toEqual(['Rate:']);

  const signed = await filled.signer.post('sign', { ...signature, fields: { [filled.mark]: 'true' } });
  expect(signed.body).toEqual({ state: 'completed' });
  expect(pdfText(await sealedPdf(app, filled.id))).toContain('Filled in');
});
