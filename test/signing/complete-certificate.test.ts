import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSigningSettings, type SigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { openPdf } from '../../src/pdf/reading/open-pdf.ts';
import { inspect } from '../../src/sealing/testing/tools.ts';
import { addMember, signedIn, type Visitor } from '../console/visitor.ts';
import { attachPdf, placeOn } from '../support/attach.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { openLinkOf, phone, signature, withCode } from './signer.ts';

/** The complete certificate, which only members who may see the document can download. */
let app: TestService;
let company: Company;
let member: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member'));
});
afterAll(() => app.stop());
beforeEach(() => set({ masks_contacts: true, shows_devices: false }));

const set = (changes: Partial<SigningSettings>) =>
  app.db.transaction(async (tx) => {
    const settings = await readSigningSettings(tx, company.id);
    await setSigningSettings(app.world, tx, company.id, { ...settings, ...changes }, null);
  });

const device = 'Test/2.0 <b> (X11; "Linux")';

let people = 0;
/** Has a document signed by someone who needs a code, and sealed. */
async function sealed(withFile = false, language = 'en'): Promise<{ id: string; email: string; pdf: Buffer }> {
  const email = `ada.lovelace.${++people}@example.com`;
  const id = await createDraft(app, company.key, {
    recipients: [{ ...withCode, email }],
    primary_language: language,
  });
  if (withFile) {
    await attachPdf(app, company, id);
    await placeOn(app, company, id, [{ recipient: 1, type: 'signature', required: false }]);
  }
  expect((await call(app, 'POST', `/documents/${id}/send`, { key: company.key })).status).toBe(200);
  const signer = await openLinkOf(app, company, id, withCode.name);
  const headers = { 'user-agent': device };
  expect((await signer.post('verify', { code: await signer.sendCode() }, headers)).status).toBe(200);
  expect((await signer.post('sign', withFile ? { ...signature, fields: {} } : signature, headers)).status).toBe(200);
  return { id, email, pdf: await sealedPdf(app, id) };
}

const textOf = (pdf: Uint8Array) =>
  inspect(pdf, 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ').replaceAll(new URL(app.baseUrl).host, '');

async function download(id: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetchLocally(`${new URL(app.baseUrl).origin}/console/api/documents/${id}/certificate`, {
    method: 'GET',
    body: null,
    headers: { cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

interface OpeningJson {
  recipient_id?: string;
  entry?: number;
  detail: string;
  value: string;
  salt: string;
  sha256: string;
}

async function openingsIn(pdf: Uint8Array): Promise<OpeningJson[]> {
  return JSON.parse(String((await openPdf(Buffer.from(pdf))).attachment('openings.json')));
}

test.each([
  ['en', 'Complete certificate', 'IP address 127.0.0.1', false],
  ['es', 'Certificado completo', 'Dirección IP 127.0.0.1', true],
] as const)(
  'a member downloads it, and it opens every hash in the sealed PDF: %s',
  async (language, title, ip, withFile) => {
    const { id, email, pdf } = await sealed(withFile, language);
    const answer = await download(id);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(inspect(answer.bytes, 'qpdf', ['--check'])).toContain('No syntax or stream encoding errors');
    const text = textOf(answer.bytes);
    for (const said of [title, email, phone, ip, device]) expect(text).toContain(said);

    const recipients = textOf(pdf);
    for (const hidden of [email, phone, '127.0.0.1', 'Test/2.0']) expect(recipients).not.toContain(hidden);
    const trail = JSON.parse(String((await openPdf(pdf)).attachment('audit.json'))) as Array<{
      detail: Record<string, unknown>;
    }>;
    const openings = await openingsIn(answer.bytes);
    for (const { recipient_id, entry, detail, value, salt, sha256 } of openings) {
      // As docs/verify.md says.
      const hash = createHash('sha256').update(Buffer.from(salt, 'hex')).update(value, 'utf8').digest('hex');
      expect(hash).toBe(sha256);
      if (entry === undefined) expect(recipients).toContain(hash);
      else expect(trail[entry - 1]?.detail[detail]).toEqual({ sha256: hash });
      expect([undefined, expect.any(String)]).toContainEqual(recipient_id);
      expect({ email, phone, ip: '127.0.0.1', user_agent: expect.stringMatching(/^Test\//) }).toHaveProperty(detail);
    }
    const committed = trail.flatMap(({ detail }) => [detail.ip, detail.user_agent]).filter(Boolean);
    expect(openings).toHaveLength(2 + committed.length);
    expect(openings.slice(0, 2).map(({ detail, value }) => [detail, value])).toEqual([
      ['email', email],
      ['phone', phone],
    ]);
  },
);

test('it has nothing to open when the sealed PDF shows everything', async () => {
  await set({ masks_contacts: false, shows_devices: true });
  const { id, email } = await sealed();
  const { bytes } = await download(id);
  expect(await openingsIn(bytes)).toEqual([]);
  expect(textOf(bytes)).toContain(email);
});

test('there is none before the document is sealed, for another company, or for a recipient', async () => {
  const id = await createSent(app, company.key, { recipients: [withCode] });
  expect((await member.get(`/documents/${id}/certificate`)).status).toBe(404);
  expect((await member.get(`/documents/${id}`)).body.actions).not.toContain('certificate');
  const { id: done } = await sealed();
  expect((await member.get(`/documents/${done}`)).body.actions).toContain('certificate');
  const other = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect((await other.get(`/documents/${done}/certificate`)).status).toBe(404);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  expect((await owner.post('/restricted-papers', { document_id: done, kind: 'pay' })).status).toBe(200);
  expect((await member.get(`/documents/${done}/certificate`)).status).toBe(404);
});

test('there is none any more once a person was erased in the document', async () => {
  const { id, email } = await sealed();
  const found = await findRecipients(app.db, { channel: 'email', address: email }, company.id);
  await eraseRecipients(app.world, app.db, found, 'keep');
  const { status, body } = await member.get(`/documents/${id}/certificate`);
  expect([status, body.error.code]).toEqual([409, 'no_complete_certificate']);
});
