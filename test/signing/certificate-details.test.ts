import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSigningSettings, type SigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { firstBreak } from '../../src/documents/audit.ts';
import { openDetail, saltedHash } from '../../src/documents/hidden-details.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { openPdf } from '../../src/pdf/reading/open-pdf.ts';
import { inspect } from '../../src/sealing/testing/tools.ts';
import { createPublicLink, visitLink } from '../support/public-link.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';
import { auditOf, openLinkOf, phone, type Signer, signature, withCode, wrong } from './signer.ts';

/** What the sealed PDF, which every recipient gets, shows of contact details, IP addresses and devices. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const set = (changes: Partial<SigningSettings>) =>
  app.db.transaction(async (tx) => {
    const settings = await readSigningSettings(tx, company.id);
    await setSigningSettings(
      app.world,
      tx,
      company.id,
      { ...settings, masks_contacts: false, shows_devices: false, ...changes },
      null,
    );
  });

const device = 'Test/2.0 <b> (X11; "Linux")';

let people = 0;
/** Sends a document to someone who needs a code. */
async function sent(): Promise<{ id: string; email: string; signer: Signer }> {
  const email = `ada.lovelace.${++people}@example.com`;
  const id = await createSent(app, company.key, { recipients: [{ ...withCode, email }] });
  return { id, email, signer: await openLinkOf(app, company, id, withCode.name) };
}

/** Enters a wrong code, the right one, and signs, each from `device`. */
async function sign(signer: Signer): Promise<void> {
  const headers = { 'user-agent': device };
  const code = await signer.sendCode();
  await signer.post('verify', { code: wrong(code) }, headers);
  expect((await signer.post('verify', { code }, headers)).status).toBe(200);
  expect((await signer.post('sign', signature, headers)).status).toBe(200);
}

async function sealed(id: string) {
  const pdf = await sealedPdf(app, id);
  // The service has the address of the visitor in this test.
  const text = inspect(pdf, 'pdftotext', ['-raw'], ['-']).replace(/\s+/g, ' ').replace(new URL(app.baseUrl).host, '');
  const audit = String((await openPdf(pdf)).attachment('audit.json'));
  return { pdf, text, audit };
}

/** Checks a sealed PDF with the tools that a stranger has. */
function expectGenuine(pdf: Buffer): void {
  expect(inspect(pdf, 'pdfsig')).toContain('Signature Validation: Signature is Valid.');
  const certificates = join(app.dataDir, 'certificates');
  const script = join(import.meta.dirname, '../../docs/verify/check_sealed_pdf.py');
  const certificate = join(certificates, readdirSync(certificates)[0] ?? '');
  expect(inspect(pdf, 'python3', [script], [certificate])).toMatch(/\ngenuine\n$/);
}

const saltOf = async (id: string) => {
  const [row] = await app.db.query<{ contact_salt: Buffer | null }>({
    name: '',
    text: 'select contact_salt from recipients where document_id = $1',
    values: [id],
  });
  return row?.contact_salt ?? null;
};

test('a code is on the certificate also when the clock of another process is behind', async () => {
  const { id, signer } = await sent();
  const code = await signer.sendCode();
  app.clock.advance({ seconds: 5 });
  expect((await signer.post('verify', { code })).status).toBe(200);
  app.clock.advance({ seconds: -5 });
  expect((await signer.post('sign', signature)).status).toBe(200);
  expect((await sealed(id)).text).toContain('SMS code to …42, verified');
});

test('unless the company chooses, addresses are printed in full, and IP addresses and devices are only hashes', async () => {
  const { id, email, signer } = await sent();
  await sign(signer);
  const { pdf, text, audit } = await sealed(id);
  expectGenuine(pdf);
  expect(text).toContain(email);
  expect(text).toContain(phone);
  expect(text).toContain('IP addresses and devices are not shown.');
  expect(text).not.toContain('Salted SHA-256');
  for (const shown of [text, audit]) {
    expect(shown).not.toContain('127.0.0.1');
    expect(shown).not.toContain('Test/');
  }
  expect(await saltOf(id)).toBeNull();

  const trail = await auditOf(app, company, id);
  expect(firstBreak(id, trail)).toBeNull();
  const hidden = trail.filter(({ openings }) => openings);
  expect(hidden.map(({ action }) => action)).toEqual([
    'code_sent',
    'verification_failed',
    'verified',
    'viewed',
    'consented',
    'signed',
  ]);
  const salts = hidden.flatMap(({ openings }) => Object.values(openings ?? {}).map(({ salt }) => salt));
  expect(new Set(salts).size).toBe(12);
  const signed = hidden.at(-1);
  if (!signed?.openings) throw new Error('nothing is hidden');
  expect(signed.detail).toMatchObject({
    ip: { sha256: saltedHash(signed.openings.ip as never) },
    user_agent: { sha256: saltedHash(signed.openings.user_agent as never) },
  });
  expect(openDetail(signed)).toMatchObject({ ip: '127.0.0.1', user_agent: device });
  expect(JSON.parse(audit).find(({ action }: { action: string }) => action === 'signed').detail).toEqual(signed.detail);
});

