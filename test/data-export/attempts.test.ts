import { mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { archiveKey, removeOldExports } from '../../src/data-export/data-exports.ts';
import { sendExportNotice } from '../../src/data-export/export-notice.ts';
import { createExportRunner } from '../../src/data-export/run-exports.ts';
import type { ExportJob } from '../../src/messages/job-queue.ts';
import type { FileStore } from '../../src/platform/files.ts';
import { FileStoreError } from '../../src/platform/files-error.ts';
import type { MailMessage } from '../../src/platform/mail.ts';
import type { Database, Tx } from '../../src/postgres/database.ts';
import { databaseAddress } from '../../src/postgres/database-address.ts';
import { addMember, type Member, signedIn, type Visitor } from '../console/visitor.ts';
import { attachPdf, filesOf } from '../support/attach.ts';
import { type Company, createCompany, createDraft, startTestService, type TestService } from '../support/service.ts';

/** Attempts that fail, are stopped, or lose their lease. The test is the worker: the service has none. */
let app: TestService;
let company: Company;
let ruth: Member;
let owner: Visitor;
let id: string;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
  ruth = await addMember(app, company.id, 'owner');
  owner = await signedIn(app, ruth);
  await attachPdf(app, company, await createDraft(app, company.key));
  id = (await owner.post('/data-exports')).body.id;
});

/** Runs the scheduled job of a worker once. */
async function work(
  changes: Partial<FileStore> = {},
  stopping = new AbortController().signal,
  db: Database = app.db,
): Promise<void> {
  const { world, dataDir } = app;
  const files = { ...filesOf(app), ...changes };
  const queue = await app.queue();
  await createExportRunner({ world, db, address: databaseAddress(app.databaseUrl, null), files, queue, dataDir })(
    stopping,
  );
}

const row = async () => (await owner.get('/data-exports')).body.data[0];
const isStored = (attempt: number) => filesOf(app).has(archiveKey(id, attempt));
const sql = <Row>(text: string, values: unknown[]) => app.db.query<Row>({ name: '', text, values });

