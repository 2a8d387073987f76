import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { addMember, signedIn } from '../console/visitor.ts';
import { attachPdf } from '../support/attach.ts';
import { downloadArchive, withUnpacked } from '../support/data-export.ts';
import { insertMany } from '../support/insert-many.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany, createDraft, eventually, type TestService } from '../support/service.ts';
import { ask, recoveryMs } from './outcome.ts';

let ground: Ground;

afterEach(async () => {
  await endServers();
  await ground.clear();
});

const documents = 12_000;

test('kill -9 of the worker in the middle of a data export: another worker writes it, and nothing is left over', async () => {
  ground = await prepareGround();
  const web = await startServer({ ...ground.settings, ROLE: 'web' });
  const company = await createCompany(ground);
  const owner = await signedIn({ ...ground, ...web }, await addMember(ground, company.id, 'owner'));
  await insertDocuments(company, await createDraft(web, company.key));

  const worker = await startServer({ ...ground.settings, ROLE: 'worker' });
  const { id } = (await owner.post('/data-exports')).body;
  const read = async () => (await owner.get('/data-exports')).body.data[0];
  const seen = await eventually(read, ({ files_done }) => files_done > 0, recoveryMs);
  worker.kill('SIGKILL');
  await worker.ended;
  expect(seen).toMatchObject({ status: 'running', files_total: documents });
  const working = join(ground.dataDir, 'exporting');
  expect(readdirSync(working)).toEqual([`${id}-1`]);

  await startServer({ ...ground.settings, ROLE: 'worker' });
  const ready = await eventually(read, ({ status }) => status === 'ready', recoveryMs);
  expect(ready).toMatchObject({ files_done: documents, missing_files: 0 });
  // Its directory is removed after the export is ready.
  await eventually(
    async () => readdirSync(working),
    (names) => names.length === 0,
  );
  expect(readdirSync(join(ground.dataDir, 'files', 'exports', id))).toEqual(['2.zip']);
  expect((await owner.post(`/data-exports/${id}/open`)).status).toBe(200);
  const { bytes } = await downloadArchive(web, owner, id);
  await withUnpacked(bytes, async (directory) => {
    const { counts } = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
    expect(counts).toMatchObject({ documents, stored_files: documents, missing_files: 0 });
    expect(readdirSync(join(directory, 'files')).length).toBe(documents);
  });
});

/** Copies a document with its attached file. */
async function insertDocuments(company: Awaited<ReturnType<typeof createCompany>>, id: string): Promise<void> {
  await attachPdf(ground as unknown as TestService, company, id);
  const copies = documents - 1;
  await insertMany(
    ground.db,
    copies,
    `with made as (
       insert into documents select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
       from documents d, generate_series($1::int, $2::int) where d.id = $3 returning id
     )
     insert into document_files select (jsonb_populate_record(f, jsonb_build_object('document_id', made.id))).*
     from document_files f, made where f.document_id = $3`,
    [id],
  );
  const [row] = await ask<{ n: number }>(ground, 'select count(*)::int as n from document_files');
  expect(row?.n).toBe(documents);
}
