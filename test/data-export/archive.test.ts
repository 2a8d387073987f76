import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileKey } from '../../src/documents/stored-files.ts';
import { nextObject } from '../../src/unlock/convert/testing/draw-pages.ts';
import { unlockedDraft } from '../console/sample-text.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { createTenant, type Tenant } from '../security/tenant.ts';
import { attachPdf } from '../support/attach.ts';
import { createDataExport, downloadArchive, withUnpacked } from '../support/data-export.ts';
import { createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';

/** What is in an archive, of companies with one of everything and with nothing. */
let app: TestService;
let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  app = await startTestService();
  [own, other] = await Promise.all([createTenant(app, 'aardvark'), createTenant(app, 'zebra')]);
});
afterAll(() => app.stop());

const run = promisify(execFile);
const verifyDocs = new URL('../../docs/verify/', import.meta.url).pathname;

function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.db.query<Row>({ name: '', text, values });
}

/** Exports a company and unpacks the archive. */
async function exported<Result>(owner: Visitor, use: (directory: string) => Promise<Result>): Promise<Result> {
  const id = await createDataExport(owner);
  expect((await owner.post(`/data-exports/${id}/open`)).status).toBe(200);
  const { bytes } = await downloadArchive(app, owner, id);
  const result = await withUnpacked(bytes, use);
  await owner.call('DELETE', `/data-exports/${id}`);
  return result;
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted();
}

