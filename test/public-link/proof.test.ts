import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSigningSettings, setSigningSettings } from '../../src/accounts/signing-settings.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { eraseRecipients } from '../../src/erasure/erase-recipient.ts';
import { findRecipients } from '../../src/erasure/find-recipients.ts';
import { removeLink } from '../../src/public-link/manage-links.ts';
import { pdfText } from '../../src/sealing/testing/tools.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { createPublicLink, otherThan, visitLink } from '../support/public-link.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { sealedPdf } from '../verify/sealed.ts';

/** What stays of a visitor of a public link: the certificate, and what is erased. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

async function sign(link: string, name: string): Promise<void> {
  const body = JSON.stringify({ full_name: name, signature: { kind: 'typed' } });
  const answer = await fetchLocally(`${link}/sign`, { method: 'POST', headers: {}, body });
  expect(answer.status, await answer.text()).toBe(200);
}

async function documentOf(linkId: string): Promise<{ id: string; recipient: string }> {
  const [row] = await app.db.query<{ id: string; recipient: string }>({
    name: '',
    text: 'select document_id as id, recipient_id as recipient from public_link_documents where link_id = $1',
    values: [linkId],
  });
  if (row === undefined) throw new Error('the link made no document');
  return row;
}

const certificateOf = async (id: string) => pdfText(await sealedPdf(app, id)).replace(/\s+/g, ' ');

test.each([
  ['en', 'Opened a public link of the sender, and code sent to this e-mail address, verified', 'after 1 wrong code'],
  [
    'es',
    'Abrió un enlace público del remitente, y código enviado a este correo electrónico, verificado',
    'tras 1 código erróneo',
  ],
] as const)('the certificate says how the address was proven (%s)', async (language, sentence, after) => {
  const link = await createPublicLink(app, company, { language });
  const visitor = visitLink(app, link);
  const code = await visitor.askCode('Ada Lovelace', `${language}@example.com`);
  await visitor.post('verify', { code: otherThan(code) });
  await sign((await visitor.post('verify', { code })).to ?? '', 'Ada Lovelace');
  const text = await certificateOf((await documentOf(link.id)).id);
  expect(text).toContain(sentence);
  expect(text).toContain(after);
  expect(text).toContain(link.id);
});

test('the certificate does not say that someone who replaced the visitor proved the address', async () => {
  const link = await createPublicLink(app, company);
  const visitor = visitLink(app, link);
  await visitor.post('verify', { code: await visitor.askCode('Ada', 'replaced@example.com') });
  const { id, recipient } = await documentOf(link.id);
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  const person = { name: 'Grace Hopper', email: 'grace@example.com' };
  expect((await member.post(`/documents/${id}/recipients/${recipient}/reassign`, person)).status).toBe(200);
  const signing = await mintSigningLink(app.world, app.db, new URL(app.baseUrl).origin, { id: recipient, holder: 2 });
  await sign(signing, 'Grace Hopper');
  const text = await certificateOf(id);
  expect(text).not.toContain('code sent to this e-mail address');
  expect(text).toContain('Personal link sent by e-mail');
  const back = await visitor.post('verify', { code: await visitor.askCode('Ada', 'replaced@example.com') });
  expect([back.status, back.text.includes('Someone else has been asked to sign')]).toEqual([409, true]);
});

test('a visitor cannot name someone else, also where the company lets recipients do so', async () => {
  const settings = await readSigningSettings(app.db, company.id);
  await app.db.transaction((tx) =>
    setSigningSettings(app.world, tx, company.id, { ...settings, allows_delegation: true }, null),
  );
  const link = await createPublicLink(app, company);
  const visitor = visitLink(app, link);
  const signing = await visitor.post('verify', { code: await visitor.askCode('Ada', 'alone@example.com') });
  const page = await fetch(signing.to ?? '');
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain('/delegate');
  expect((await fetch(`${signing.to}/delegate`)).status).toBe(403);
  // A link is deleted when it was abused.
  await app.db.transaction((tx) => removeLink(app.world, tx, link, 'operator'));
  expect((await fetch(`${signing.to}/delegate`)).status).toBe(403);
});

test('the request goes out once, so that the visitor can come back', async () => {
  const link = await createPublicLink(app, company);
  const visitor = visitLink(app, link);
  await visitor.post('verify', { code: await visitor.askCode('Ada', 'back@example.com') });
  const { id } = await documentOf(link.id);
  const messages = await eventually(
    () =>
      app.db.query<{ status: string }>({
        name: '',
        text: 'select status from messages where document_id = $1',
        values: [id],
      }),
    (rows) => rows.every(({ status }) => status === 'accepted'),
  );
  expect(messages).toHaveLength(1);
});

test('erasing a person erases what the link remembers of the address, and erasing the company erases its links', async () => {
  const erased = await createCompany(app);
  const link = await createPublicLink(app, erased);
  const visitor = visitLink(app, link);
  await sign((await visitor.post('verify', { code: await visitor.askCode('Eve', 'eve@example.com') })).to ?? '', 'Eve');
  await sealedPdf(app, (await documentOf(link.id)).id);
  const hashes = () =>
    app.db.query<{ email_hash: Buffer | null }>({
      name: '',
      text: 'select email_hash from public_link_documents where link_id = $1',
      values: [link.id],
    });
  expect((await hashes())[0]?.email_hash).toHaveLength(32);
  const found = await findRecipients(app.db, { channel: 'email', address: 'eve@example.com' }, erased.id);
  await eraseRecipients(app.world, app.db, found, 'keep');
  expect(await hashes()).toEqual([{ email_hash: null }]);

  await visitLink(app, link).askCode('Mary', 'mary@example.com');
  await app.db.query({
    name: '',
    text: 'update accounts set removed_at = $2 where id = $1',
    values: [erased.id, app.clock.now()],
  });
  await requestErasure(app.world, app.db, erased.id);
  await eraseAccount({ world: app.world, db: app.db, accountId: erased.id, stopping: new AbortController().signal });
  for (const table of ['public_links', 'public_link_documents', 'public_link_visits']) {
    const rows = await app.db.query({
      name: '',
      text: `select from ${table} where account_id = $1`,
      values: [erased.id],
    });
    expect(rows, table).toEqual([]);
  }
});
