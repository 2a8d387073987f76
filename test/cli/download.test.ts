import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileStore } from '../../src/world/files.ts';
import { temporaryDirectory } from './countersign.ts';
import { type Papers, papers } from './documents.ts';

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 0xe9), Buffer.from('\n%%EOF\n')]);
const sha256 = createHash('sha256').update(pdf).digest('hex');
const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

/** As the sealing job leaves it. */
async function sealed(at: Papers): Promise<string> {
  const id = await completed(at);
  const key = `sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  await createFileStore(`file:${at.dataDir}/files`, noS3).put(key, pdf);
  await at.sql('update documents set sealed_at = completed_at, sealed_file = $2 where id = $1', id, key);
  return id;
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
  mkdirSync(join(folder, 'directory'));
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'directory'), '--force')).toMatch(
    /directory/,
  );
  expect(await at.fails(1, 'document', 'download', id, '--out', join(folder, 'absent/signed.pdf'))).toMatch(/ENOENT/);
  expect(readdirSync(folder).sort()).toEqual(['dangling', 'directory', 'signed.pdf']);
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

test('what has no sealed PDF says why', async () => {
  const at = await papers();
  const out = join(temporaryDirectory(), 'signed.pdf');
  expect(await at.fails(1, 'document', 'download', await at.draft(), '--out', out)).toMatch(/draft: only a completed/);
  expect(await at.fails(1, 'document', 'download', await completed(at), '--out', out)).toMatch(/not sealed yet/);
  const lost = await sealed(at);
  await at.sql(`update documents set sealed_file = 'sha256/00/ff' where id = $1`, lost);
  expect(await at.fails(1, 'document', 'download', lost, '--out', out)).toMatch(/the file store has no sha256\/00\/ff/);
  expect(await at.fails(2, 'document', 'download', lost)).toMatch(/--out/);
});