type Line = Record<string, unknown> & { id: string };
const linesOf = async (path: string): Promise<Line[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Manifest {
  counts: Record<string, number>;
  files: Array<{ path: string; bytes: number; sha256: string }>;
  missing_files: Array<{ path: string; document_id: string; problem: string }>;
}

/** Compares the manifest with the files, and reads every line of JSON. */
async function checkedManifest(directory: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const listed = manifest.files.map(({ path }) => path);
  expect((await filesIn(directory)).filter((path) => path !== 'manifest.json')).toEqual(listed.toSorted());
  for (const { path, bytes, sha256 } of manifest.files) {
    const content = await readFile(join(directory, path));
    expect([content.length, sha256Of(content)], path).toEqual([bytes, sha256]);
    const rows = manifest.counts[path.replace(/\.\w+$/, '').replaceAll('-', '_')];
    if (path.endsWith('.jsonl')) expect((await linesOf(join(directory, path))).length, path).toBe(rows);
    if (path.endsWith('.json')) JSON.parse(content.toString());
  }
  return manifest;
}

test('a company with one of everything: each row and file, nothing of another company, and no secret', async () => {
  await exported(own.owner, async (directory) => {
    const manifest = await checkedManifest(directory);
    expect(manifest.missing_files).toEqual([]);
    const tables = {
      documents: 'documents',
      audit_trails: 'audit_entries',
      events: 'events',
      webhooks: 'webhook_endpoints',
      webhook_deliveries: 'webhook_deliveries',
      api_keys: 'api_keys',
      imports: 'imports',
      import_items: 'import_items',
      imported_files: 'imported_files',
      bulk_sends: 'bulk_sends',
      bulk_send_rows: 'bulk_send_rows',
      public_links: 'public_links',
      public_link_documents: 'public_link_documents',
      credits: 'credit_entries',
    };
    for (const [file, table] of Object.entries(tables)) {
      const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table} where account_id = $1`, [
        own.company.id,
      ]);
      expect(manifest.counts[file], file).toBe(row?.n);
      if (!['credits', 'webhook_deliveries'].includes(file)) expect(row?.n, file).toBeGreaterThan(0);
    }
    const [messages] = await sql<{ n: number }>(
      `select (select count(*) from messages where account_id = $1)::int + (select count(*) from notices where account_id = $1)::int
         + (select count(*) from direct_messages where account_id = $1)::int as n`,
      [own.company.id],
    );
    expect(manifest.counts.messages).toBe(messages?.n);

    const documents = await linesOf(join(directory, 'documents.jsonl'));
    const sealed = documents.find(({ id }) => id === own.ids.sealed) as unknown as {
      sealed_file: { sha256: string };
      recipients: Array<{ signed_at: string; fields: unknown[] }>;
    };
    const pdf = await readFile(join(directory, 'files', own.ids.sealed, 'sealed.pdf'));
    expect(sha256Of(pdf)).toBe(sealed.sealed_file.sha256);
    expect(sealed.recipients[0]?.signed_at).toMatch(/Z$/);
    const paths = manifest.files.map(({ path }) => path);
    for (const path of [
      `${own.ids.prepared}/original.pdf`,
      `${own.ids.unlocked}/unlocked.json`,
      `${own.ids.restricted}/original.pdf`,
    ])
      expect(paths).toContain(`files/${path}`);
    expect(documents.find(({ id }) => id === own.ids.restricted)).toMatchObject({ restricted_kind: 'pay' });
    expect(documents.find(({ id }) => id === own.ids.template)).toMatchObject({ is_template: true });
    const table = await readFile(join(directory, 'documents.csv'), 'utf8');
    expect(table).toContain(`files/${own.ids.sealed}/sealed.pdf`);
    expect(table.split('\r\n').length - 2).toBe(documents.length);
    expect(await readFile(join(directory, 'contacts.csv'), 'utf8')).toContain('ada@aardvark.example');
    expect(await readFile(join(directory, 'members.csv'), 'utf8')).toContain('"owner"');

    await expectNoSecrets(directory);
    for (const path of paths.filter((name) => !name.endsWith('.pdf'))) {
      const text = (await readFile(join(directory, path))).toString();
      expect(text.includes(other.word) || text.includes(other.company.id), path).toBe(false);
    }
  });
});

/** Searches every text for the secrets in the database, as text and as bytes. */
async function expectNoSecrets(directory: string): Promise<void> {
  const secrets = await sql<{ secret: string }>(
    `select encode(hash, 'hex') as secret from api_keys union all select token from public_links
     union all select encode(secret, 'hex') from webhook_endpoints union all select encode(token_hash, 'hex') from signing_links
     union all select encode(token_hash, 'hex') from sessions union all select encode(code_hmac, 'hex') from verification_codes
     union all select encode(token_hash, 'hex') from public_link_visits
     union all select encode(email_hash, 'hex') from public_link_documents where email_hash is not null
     union all select password_hash from people where password_hash is not null`,
  );
  expect(secrets.length).toBeGreaterThan(10);
  const texts = (await filesIn(directory)).filter((path) => /\.(jsonl|json|csv|txt)$/.test(path));
  for (const path of texts) {
    const text = await readFile(join(directory, path), 'utf8');
    expect(
      secrets.filter(({ secret }) => text.includes(secret)),
      path,
    ).toEqual([]);
    expect(text, path).not.toContain(own.company.key);
  }
}

test('audit trails can be recomputed with the published script, which notices a changed entry', async () => {
  await exported(own.owner, async (directory) => {
    const check = () => run('python3', ['-B', join(verifyDocs, 'check_audit_trails.py'), directory]);
    const entries = await linesOf(join(directory, 'audit-trails.jsonl'));
    expect((await check()).stdout).toContain(`intact: ${entries.length} entries`);
    const path = join(directory, 'audit-trails.jsonl');
    const text = await readFile(path, 'utf8');
    writeFileSync(path, text.replace('"action":"sent"', '"action":"viewed"'));
    await expect(check()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('does not fit') });
    writeFileSync(path, text.slice(0, text.slice(0, -1).lastIndexOf('\n') + 1));
    await expect(check()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('lost its end') });
  });
});

test('the sealed PDF of an archive is genuine', async () => {
  await exported(own.owner, async (directory) => {
    const pdf = join(directory, 'files', own.ids.sealed, 'sealed.pdf');
    const [certificate = ''] = await readdir(join(app.dataDir, 'certificates'));
    const pem = join(app.dataDir, 'certificates', certificate);
    const { stdout } = await run('python3', ['-B', join(verifyDocs, 'check_sealed_pdf.py'), pdf, pem]);
    expect(stdout).toContain('genuine');
  });
});

test('a company with nothing', async () => {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  await exported(owner, async (directory) => {
    const { counts, missing_files } = await checkedManifest(directory);
    expect([counts.documents, counts.stored_files, missing_files]).toEqual([0, 0, []]);
    expect(await readFile(join(directory, 'README.txt'), 'utf8')).toContain('DATA EXPORT');
    const settings = JSON.parse(await readFile(join(directory, 'settings.json'), 'utf8'));
    expect(settings.company.id).toBe(company.id);
  });
});

test('hostile titles and file names name no file, and no spreadsheet runs them', async () => {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const titles = ['../../etc/passwd', '=cmd|calc', 'a/b\\c:*?"<>|', '\u202Egpj.exe', 'CON', '🧾'.repeat(50)];
  for (const title of titles) await attachPdf(app, company, await createDraft(app, company.key, { title }));
  await sql(`update document_files set name = '../../../root/.ssh/authorized_keys' where account_id = $1`, [
    company.id,
  ]);
  await exported(owner, async (directory) => {
    const { files } = await checkedManifest(directory);
    expect(files.filter(({ path }) => path.startsWith('files/')).length).toBe(titles.length);
    for (const { path } of files) expect(path).toMatch(/^(?:[a-z0-9-]+\/)*[A-Za-z0-9-]+\.\w+$/);
    const documents = await linesOf(join(directory, 'documents.jsonl'));
    expect(documents.map((document) => String(document.title)).toSorted()).toEqual(titles.toSorted());
    expect(await readFile(join(directory, 'documents.csv'), 'utf8')).toContain(`"'=cmd|calc"`);
  });
});

test('line separators in a title and in a form field lose no file', async () => {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const value = Buffer.from('\ufeffFirst\u2028second', 'utf16le').swap16().toString('hex');
  const field = `<< /Type /Annot /Subtype /Widget /FT /Tx /T (notes) /Rect [72 600 300 620] /F 4 /V <${value}> >>`;
  const form = { catalog: `/AcroForm << /Fields [${nextObject} 0 R] >>`, objects: [field] };
  const page = { texts: [{ x: 72, y: 90, text: 'Notes' }], entries: `/Annots [${nextObject} 0 R]` };
  const id = await unlockedDraft(app, company, [page], 'Lease', form);
  await sql('update documents set title = $2 where id = $1', [id, 'Lease\u2028of a house']);
  await exported(owner, async (directory) => {
    expect((await checkedManifest(directory)).missing_files).toEqual([]);
    const text = JSON.parse(await readFile(join(directory, 'files', id, 'unlocked.json'), 'utf8'));
    expect(text.title).toBe('Lease\u2028of a house');
    expect(text.pages[0].blocks[1]).toMatchObject({ type: 'field', value: 'First second' });
  });
});

test('a lost and a damaged file are named, and the rest is there', async () => {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  const withFile = async (title: string, pages: number) => {
    const id = await createDraft(app, company.key, { title });
    const sha256 = await attachPdf(app, company, id, { pages: Array.from({ length: pages }, () => ({})) } as never);
    return { id, path: join(app.dataDir, 'files', fileKey(sha256)) };
  };
  const lost = await withFile('lost', 2);
  const changed = await withFile('changed', 3);
  const kept = await withFile('kept', 4);
  rmSync(lost.path);
  writeFileSync(changed.path, 'something else');
  await exported(owner, async (directory) => {
    const { counts, missing_files } = await checkedManifest(directory);
    expect(missing_files).toEqual([
      { path: `files/${lost.id}/original.pdf`, document_id: lost.id, problem: 'missing' },
      { path: `files/${changed.id}/original.pdf`, document_id: changed.id, problem: 'damaged' },
    ]);
    expect([counts.stored_files, counts.missing_files]).toEqual([1, 2]);
    expect(await filesIn(join(directory, 'files'))).toEqual([`${kept.id}/original.pdf`]);
  });
  const [listed] = (await owner.get('/data-exports')).body.data;
  expect(listed).toBeUndefined();
});

test('members and admins may not have it, and other owners do not find it', async () => {
  const id = await createDataExport(own.owner);
  await own.owner.post(`/data-exports/${id}/open`);
  const admin = await signedIn(app, await addMember(app, own.company.id, 'admin'));
  for (const visitor of [own.member, admin]) {
    expect(refusal(await visitor.get('/data-exports'))).toEqual([403, 'forbidden']);
    expect(refusal(await visitor.post('/data-exports'))).toEqual([403, 'forbidden']);
    expect(refusal(await visitor.post(`/data-exports/${id}/open`))).toEqual([403, 'forbidden']);
    expect(refusal(await visitor.get(`/data-exports/${id}/archive`))).toEqual([403, 'forbidden']);
    expect(refusal(await visitor.call('DELETE', `/data-exports/${id}`))).toEqual([403, 'forbidden']);
  }
  expect(refusal(await other.owner.get(`/data-exports/${id}/archive`))).toEqual([404, 'not_found']);
  expect(refusal(await other.owner.post(`/data-exports/${id}/open`))).toEqual([404, 'not_found']);
  expect(refusal(await other.owner.call('DELETE', `/data-exports/${id}`))).toEqual([404, 'not_found']);
  expect((await own.owner.call('DELETE', `/data-exports/${id}`)).status).toBe(200);
});
