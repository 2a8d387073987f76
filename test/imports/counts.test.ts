import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../api/refusal.ts';
import { type Company, call, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { nativePrefix } from './drive-double.ts';
import { type ImportService, importIds, importLinks, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

const get = (path: string, key = company.key) => call(app, 'GET', path, { key });

async function count(what: string): Promise<number> {
  const [row] = await app.db.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from ${what} where account_id = $1`,
    values: [company.id],
  });
  return (row as { n: number }).n;
}

test('the counts of an import that runs are exact, and its items can be listed', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = aPdf();
  const links = [
    app.store.share('quick.pdf', aPdf()),
    app.store.share('slow.pdf', async (response) => {
      response.write(slow.subarray(0, 1500 % slow.length));
      await held;
      response.end(slow.subarray(1500 % slow.length));
    }),
    app.store.share('bad.pdf', Buffer.from('no')),
  ];
  const running = importLinks(app, company, links);
  const [row] = await eventually(
    async () => (await get('/imports?status=running')).body.data,
    ([found]) => found !== undefined && found.remaining === 1,
  );
  expect(row).toMatchObject({
    status: 'running',
    total_files: 3,
    filed: 1,
    failed: 1,
    remaining: 1,
    finished_at: null,
  });
  expect((await get('/imports?status=finished')).body.data).toEqual([]);
  expect((await get(`/imports/${row.id}`)).body).toEqual(row);
  const items = (await get(`/imports/${row.id}/items`)).body.data;
  expect(items).toMatchObject([
    { index: 0, status: 'filed' },
    { index: 1, status: 'running', name: 'slow.pdf', document_id: null, finished_at: null },
    { index: 2, status: 'failed', reason: 'unsupported_type' },
  ]);
  letGo();
  const { body } = await running;
  expect((await get(`/imports/${row.id}`)).body).toEqual({ ...body, items: undefined });
  expect((await get(`/imports/${row.id}/items`)).body.data).toEqual(body.items);
});

test('two imports of the same file at once make one document, charged once', async () => {
  const bytes = aPdf({ bytes: 20_000 });
  const links = Array.from({ length: 5 }, (_, index) => app.store.share(`${index}.pdf`, bytes));
  const id = app.drive.add(`same-${company.id}`, { bytes });
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => importLinks(app, company, links)),
    importIds(app, company, [id, id, id]),
  ]);
  const items = answers.flatMap(({ body }) => body.items as Array<{ document_id: string; duplicate: boolean }>);
  expect(items).toHaveLength(23);
  expect(new Set(items.map(({ document_id }) => document_id)).size).toBe(1);
  expect(items.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect([await count('documents'), await count('document_files'), await count('imported_files')]).toEqual([1, 1, 1]);
  const [usage] = await app.db.query<object>({
    name: '',
    text: 'select month_bytes from import_usage where account_id = $1',
    values: [company.id],
  });
  expect(usage).toEqual({ month_bytes: bytes.length });
});

test('when a drive file is sent twice, the first item makes the document, and the file is downloaded once', async () => {
  const bytes = aPdf();
  const id = app.drive.add(`slow-first-${company.id}`, {
    bytes,
    gives: (response, attempt) => attempt === 1 && setTimeout(() => response.end(bytes), 500),
  });
  const downloads = app.drive.count('media');
  const { body } = await importIds(app, company, [id, id]);
  expect(body.items).toMatchObject([
    { status: 'filed', duplicate: false },
    { status: 'filed', duplicate: true },
  ]);
  expect(app.drive.count('media')).toBe(downloads + 1);
});

test('when links lead to the same bytes, the first one sent makes and names the document', async () => {
  const bytes = aPdf();
  const slow = app.store.share('First.pdf', (response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 100));
    setTimeout(() => response.end(bytes.subarray(100)), 500);
  });
  const { body } = await importLinks(app, company, [slow, app.store.share('Second.pdf', bytes)]);
  expect(body.items).toMatchObject([{ duplicate: false }, { duplicate: true }]);
  const document = await get(`/documents/${body.items[0].document_id}`);
  expect(document.body.title).toBe('First');
});

test('a native document is the same while its revision is, though no two exports are alike', async () => {
  const entry = { mimeType: `${nativePrefix}document`, bytes: aPdf(), version: 1 };
  const id = app.drive.add(`native-${company.id}`, entry);
  const documents = async () => {
    const { body } = await importIds(app, company, [id, id]);
    return (body.items as Array<{ document_id: string }>).map(({ document_id }) => document_id);
  };
  const [first, twin] = await documents();
  expect(twin).toBe(first);
  expect(await documents()).toEqual([first, first]);
  entry.version = 2;
  expect((await documents())[0]).not.toBe(first);
});

test("another account's same file is a document of its own, on the same bytes in the store", async () => {
  const link = app.store.share('a.pdf', aPdf());
  const other = await createCompany(app);
  const [mine, theirs] = [await importLinks(app, company, [link]), await importLinks(app, other, [link])];
  expect(theirs.body.items[0]).toMatchObject({ status: 'filed', duplicate: false });
  expect(theirs.body.items[0].document_id).not.toBe(mine.body.items[0].document_id);
  const [stored] = await app.db.query<object>({
    name: '',
    text: `select count(distinct s.sha256)::int as files, max(s.reference_count) as references
           from stored_files s join document_files f using (sha256) where f.account_id in ($1, $2)`,
    values: [company.id, other.id],
  });
  expect(stored).toEqual({ files: 1, references: 2 });
});

test('imports are listed newest first in pages, their items oldest first, forwards and backwards', async () => {
  const link = app.store.share('a.pdf', aPdf());
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    app.clock.advance({ seconds: 1 });
    ids.unshift((await importLinks(app, company, i === 0 ? Array(7).fill(link) : [link])).body.id);
  }
  const idsOf = (body: { data: Array<{ id: string }> }) => body.data.map(({ id }) => id);
  const first = await get('/imports?limit=2');
  expect([idsOf(first.body), first.body.has_more]).toEqual([ids.slice(0, 2), true]);
  const second = await get(`/imports?limit=2&starting_after=${first.body.next_cursor}&status=finished,running`);
  expect(idsOf(second.body)).toEqual(ids.slice(2, 4));
  const last = await get(`/imports?limit=2&starting_after=${second.body.next_cursor}`);
  expect([idsOf(last.body), last.body.has_more, last.body.next_cursor]).toEqual([ids.slice(4), false, null]);
  const back = await get(`/imports?limit=2&ending_before=${second.body.next_cursor}`);
  expect([idsOf(back.body), back.body.has_more]).toEqual([ids.slice(2, 4), true]);

  const items = `/imports/${ids[4]}/items`;
  const start = await get(`${items}?limit=3`);
  expect(start.body.data.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
  const next = await get(`${items}?limit=3&starting_after=${start.body.next_cursor}`);
  expect(next.body.data.map(({ index }: { index: number }) => index)).toEqual([3, 4, 5]);
  const before = await get(`${items}?limit=2&ending_before=${next.body.next_cursor}`);
  expect(before.body.data.map(({ index }: { index: number }) => index)).toEqual([4, 5]);
  expect(before.body.has_more).toBe(true);
  const foreign = `/imports/${ids[0]}/items?starting_after=${start.body.next_cursor}`;
  expectRefusal(await get(foreign), 'invalid_cursor', 'starting_after');
});

test("another account's import is not found, and neither are its items", async () => {
  const { body } = await importLinks(app, company, [app.store.share('a.pdf', aPdf())]);
  const other = await createCompany(app);
  expectRefusal(await get(`/imports/${body.id}`, other.key), 'import_not_found');
  expectRefusal(await get(`/imports/${body.id}/items`, other.key), 'import_not_found');
  expect((await get(`/imports/${body.id.toUpperCase()}`)).body.id).toBe(body.id);
});

test('the files of a company wait for each other without holding connections that others need', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const shareHeld = (name: string) =>
    app.store.share(name, async (response) => {
      await held;
      response.end(aPdf());
    });
  const names = Array.from({ length: 12 }, (_, n) => `held-${n}.pdf`);
  const running = [0, 4, 8].map((first) => importLinks(app, company, names.slice(first, first + 4).map(shareHeld)));
  await eventually(
    () => count('imports'),
    (begun) => begun === 3,
  );
  const stored = () => count('(select $1::uuid as account_id from stored_files) s');
  const before = await stored();
  await app.db.transaction(async (tx) => {
    await tx.query({
      name: '',
      text: 'select from import_usage where account_id = $1 for update',
      values: [company.id],
    });
    letGo();
    await eventually(stored, (now) => now === before + names.length);
    const waiting = () =>
      count(`(select $1::uuid as account_id from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock') w`);
    await eventually(waiting, (now) => now > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await waiting()).toBe(1);
  });
  for (const answer of await Promise.all(running)) {
    expect(answer).toMatchObject({ status: 201, body: { filed: 4, failed: 0 } });
  }
});
