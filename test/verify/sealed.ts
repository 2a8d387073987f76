import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDocument } from '../../src/documents/queries.ts';
import { remindDocument } from '../../src/documents/remind-document.ts';
import { startQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { openLinkOf, signature } from '../signing/signer.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { type Company, call, createDraft, createSent, eventually, type TestService } from '../support/service.ts';
import { signAs } from '../support/sign.ts';

export interface Sealed {
  id: string;
  pdf: Buffer;
}

const content = { message: 'Please sign.', sign_order_mode: 'sequential' };
const recipientsAt = (host: string) => [
  { name: 'Ada Lovelace', email: `ada@${host}` },
  { name: 'Bo Approver', email: `bo@${host}`, role: 'approver' },
  { name: 'Carl Copy', email: `carl@${host}`, role: 'cc' },
];

/**
 * Creates a document that Ada signed, Bo approved and Carl got a copy of. Returns it with its sealed PDF. `host` is their
 * mail host: each document of one service needs its own.
 */
export async function sealedDocument(
  app: TestService,
  company: Company,
  host = 'example.com',
  title = 'Roof repair — phase 2',
): Promise<Sealed> {
  const parties = recipientsAt(host);
  const id = await createSent(app, company.key, { title, recipients: parties, content });
  for (const { name, email } of parties.slice(0, 2)) {
    await eventually(
      () =>
        signAs(app, email, name).then(
          () => true,
          () => false,
        ),
      (signed) => signed,
    );
  }
  expectCompleted((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body.status);
  return { id, pdf: await sealedPdf(app, id) };
}

/** Sends a document with a test key, lets Ada sign, and returns it with its sealed PDF. Carl is to get a copy. */
export async function sealedInTestMode(app: TestService, company: Company): Promise<Sealed> {
  const [signer, , copy] = recipientsAt('example.com');
  const id = await createSent(app, company.testKey, { title: 'Try-out', recipients: [signer, copy] });
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  const signed = await ada.post('sign', signature);
  if (signed.status !== 200) throw new Error(`signing: ${signed.status}`);
  return { id, pdf: await sealedPdf(app, id) };
}

/** Attaches the file, lets Ada sign in a field, and returns the sealed PDF. */
export async function sealedFile(
  app: TestService,
  company: Company,
  file: Buffer,
  key = company.key,
): Promise<{ id: string; pdf: Buffer; sha256: string }> {
  const id = await createDraft(app, key);
  const sha256 = await attachPdf(app, company, id, file);
  const [field] = await placeOn(app, company, id, [{ recipient: 1, type: 'text', label: 'Door' }]);
  const { status } = await call(app, 'POST', `/documents/${id}/send`, { key });
  if (status !== 200) throw new Error(`sending: ${status}`);
  const ada = await openLinkOf(app, company, id, 'Ada Lovelace');
  const body = { full_name: 'Ada Lovelace', signature: { kind: 'typed' }, fields: { [field?.id ?? '']: 'Blue door' } };
  const signed = await ada.post('sign', body);
  if (signed.status !== 200) throw new Error(`signing: ${signed.status}`);
  return { id, pdf: await sealedPdf(app, id), sha256 };
}

/** Attaches the file, lets Ada and Bo fill it in and sign after a reminder, and returns the sealed PDF. */
export async function sealedForTwo(app: TestService, company: Company, file: Buffer): Promise<Buffer> {
  const recipients = ['Ada Lovelace', 'Bo Núñez'].map((name, i) => ({ name, email: `recipient${i}@example.com` }));
  const id = await createDraft(app, company.key, { title: 'Lease — Alder Street', recipients });
  await attachPdf(app, company, id, file);
  const fields = await placeOn(app, company, id, [
    { recipient: 1, type: 'text', label: 'Door' },
    { recipient: 2, type: 'text', label: 'Color' },
  ]);
  const { status } = await call(app, 'POST', `/documents/${id}/send`, { key: company.key });
  if (status !== 200) throw new Error(`sending: ${status}`);
  await remind(app, company, id);
  for (const [i, { name }] of recipients.entries()) {
    const recipient = await openLinkOf(app, company, id, name);
    const values = { [fields[i]?.id ?? '']: `“${name}” \\ ${i}` };
    const signed = await recipient.post('sign', { full_name: name, signature: { kind: 'typed' }, fields: values });
    if (signed.status !== 200) throw new Error(`signing: ${signed.text}`);
  }
  return sealedPdf(app, id);
}

async function remind(app: TestService, company: Company, id: string): Promise<void> {
  const queue = await startQueue(app.databaseUrl, createLog('silent'), false);
  try {
    await app.db.transaction(async (tx) => {
      const document = await lockDocument(tx, company.id, id, 'all');
      if (document === null) throw new Error(`there is no document ${id}`);
      await remindDocument(app.world, tx, queue, document, 'operator');
    });
  } finally {
    await queue.stop();
  }
}

/** Waits for the sealed PDF of a document. */
export async function sealedPdf(app: TestService, id: string): Promise<Buffer> {
  const [row] = await eventually(
    () =>
      app.db.query<{ file: string | null }>({
        name: '',
        text: 'select sealed_file as file from documents where id = $1',
        values: [id],
      }),
    (rows) => typeof rows[0]?.file === 'string',
  );
  return readFileSync(join(app.dataDir, 'files', row?.file as string));
}

function expectCompleted(status: string): void {
  if (status !== 'completed') throw new Error(`the document is ${status}`);
}

export interface Verified {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be
  body: any;
  /** Returns the findings, without the good ones. */
  against: string[];
}

/** Uploads a file like the page's form. A large file is passed as a blob on disk, so that it isn't copied in memory. */
export async function postPdf(
  app: Pick<TestService, 'baseUrl'>,
  pdf: Uint8Array | Blob,
  headers: Record<string, string> = {},
): Promise<Verified> {
  const form = new FormData();
  const blob = pdf instanceof Blob ? pdf : new Blob([new Uint8Array(pdf)], { type: 'application/pdf' });
  form.set('file', blob, 'agreement.pdf');
  const response = await fetch(`${new URL(app.baseUrl).origin}/verify`, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: form,
  });
  const text = await response.text();
  const body = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  const findings: Array<{ id: string; ok: boolean | null }> = body.findings ?? [];
  return {
    status: response.status,
    headers: response.headers,
    body,
    against: findings.filter(({ ok }) => ok === false).map(({ id }) => id),
  };
}
