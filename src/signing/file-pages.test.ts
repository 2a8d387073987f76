import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TestClock } from '../../test/support/service.ts';
import { fileKey } from '../documents/stored-files.ts';
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '../pdf/pdf-reader.ts';
import { makePdf, type PdfPlan } from '../pdf/pdfium/testing/make-pdf.ts';
import { createFileStore, type FileStore } from '../platform/files.ts';
import { createNewId } from '../platform/ids.ts';
import { createLocalCopies } from '../platform/local-copies.ts';
import { createLog } from '../platform/log.ts';
import { systemRandom } from '../platform/random.ts';
import { createFilePages, type ShownFile } from './file-pages.ts';

const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };
const log = createLog('silent');
const clock = new TestClock();
const world = { clock, random: systemRandom, newId: createNewId(clock, systemRandom), log };
let directory: string;
let files: FileStore;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'file-pages-'));
  files = createFileStore(`file:${directory}`, noS3);
});
afterAll(() => rmSync(directory, { recursive: true }));

async function stored(plan: PdfPlan): Promise<ShownFile> {
  const bytes = makePdf(plan);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await files.put(fileKey(sha256), bytes);
  return { sha256, accountId: 'a company' };
}

/** The real reader, whose jobs are counted. */
function openPages(limits: Omit<PdfReaderOptions, 'log'> = {}) {
  const reader = createPdfReader({ log, ...limits });
  const copies = createLocalCopies(files, { bytesMax: 1e9, ageMsMax: 3_600_000 });
  onTestFinished(() => reader.close());
  const jobs: string[] = [];
  const counted = {
    ...reader,
    renderPage(...[path, page, width, owner]: Parameters<PdfReader['renderPage']>) {
      jobs.push(`${page} at ${width}`);
      return reader.renderPage(path, page, width, owner);
    },
  };
  return { jobs, pages: createFilePages(world, copies, counted) };
}

test('a page is made once, however many look at it, at once or later', async () => {
  const file = await stored({ pages: [{}, {}] });
  const { jobs, pages } = openPages();
  const together = await Promise.all(Array.from({ length: 20 }, () => pages.image(file, 1, 600)));
  const later = await pages.image(file, 1, 600);
  expect(new Set([...together, later].map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size).toBe(1);
  await pages.image(file, 1, 900);
  await pages.image(file, 2, 600);
  expect(jobs).toEqual(['1 at 600', '1 at 900', '2 at 600']);
});

test('a page that brings its process down is not tried again for a minute, and holds up no other', async () => {
  const drawing = Buffer.alloc(60_000_000, '0 0 m 600 700 l 9 w 1 J 5 600 300 80 6 4 c S ');
  const content = { entries: '/Filter /FlateDecode', bytes: deflateSync(drawing) };
  const file = await stored({ pages: [{ content }, {}] });
  const { jobs, pages } = openPages({ pageMs: 2000 });
  const unavailable = { name: 'SigningError', code: 'page_unavailable' };
  await expect(pages.image(file, 1, 600)).rejects.toMatchObject(unavailable);
  await expect(pages.image(file, 1, 600)).rejects.toMatchObject(unavailable);
  expect(jobs).toEqual(['1 at 600']);
  expect(await pages.image(file, 2, 600)).toMatchObject({ width: 600 });
  clock.advance({ seconds: 61 });
  await expect(pages.image(file, 1, 600)).rejects.toMatchObject(unavailable);
  expect(jobs).toEqual(['1 at 600', '2 at 600', '1 at 600']);
});

test('a store that fails is no fault of the page: the next one who asks gets it', async () => {
  const file = await stored({ pages: [{ text: 'Late' }] });
  const { pages } = openPages();
  const key = fileKey(file.sha256);
  const bytes = makePdf({ pages: [{ text: 'Late' }] });
  await files.remove(key);
  await expect(pages.image(file, 1, 600)).rejects.toThrow(`the file store has no ${key}`);
  await files.put(key, bytes);
  expect(await pages.image(file, 1, 600)).toMatchObject({ width: 600 });
});
