import { expect } from 'vitest';
import { openLinkOf, type Signer, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from './attach.ts';
import { fetchLocally } from './fetch-locally.ts';
import { type Answer, type Company, call, createDraft, type TestService } from './service.ts';

/** Files that recipients attach to fields. */

/** Sends a file for a field as the script of the signing page does. */
export async function uploadTo(
  signer: Pick<Signer, 'link' | 'cookies'>,
  field: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = {},
): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await fetchLocally(`${signer.link}/files/${field}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: [...signer.cookies].map(([key, value]) => `${key}=${value}`).join('; '), ...headers },
    body: bytes,
  });
  return { status: response.status, body: await response.json() };
}

/** Sends a document whose recipient attaches a file to its field and signs. */
export async function signedWithUpload(
  app: TestService,
  company: Company,
  title: string,
  recipients: { name: string; email: string }[],
): Promise<{ uploaded: string; uploadField: string }> {
  const id = await createDraft(app, company.key, { title, recipients });
  await attachPdf(app, company, id);
  const [field] = await placeOn(app, company, id, [{ recipient: 1, type: 'upload', label: 'Permit' }]);
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const signer = await openLinkOf(app, company, id, recipients[0]?.name ?? '');
  const { body } = await uploadTo(signer, field?.id ?? '', `${title}.pdf`, `%PDF-1.4 ${title}`);
  const fields = { [field?.id ?? '']: body.file.id };
  expect((await signer.post('sign', { ...signature, fields })).status).toBe(200);
  return { uploaded: id, uploadField: field?.id ?? '' };
}
