import type { Field } from '../../src/documents/field.ts';
import { typedPrice } from '../../src/sealing/testing/prepared-files.ts';
import { drawnSignature } from '../../src/sealing/testing/sample-png.ts';
import { openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { type Company, call, createDraft, type TestService } from '../support/service.ts';

const recipients = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
];

/**
 * Sends a document with the file and has both recipients sign: Ada types drawing operators into a field, Grace draws her
 * signature. Returns when the document is completed, and not yet sealed.
 */
export async function signPrepared(
  app: TestService,
  company: Company,
  file: Buffer,
): Promise<{ id: string; fields: Field[] }> {
  const id = await createDraft(app, company.key, { title: 'Price list', recipients });
  await attachPdf(app, company, id, file);
  const fields = await placeOn(app, company, id, [
    { recipient: 1, type: 'text', label: 'Remark' },
    { recipient: 2, type: 'signature' },
  ]);
  expectOk(await call(app, 'POST', `/documents/${id}/send`, { key: company.key }));
  const [text, mark] = fields.map((field) => field.id);
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  expectOk(await ada.post('sign', { ...signature, fields: { [text ?? '']: typedPrice } }));
  const grace = await openLinkOf(app, company, id, 'Grace Hopper');
  const drawn = { kind: 'drawn', png: drawnSignature().toString('base64') };
  expectOk(await grace.post('sign', { full_name: 'Grace Hopper', signature: drawn, fields: { [mark ?? '']: 'true' } }));
  return { id, fields };
}

function expectOk({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`${status}: ${text}`);
}
