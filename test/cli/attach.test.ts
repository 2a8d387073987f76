import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { expect, test } from 'vitest';
import { makePdf, type PdfPlan } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { type Papers, papers } from './documents.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

interface Shown {
  file: Record<string, unknown> | null;
  fields: Array<Record<string, unknown>>;
  updated_at: string;
}

interface Entry {
  actor: string;
  action: string;
  detail: Record<string, unknown>;
}

async function pdfIn(at: Papers, plan: PdfPlan | Uint8Array = {}, name = 'lease.pdf'): Promise<string> {
  const path = join(at.cwd, name);
  await writeFile(path, plan instanceof Uint8Array ? plan : makePdf(plan));
  return path;
}

const storedFiles = (at: Papers) =>
  at.sql<{ sha256: string; reference_count: number }>(
    `select encode(sha256, 'hex') as sha256, reference_count from stored_files order by created_at`,
  );

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function bytesOf(at: Papers, sha256: string): Promise<Buffer> {
  return readFile(join(at.dataDir, 'files', 'sha256', sha256.slice(0, 2), sha256.slice(2)));
}

test('a PDF is attached: stored under its hash, shown, audited, and the original stays where it is', async () => {
  const at = await papers();
  const id = await at.draft();
  const path = await pdfIn(at, { pages: [{}, { entries: '/Rotate 90' }] }, 'Lease – final.pdf');
  const bytes = await readFile(path);
  const shown = await at.json<Shown>('document', 'attach', id, path);
  const file = {
    name: 'Lease – final.pdf',
    sha256: sha256Of(bytes),
    bytes: bytes.length,
    page_count: 2,
    is_signed: false,
    attached_at: expect.any(String),
  };
  expect(shown).toMatchObject({ file, fields: [] });
  expect(await at.json('document', 'show', id)).toEqual(shown);
  expect((await bytesOf(at, sha256Of(bytes))).equals(bytes)).toBe(true);
  expect((await readFile(path)).equals(bytes)).toBe(true);
  const trail = await at.json<Entry[]>('document', 'audit', id);
  expect(trail.at(-1)).toMatchObject({
    actor: 'operator',
    action: 'attached',
    detail: { name: 'Lease – final.pdf', sha256: sha256Of(bytes), bytes: bytes.length, pages: 2 },
  });
});

test('another PDF takes the place of the first: fields that don’t fit go with a remark, its file loses its reference', async () => {
  const at = await papers();
  const id = await at.draft();
  await at.json('document', 'attach', id, await pdfIn(at, { pages: [{}, {}] }), '--name', 'First');
  const field = { recipient: 1, type: 'signature', x: 100, y: 100, width: 200, height: 50 };
  const fields = [2, 1].map((page) => ({ ...field, page }));
  await writeFile(join(at.cwd, 'fields.json'), JSON.stringify(fields));
  await at.json('document', 'fields', id, '--file', 'fields.json');

  const { code, stdout, stderr } = await at.run('document', 'attach', id, await pdfIn(at), '--json');
  expect([code, stderr]).toEqual([0, 'countersign: 1 fields were removed with the earlier file: place them again\n']);
  expect(JSON.parse(stdout.toString())).toMatchObject({
    file: { name: 'lease.pdf', page_count: 1 },
    fields: [{ type: 'signature', page: 1 }],
  });
  const trail = await at.json<Entry[]>('document', 'audit', id);
  expect(trail.at(-1)).toMatchObject({ action: 'attached', detail: { pages: 1, fields_removed: 1 } });
  expect((await storedFiles(at)).map(({ reference_count }) => reference_count)).toEqual([0, 1]);
});

test('two documents with the same PDF share one file', async () => {
  const at = await papers();
  const [one, two] = [await at.draft(), await at.draft()];
  await at.json('document', 'attach', one, await pdfIn(at));
  await at.json('document', 'attach', two, await pdfIn(at), '--name', 'The same');
  expect(await storedFiles(at)).toMatchObject([{ reference_count: 2 }]);
  // Attaching the same file again does not change the count.
  await at.json('document', 'attach', two, await pdfIn(at));
  expect(await storedFiles(at)).toMatchObject([{ reference_count: 2 }]);
});

