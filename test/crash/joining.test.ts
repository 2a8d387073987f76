import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeUnreferencedFiles } from '../../src/documents/stored-files.ts';
import { makePdf } from '../../src/pdf/pdfium/testing/make-pdf.ts';
import { createFileStore } from '../../src/platform/files.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany, createDraft, TestClock } from '../support/service.ts';
import { untilGone } from './outcome.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround();
});
afterEach(async () => {
  await endServers();
  await ground.clear();
});

const pdf = (n: number) => new Uint8Array(makePdf({ pages: [{ text: `File ${n}` }], ballast: 3_000_000 + n }));
const noS3 = { accessKeyId: null, secretAccessKey: null, sessionToken: null, region: null, endpoint: null };

test('kill -9 while files are joined: what the document refers to is there and counted, and the rest is removed later', async () => {
  const company = await createCompany(ground);
  const member = await addMember(ground, company.id, 'member');
  const sql = <Row extends object>(text: string) => ground.db.query<Row>({ name: '', text, values: [] });
  const isStored = (hex: string) => existsSync(join(ground.dataDir, 'files/sha256', hex.slice(0, 2), hex.slice(2)));
  let id = '';
  let wholeMs = 0;

  for (let round = 0; round <= 3; round += 1) {
    const server = await startServer(ground.settings);
    const visitor = await signedIn({ ...ground, baseUrl: server.baseUrl }, member);
    const add = (n: number) => visitor.upload(`/documents/${id}/parts?name=${n}.pdf`, pdf(n));
    if (round === 0) {
      id = await createDraft({ ...ground, baseUrl: server.baseUrl }, company.key, {
        recipients: [{ name: 'Ada', email: 'ada@example.com' }],
      });
      expect((await add(100)).status).toBe(200);
      expect((await add(101)).status).toBe(200);
    }
    const started = performance.now();
    const adding = add(round).catch(() => null);
    if (round === 0) {
      expect((await adding)?.status).toBe(200);
      wholeMs = performance.now() - started;
    } else {
      await sleep((wholeMs * round) / 3);
    }
    server.kill('SIGKILL');
    await server.ended;
    await adding;
    await untilGone(ground);

    const files = await sql<{ sha256: string; page_count: number }>(
      `select encode(sha256, 'hex') as sha256, page_count from document_files`,
    );
    const parts = await sql<{ sha256: string }>(`select encode(sha256, 'hex') as sha256 from document_parts`);
    expect(files).toHaveLength(1);
    expect(parts.length).toBe(files[0]?.page_count);
    for (const { sha256 } of [...files, ...parts]) expect(isStored(sha256)).toBe(true);
    const miscounted = await sql(
      `select from stored_files s where reference_count <>
         (select count(*) from document_files f where f.sha256 = s.sha256)
         + (select count(*) from document_parts p where p.sha256 = s.sha256)`,
    );
    expect(miscounted).toEqual([]);
  }

  const clock = new TestClock();
  clock.advance({ seconds: (Date.now() - clock.now().getTime()) / 1000 + 7200 });
  const store = createFileStore(`file:${join(ground.dataDir, 'files')}`, noS3);
  await removeUnreferencedFiles({ ...ground.world, clock }, ground.db, store, 0);
  const left = await sql<{ sha256: string; reference_count: number }>(
    `select encode(sha256, 'hex') as sha256, reference_count from stored_files`,
  );
  for (const { sha256, reference_count } of left) {
    expect(reference_count).toBeGreaterThan(0);
    expect(isStored(sha256)).toBe(true);
  }
});