test('a company can show IP addresses and devices to all recipients', async () => {
  await set({ shows_devices: true });
  const { id, signer } = await sent();
  await sign(signer);
  const { pdf, text, audit } = await sealed(id);
  expectGenuine(pdf);
  expect(text).toContain('IP address 127.0.0.1');
  expect(text).toContain('Test/2.0');
  expect(text).not.toContain('are not shown');
  expect(audit).toContain('"ip":"127.0.0.1"');
  expect((await auditOf(app, company, id)).filter(({ openings }) => openings)).toEqual([]);
});

test('a company can mask addresses, with a hash that opens with its salt', async () => {
  await set({ masks_contacts: true });
  const { id, email, signer } = await sent();
  await sign(signer);
  const { pdf, text } = await sealed(id);
  expectGenuine(pdf);
  expect(text).toContain('a•••@example.com');
  expect(text).toContain('•••42');
  expect(text).not.toContain(email);
  expect(text).not.toContain(phone);
  const hashes = [...text.matchAll(/Salted SHA-256 of the whole: ([0-9a-f]{64})/g)].map(([, hash]) => hash);
  expect(new Set(hashes).size).toBe(2);
  expect(await saltOf(id)).toHaveLength(32);
});

test('a change of the settings does not change a document that was sent', async () => {
  await set({ masks_contacts: true });
  const { id, email, signer } = await sent();
  await set({ shows_devices: true });
  await sign(signer);
  const { text, audit } = await sealed(id);
  expect(text).not.toContain(email);
  expect(text + audit).not.toContain('127.0.0.1');
});

test('a document that was sent before there was a choice looks as it would have then', async () => {
  await set({});
  const { id, email, signer } = await sent();
  await app.db.query({
    name: '',
    text: 'update documents set masks_contacts = null, shows_devices = null where id = $1',
    values: [id],
  });
  await sign(signer);
  const { pdf, text } = await sealed(id);
  expectGenuine(pdf);
  expect(text).toContain('a•••@example.com');
  expect(text).not.toContain(email);
  expect(text).not.toContain('Salted SHA-256');
  expect(text).toContain('IP address 127.0.0.1');
});

test('what a visitor of a public link did before the document was sent is hidden too', async () => {
  await set({});
  const visitor = visitLink(app, await createPublicLink(app, company));
  await visitor.post('verify', { code: await visitor.askCode('Ada', 'visitor@example.com') });
  const [row] = await app.db.query<{ id: string }>({
    name: '',
    text: 'select document_id as id from public_link_documents order by document_id desc limit 1',
    values: [],
  });
  const trail = await auditOf(app, company, row?.id ?? '');
  const verified = trail.find(({ action }) => action === 'verified');
  expect(verified?.detail.ip).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(firstBreak(row?.id ?? '', trail)).toBeNull();
});

test('erasing a person removes the salts and what was hidden, and the trail can still be checked', async () => {
  await set({ masks_contacts: true });
  const { id, email, signer } = await sent();
  await sign(signer);
  const { pdf } = await sealed(id);
  const found = await findRecipients(app.db, { channel: 'email', address: email }, company.id);
  expect(await eraseRecipients(app.world, app.db, found, 'keep')).toMatchObject({ recipients: 1 });
  const trail = await auditOf(app, company, id);
  expect(firstBreak(id, trail)).toBeNull();
  expect(trail.filter(({ openings }) => openings)).toEqual([]);
  expect(await saltOf(id)).toBeNull();
  expect(JSON.stringify(trail)).not.toContain('127.0.0.1');
  expectGenuine(pdf);
});

test('the database refuses to change or remove what opens a hash, except to erase it', async () => {
  await set({});
  const { id, signer } = await sent();
  await sign(signer);
  const remove = app.db.query({
    name: '',
    text: 'update audit_entries set openings = null where document_id = $1',
    values: [id],
  });
  await expect(remove).rejects.toThrow('append-only');
});
