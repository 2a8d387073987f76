import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { createFileStore } from '../../src/platform/files.ts';
import { inspect } from '../../src/sealing/testing/tools.ts';
import { temporaryDirectory } from './countersign.ts';
import { type Papers, papers } from './documents.ts';

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 0xe9), Buffer.from('\n%%EOF\n')]);
const sha256 = createHash('sha256').update(pdf).digest('hex');
const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

/** Seals a document as the job does. */
async function sealed(at: Papers): Promise<string> {
  const id = await completed(at);
  await seal(at, id);
  return id;
}

async function seal(at: Papers, id: string): Promise<void> {
  const key = `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  await createFileStore(`file:${at.dataDir}/files`, noS3).put(key, pdf);
  await at.sql('update documents set sealed_at = completed_at, sealed_file = $2 where id = $1', id, key);
}

async function completed(at: Papers): Promise<string> {
  const id = await at.sent();
  await at.sql(`update documents set status = 'completed', completed_at = sent_at where id = $1`, id);
  return id;
}

test('the sealed PDF is saved whole, and nothing is left beside it', async () => {
  const at = await papers();
  const id = await sealed(at);
  const folder = temporaryDirectory();
  const out = join(folder, 'signed.pdf');
  expect(await at.json('document', 'download', id, '--out', out)).toEqual({ id, out, bytes: pdf.length, sha256 });
  expect(readFileSync(out)).toEqual(pdf);
  expect(readdirSync(folder)).toEqual(['signed.pdf']);
  expect((await at.run('document', 'download', id, '--out', 'relative.pdf')).code).toBe(0);
  expect(readFileSync(join(at.cwd, 'relative.pdf'))).toEqual(pdf);
});

test('a file that is there already is replaced only by force', async () => {
  const at = await papers();
  const id = await sealed(at);
  const folder = temporaryDirectory();
  const out = join(folder, 'signed.pdf');
  writeFileSync(out, 'precious');
  expect(await at.fails(1, 'document', 'download', id, '--out', out)).toMatch(/--force replaces it/);
  expect(readFileSync(out, 'utf8')).toBe('precious');
  await at.json('document', 'download', id, '--out', out, '--force');
  expect(readFileSync(out)).toEqual(pdf);

  symlinkSync('/nowhere', join(folder, 'dangling'));
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'dangling'))).toMatch(/there already/);
  symlinkSync(out, join(folder, 'link'));
  writeFileSync(out, 'precious');
  await at.json('document', 'download', id, '--out', join(folder, 'link'), '--force');
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(out)).toEqual(pdf);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'pipe'), '--force')).toMatch(
    /can be replaced/,
  );
  expect(await at.fails(1, 'document', 'download', id, '--out', '')).toMatch(/no name/);
  mkdirSync(join(folder, 'directory'));
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'directory'), '--force')).toMatch(
    /directory/,
  );
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'absent/signed.pdf'))).toMatch(
    /there is no directory .*absent/,
  );
  expect(readdirSync(folder).sort()).toEqual(['dangling', 'directory', 'link', 'pipe', 'signed.pdf']);
});

test('of several downloads to one name, one makes the file', async () => {
  const at = await papers();
  const id = await sealed(at);
  const out = join(temporaryDirectory(), 'signed.pdf');
  const ended = await Promise.all([1, 2, 3].map(() => at.run('document', 'download', id, '--out', out)));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  expect(readFileSync(out)).toEqual(pdf);
});

test('a dash sends the bytes to standard output', async () => {
  const at = await papers();
  const id = await sealed(at);
  const { code, stdout, stderr } = await at.run('document', 'download', id, '--out', '-');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.equals(pdf)).toBe(true);
  expect(await at.fails(2, 'document', 'download', id, '--out', '-', '--json')).toMatch(/both want standard output/);
});

test('the original file is saved at any status, and next to the sealed one with --original', async () => {
  const at = await papers();
  const folder = temporaryDirectory();
  const original = makePdf({ pages: [{ text: 'As it was imported' }] });
  writeFileSync(join(folder, 'imported.pdf'), original);
  const originalSha256 = createHash('sha256').update(original).digest('hex');
  const id = await at.draft();
  await at.json('document', 'attach', id, join(folder, 'imported.pdf'));

  for (const status of ['draft', 'in_review', 'sent', 'partially_signed', 'declined', 'expired']) {
    const sent = status === 'draft' || status === 'in_review' ? '' : ", sent_at = created_at, sent_mode = 'live'";
    await at.sql(`update documents set status = $2${sent} where id = $1`, id, status);
    const saved = await at.json('document', 'download', id, '--out', join(folder, `${status}.pdf`));
    expect([status, saved.sha256]).toEqual([status, originalSha256]);
  }
  await at.sql("update documents set status = 'completed', completed_at = created_at where id = $1", id);
  const out = join(folder, 'completed.pdf');
  expect(await at.fails(1, 'document', 'download', id, '--out', out)).toMatch(/not sealed yet.*--original/);
  await seal(at, id);
  expect((await at.json('document', 'download', id, '--out', out)).sha256).toBe(sha256);
  const again = await at.json('document', 'download', id, '--original', '--out', join(folder, 'original.pdf'));
  expect(again.sha256).toBe(originalSha256);
  expect(readFileSync(join(folder, 'original.pdf'))).toEqual(original);
});

test('what has no PDF says why', async () => {
  const at = await papers();
  const out = join(temporaryDirectory(), 'signed.pdf');
  expect(await at.fails(1, 'document', 'download', await at.draft(), '--out', out)).toMatch(/has no file/);
  expect(await at.fails(1, 'document', 'download', await sealed(at), '--original', '--out', out)).toMatch(
    /has no file/,
  );
  expect(
    await at.fails(2, 'document', 'download', await sealed(at), '--original', '--format', 'md', '--out', out),
  ).toMatch(/--original/);
  expect(await at.fails(1, 'document', 'download', await completed(at), '--out', out)).toMatch(/not sealed yet/);
  const stopped = await completed(at);
  await at.sql('update documents set seal_changed_page = 2 where id = $1', stopped);
  expect(await at.fails(1, 'document', 'download', stopped, '--out', out)).toMatch(/stopped: page 2 .* document seal/);
  const voided = await completed(at);
  await at.json('document', 'void', voided, '--reason', 'Wrong price');
  expect(await at.fails(1, 'document', 'download', voided, '--out', out)).toMatch(/voided before .* --original/);
  const lost = await sealed(at);
  await at.sql(`update documents set sealed_file = 'sha256/00/ff' where id = $1`, lost);
  expect(await at.fails(1, 'document', 'download', lost, '--out', out)).toMatch(/the file store has no sha256\/00\/ff/);
  expect(await at.fails(2, 'document', 'download', lost)).toMatch(/--out/);
});

test('the complete certificate is saved for a sealed document only, and replaces a file only by force', async () => {
  const at = await papers();
  const out = join(temporaryDirectory(), 'certificate.pdf');
  const certificate = (id: string) => ['document', 'certificate', id, '--out', out];
  expect(await at.fails(1, ...certificate(await completed(at)))).toMatch(/only documents that were sealed here/);
  const id = await sealed(at);
  const saved = await at.json(...certificate(id));
  const file = readFileSync(out);
  expect(saved).toEqual({ id, out, bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') });
  expect(inspect(file, 'pdftotext', [], ['-'])).toContain('Complete certificate');
  expect(await at.fails(1, ...certificate(id))).toMatch(/--force replaces it/);
});