test('a document that was sent keeps the file it was sent with', async () => {
  const at = await papers();
  const id = await at.sent();
  expect(await at.fails(1, 'document', 'attach', id, await pdfIn(at))).toContain('this one is sent');
  expect(await at.fails(1, 'document', 'attach', unknownId, await pdfIn(at))).toContain('there is no document');
  expect(await storedFiles(at)).toEqual([]);
});

test('a document in review takes a file too', async () => {
  const at = await papers();
  const id = await at.draft();
  await at.json('document', 'review', id);
  expect(await at.json('document', 'attach', id, await pdfIn(at))).toMatchObject({ status: 'in_review', file: {} });
});

test('what cannot be attached is refused in one line, and nothing of it is kept', async () => {
  const at = await papers();
  const id = await at.draft();
  const encrypted = await PDF.load(makePdf());
  encrypted.setProtection({ userPassword: 'secret', ownerPassword: 'more' });
  await mkdir(join(at.cwd, 'folder.pdf'));
  for (const [path, reason] of [
    [join(at.cwd, 'nowhere.pdf'), 'there is no file'],
    [join(at.cwd, 'folder.pdf'), 'is not a file'],
    [await pdfIn(at, Buffer.alloc(0), 'empty.pdf'), 'is empty'],
    [await pdfIn(at, Buffer.from('hello'), 'note.pdf'), 'is not a PDF'],
    [await pdfIn(at, Buffer.concat([Buffer.from('PK\x03\x04\x14\0 a.pdf'), makePdf()]), 'zip.pdf'), 'is not a PDF'],
    [await pdfIn(at, await encrypted.save(), 'secret.pdf'), 'wants a password'],
    [await pdfIn(at, makePdf({ catalog: '/AcroForm << /XFA [] >> /NeedsRendering true' }), 'xfa.pdf'), 'XFA'],
    [await pdfIn(at, Buffer.from('%PDF-1.7 and nothing else'), 'damaged.pdf'), 'is damaged'],
  ] as const) {
    expect(await at.fails(1, 'document', 'attach', id, path), path).toContain(reason);
  }
  expect(await at.fails(2, 'document', 'attach', id, await pdfIn(at), '--name', ' ')).toContain('--name');
  expect(await storedFiles(at)).toEqual([]);
  expect((await at.json<Shown>('document', 'show', id)).file).toBeNull();
});

test('150 MB are attached, a byte more is refused', async () => {
  const at = await papers();
  const id = await at.draft();
  const small = makePdf({ ballast: 1 });
  const largest = await pdfIn(at, makePdf({ ballast: 150 * 2 ** 20 - small.length - 7 }), 'large.pdf');
  await truncate(largest, 150 * 2 ** 20);
  const shown = await at.json<Shown>('document', 'attach', id, largest);
  expect(shown.file).toMatchObject({ bytes: 150 * 2 ** 20, page_count: 1 });
  await new Promise((resolve) => createWriteStream(largest, { flags: 'a' }).end(' ', () => resolve(null)));
  expect(await at.fails(1, 'document', 'attach', id, largest)).toContain('larger than 150 MB');
});

test('attached from many sides at once, a document has one file, and each other loses its reference', async () => {
  const at = await papers();
  const id = await at.draft();
  const paths = await Promise.all(
    [1, 2, 3, 4].map((count) => pdfIn(at, { pages: Array.from({ length: count }, () => ({})) }, `${count}.pdf`)),
  );
  await Promise.all(paths.map((path) => at.json('document', 'attach', id, path)));
  const stored = await storedFiles(at);
  const { file } = await at.json<Shown>('document', 'show', id);
  expect(stored.filter(({ reference_count }) => reference_count === 1).map(({ sha256 }) => sha256)).toEqual([
    file?.sha256,
  ]);
  expect(stored.filter(({ reference_count }) => reference_count === 0).length).toBe(3);
  const actions = (await at.json<Entry[]>('document', 'audit', id)).map(({ action }) => action);
  expect(actions).toEqual(['created', 'attached', 'attached', 'attached', 'attached']);
});

test('no copy of what was attached or refused is left among the temporary files', async () => {
  const temporary = join((await papers()).cwd, 'tmp');
  await mkdir(temporary);
  const at = await papers({ TMPDIR: temporary });
  const id = await at.draft();
  await at.json('document', 'attach', id, await pdfIn(at));
  await at.fails(1, 'document', 'attach', id, await pdfIn(at, Buffer.from('hello'), 'note.pdf'));
  expect(await readdir(temporary)).toEqual([]);
});
