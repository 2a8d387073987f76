import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readZip } from '../support/read-zip.ts';
import {
  type Company,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { sign } from './sample-company.ts';
import { addMember, refusal, signedIn, type Visitor } from './visitor.ts';

/** Signed PDFs of selected documents as one ZIP file. */
let app: TestService;
let company: Company;
let member: Visitor;
let owner: Visitor;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  member = await signedIn(app, await addMember(app, company.id, 'member'));
  owner = await signedIn(app, await addMember(app, company.id, 'owner'));
});
afterAll(() => app.stop());

/** Returns the id of a completed document, and the hash of its sealed PDF. */
async function createCompleted(title: string): Promise<{ id: string; sha256: string }> {
  const id = await createSent(app, company.key, { title });
  await sign(app, company, id, 'Ada Lovelace');
  const { body } = await eventually(
    () => member.get(`/documents/${id}/sealed`),
    ({ status }) => status === 200,
  );
  return { id, sha256: body.sha256 };
}

async function download(visitor: Visitor, ids: readonly string[], language = 'en'): Promise<Map<string, Buffer>> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${new URL(app.baseUrl).origin}/console/api/documents/zip?ids=${ids.join(',')}`, {
    headers: { cookie, 'accept-language': language },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(response.headers.get('content-disposition')).toMatch(/documents-.*\.zip|documentos-.*\.zip/);
  return readZip(Buffer.from(await response.arrayBuffer()));
}

const hashOf = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

test('has each sealed PDF byte for byte under a unique name, and a list of the documents without one', async () => {
  const first = await createCompleted('Lease: 1/2');
  const second = await createCompleted('lease: 1/2');
  const draft = await createDraft(app, company.key, { title: 'Still a draft' });
  const files = await download(member, [first.id, draft, second.id, first.id]);
  expect([...files.keys()]).toEqual(['Lease_ 1_2.pdf', 'lease_ 1_2 (2).pdf', 'Not included.txt']);
  expect(hashOf(files.get('Lease_ 1_2.pdf'))).toBe(first.sha256);
  expect(hashOf(files.get('lease_ 1_2 (2).pdf'))).toBe(second.sha256);
  expect(files.get('Not included.txt')?.toString()).toContain('Still a draft');
  expect([...(await download(member, [first.id, draft], 'es')).keys()]).toEqual(['Lease_ 1_2.pdf', 'No incluidos.txt']);
  expect(refusal(await member.get(`/documents/zip?ids=${draft}`))).toEqual([404, 'not_found']);
});

test('leaves out restricted documents for members, and those of other companies, without naming them', async () => {
  const open = await createCompleted('Open');
  const hidden = await createCompleted('Salary');
  await owner.post('/restricted-papers', { document_id: hidden.id, kind: 'pay' });
  expect([...(await download(member, [open.id, hidden.id])).keys()]).toEqual(['Open.pdf']);
  expect([...(await download(owner, [open.id, hidden.id])).keys()]).toEqual(['Open.pdf', 'Salary.pdf']);
  const stranger = await signedIn(app, await addMember(app, (await createCompany(app)).id, 'owner'));
  expect(refusal(await stranger.get(`/documents/zip?ids=${open.id},${hidden.id}`))).toEqual([404, 'not_found']);
});

test('is of 1 to 100 documents', async () => {
  const { id } = await createCompleted('One of many');
  const others = Array.from({ length: 100 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  expect([...(await download(member, [id, ...others.slice(1)])).keys()]).toEqual(['One of many.pdf']);
  for (const ids of [[id, ...others].join(','), 'nonsense', `${id},`, `${id}&ids=${id}`]) {
    expect(refusal(await member.get(`/documents/zip?ids=${ids}`))).toEqual([400, 'invalid_input']);
  }
  expect([400, 404]).toContain((await member.get('/documents/zip')).status);
});

test('is cut off when the file store has lost a file, so that nobody takes it for complete', async () => {
  const kept = await createCompleted('Kept');
  const lost = await createCompleted('Lost');
  const [row] = await app.db.query<{ sealed_file: string }>({
    name: '',
    text: 'select sealed_file from documents where id = $1',
    values: [lost.id],
  });
  rmSync(join(app.dataDir, 'files', row?.sealed_file ?? 'nothing'));
  await expect(download(member, [kept.id, lost.id])).rejects.toThrow();
  expect([...(await download(member, [kept.id])).keys()]).toEqual(['Kept.pdf']);
});