/** Neither a directory, nor an open file. Streams close a moment after they were destroyed. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(openFiles).toEqual([]);
  expect(readdirSync(join(app.dataDir, 'exporting'))).toEqual([]);
}

function openFiles(): string[] {
  const paths = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed in the meantime
    }
  });
  return paths.filter((path) => path.includes('/exporting/'));
}

test('after five failed attempts the export has failed, and the owner is told', async () => {
  const putFile = async () => {
    throw new FileStoreError('the store is out');
  };
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect((await row()).status).toBe(attempt === 1 ? 'pending' : 'running');
    await work({ putFile });
    await expectNothingLeft();
    // Not before the next attempt is due.
    await work();
    expect(await isStored(attempt + 1)).toBe(false);
    app.clock.advance({ minutes: attempt });
    owner = await signedIn(app, ruth);
  }
  expect(await row()).toMatchObject({ status: 'failed', failure: 'failed' });
  await work();
  expect((await row()).status).toBe('failed');

  const [job] = await sql<{ data: ExportJob }>(
    `select data from jobs.job where name = 'tell-of-export' and data ->> 'dataExportId' = $1`,
    [id],
  );
  const sent: MailMessage[] = [];
  const mail = {
    send: async (message: MailMessage) => {
      sent.push(message);
      return { kind: 'accepted', providerId: null } as const;
    },
    close: async () => {},
  };
  if (job === undefined) throw new Error('nobody is told');
  await sendExportNotice(app.db, mail as never, 'https://sign.example.com', job.data);
  expect(sent.map(({ to, subject }) => [to.address, subject])).toEqual([
    [ruth.email, 'The data export of Acme Builders failed'],
  ]);
  // Somebody who is no owner any more is not told.
  await sql(`update members set role = 'admin' where id = $1`, [ruth.id]);
  await sendExportNotice(app.db, mail as never, 'https://sign.example.com', job.data);
  expect(sent.length).toBe(1);
});

test.each([
  [64 * 2 ** 30, null],
  [64 * 2 ** 30 + 1, 'too_large'],
])('stored files of %i bytes', async (bytes, failure) => {
  const files = 'stored_files set bytes = $2 where sha256 in (select sha256 from document_files where account_id = $1)';
  const [before] = await sql<{ bytes: number }>('select bytes from stored_files', []);
  await sql(`update ${files}`, [company.id, bytes]);
  await work();
  await sql(`update ${files}`, [company.id, before?.bytes]);
  const found = await row();
  // The disk of the test may have less space than the limit.
  if (failure === null) expect([null, 'no_space']).toContain(found.failure);
  else expect(found).toMatchObject({ status: 'failed', failure });
  await expectNothingLeft();
});

test('a fifth attempt whose worker died is the last one', async () => {
  const died = `update data_exports set status = 'running', attempts = $2, lease_id = id, leased_until = $3 where id = $1`;
  await sql(died, [id, 5, new Date(app.clock.now().getTime() + 1)]);
  mkdirSync(join(app.dataDir, 'exporting', `${id}-5`), { recursive: true });
  await work();
  expect((await row()).status).toBe('running');
  app.clock.advance({ seconds: 1 });
  await work();
  expect(await row()).toMatchObject({ status: 'failed', failure: 'failed' });
  expect(await isStored(5)).toBe(false);
  await expectNothingLeft();
  const told = `select 1 from jobs.job where name = 'tell-of-export' and data ->> 'dataExportId' = $1`;
  expect((await sql(told, [id])).length).toBe(1);
  await work();
  expect((await sql(told, [id])).length).toBe(1);

  // The fourth is followed by another one.
  id = (await owner.post('/data-exports')).body.id;
  await sql(died, [id, 4, new Date(0)]);
  await work();
  expect((await row()).status).toBe('ready');
  expect(await isStored(5)).toBe(true);
});

test('a worker that lost its lease overwrites nothing', async () => {
  let isSecond = false;
  const files = filesOf(app);
  await work({
    async putFile(key, path) {
      await files.putFile(key, path);
      if (isSecond) return;
      isSecond = true;
      // The worker was stalled for longer than its lease, and another one has finished the export.
      await sql('update data_exports set leased_until = $2 where id = $1', [id, new Date(0)]);
      await work();
    },
  });
  expect(await row()).toMatchObject({ status: 'ready', files_done: 1 });
  expect([await isStored(1), await isStored(2)]).toEqual([false, true]);
  expect((await owner.post(`/data-exports/${id}/open`)).status).toBe(200);
  await expectNothingLeft();
});

test('a cancelled export keeps no archive, even when it was just stored', async () => {
  const files = filesOf(app);
  await work({
    async putFile(key, path) {
      await files.putFile(key, path);
      await owner.call('DELETE', `/data-exports/${id}`);
    },
  });
  expect(await isStored(1)).toBe(false);
  expect(await row()).toBeUndefined();
  await expectNothingLeft();
});

test('an archive that is ready stays when the answer of the database is lost', async () => {
  const lost: Database = {
    ...app.db,
    async transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
      const result = await app.db.transaction(run);
      if (result === true) throw new Error('the connection was closed');
      return result;
    },
  };
  await work({}, undefined, lost);
  expect(await row()).toMatchObject({ status: 'ready', missing_files: 0 });
  expect(await isStored(1)).toBe(true);
  expect((await owner.post(`/data-exports/${id}/open`)).status).toBe(200);
  await expectNothingLeft();
});

test('an archive stays when the database cannot say whether it is ready, and is removed with its export', async () => {
  const gone = async () => {
    throw new Error('the database is out');
  };
  const out: Database = {
    ...app.db,
    async transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
      const result = await app.db.transaction(run);
      if (result !== true) return result;
      out.query = gone;
      throw new Error('the connection was closed');
    },
  };
  await expect(work({}, undefined, out)).rejects.toThrow('the database is out');
  expect((await row()).status).toBe('ready');
  expect(await isStored(1)).toBe(true);
  await owner.call('DELETE', `/data-exports/${id}`);
  await removeOldExports(app.world, app.db, filesOf(app));
  expect(await isStored(1)).toBe(false);
  await expectNothingLeft();
});

test('a cancelled export ends its upload, and its row can be removed at once', async () => {
  await work({
    async putFile(_key, _path, signal) {
      await owner.call('DELETE', `/data-exports/${id}`);
      if (signal === undefined) throw new Error('nothing ends the upload');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new FileStoreError('the upload was aborted');
    },
  });
  await removeOldExports(app.world, app.db, filesOf(app));
  expect(await sql('select 1 from data_exports where id = $1', [id])).toEqual([]);
  await expectNothingLeft();
});

test('a stopped worker leaves the export to the next one, and takes none of its attempts', async () => {
  for (let stops = 0; stops < 6; stops += 1) {
    const stopping = new AbortController();
    const get: FileStore['get'] = async () => {
      stopping.abort();
      throw new FileStoreError('the connection was closed');
    };
    await work({ get }, stopping.signal);
    expect((await row()).status).toBe('running');
    await expectNothingLeft();
  }
  await work();
  expect((await row()).status).toBe('ready');
  expect(await isStored(1)).toBe(true);
});

test('a store that answers nothing fails the attempt, and does not make an archive without files', {
  timeout: 120_000,
}, async () => {
  for (let n = 0; n < 10; n += 1) await attachPdf(app, company, await createDraft(app, company.key));
  const get: FileStore['get'] = async () => {
    throw new FileStoreError('the store is silent');
  };
  await work({ get });
  expect((await row()).status).toBe('running');
  await expectNothingLeft();
  app.clock.advance({ minutes: 1 });
  owner = await signedIn(app, ruth);
  await work();
  expect(await row()).toMatchObject({ status: 'ready', missing_files: 0, files_done: 11 });
});
