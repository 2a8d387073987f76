import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../api/refusal.ts';
import { type Company, call, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type ImportService, importIds, importLinks, startImport, startImportService } from './import-service.ts';

let app: ImportService;
let company: Company;

const plan = { import_files_per_day: 6, import_bytes_per_month: 100_000, burst_per_minute: 40 };

beforeAll(async () => {
  const plansFile = join(tmpdir(), `plans-${process.pid}.json`);
  writeFileSync(plansFile, JSON.stringify({ pro: plan, team: { import_bytes_per_month: 400 * 2 ** 20 } }));
  app = await startImportService({ PLANS_FILE: plansFile });
});
afterAll(() => app.stop());
beforeEach(async () => {
  app.clock.advance({ minutes: 1 });
  company = await createCompany(app, 'pro');
});

const pdf = (bytes = 0) => app.store.share('a.pdf', aPdf({ bytes }));
const remaining = async () => {
  const { headers } = await call(app, 'GET', '/account', { key: company.key });
  // The request itself has cost one.
  return Number(headers.get('x-ratelimit-remaining-burst')) + 1;
};

async function use(): Promise<{ files: number; bytes: number; reserved: number }> {
  const [row] = await app.db.query<{ files: number; bytes: number; reserved: number }>({
    name: '',
    text: `select coalesce(max(day_files), 0)::int as files, coalesce(max(month_bytes), 0)::int as bytes,
             (select coalesce(sum(reserved_bytes), 0)::int from import_items where account_id = $1) as reserved
           from import_usage where account_id = $1`,
    values: [company.id],
  });
  return row as { files: number; bytes: number; reserved: number };
}

test('every file named counts toward the day, also one that fails or is known already', async () => {
  const known = pdf();
  expect((await importLinks(app, company, [known, known, app.store.share('b', Buffer.from('no'))])).status).toBe(201);
  expect((await use()).files).toBe(3);
  expectRefusal(await importLinks(app, company, [known, known, known, known]), 'import_quota_exceeded');
  expect((await use()).files).toBe(3);
  expect((await importLinks(app, company, [known, known, known])).status).toBe(201);
  const before = app.store.requests.length;
  expectRefusal(await importLinks(app, company, [known]), 'import_quota_exceeded');
  expect(app.store.requests.length).toBe(before);
  app.clock.advance({ days: 1 });
  expect((await importLinks(app, company, [known])).status).toBe(201);
  expect((await use()).files).toBe(1);
});

test('a clock that is behind at the turn of the day or month has no limits of its own', async () => {
  const now = app.clock.now();
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 1);
  app.clock.advance({ seconds: (nextMonth - now.getTime()) / 1000 });
  expect((await importLinks(app, company, [pdf(60_000), pdf(), pdf(), pdf(), pdf()])).status).toBe(201);
  app.clock.advance({ minutes: -2 });
  expectRefusal(await importLinks(app, company, [pdf(), pdf()]), 'import_quota_exceeded');
  expectRefusal(await importLinks(app, company, [pdf(60_000)]), 'import_quota_exceeded');
  app.clock.advance({ minutes: 2 });
});

test('what was imported while the clock was months ahead uses up no limit once it is set right', async () => {
  app.clock.advance({ days: 70 });
  expect((await importLinks(app, company, [pdf(60_000), pdf(), pdf(), pdf(), pdf()])).status).toBe(201);
  app.clock.advance({ days: -70 });
  expect((await importLinks(app, company, [pdf(60_000), pdf()])).status).toBe(201);
});

test('storage counts the bytes of new files, once, for the month', async () => {
  const big = aPdf({ bytes: 45_000 });
  const first = app.store.share('a.pdf', big);
  expect((await importLinks(app, company, [first, app.store.share('again.pdf', big)])).body.filed).toBe(2);
  expect(await use()).toEqual({ files: 2, bytes: big.length, reserved: 0 });
  // The declared size does not fit, so nothing is downloaded.
  expectRefusal(await importLinks(app, company, [pdf(60_000)]), 'import_quota_exceeded');
  expect((await call(app, 'GET', '/imports', { key: company.key })).body.data).toHaveLength(1);
  expect((await importLinks(app, company, [pdf(20_000)])).body.filed).toBe(1);
  app.clock.advance({ days: 31 });
  expect((await importLinks(app, company, [pdf(60_000)])).body.filed).toBe(1);
});

test('a drive file that is known by its revision needs neither room nor a download', async () => {
  const id = app.drive.add('known', { bytes: aPdf({ bytes: 90_000 }) });
  expect((await importIds(app, company, [id])).body.items[0]).toMatchObject({ duplicate: false });
  const downloads = app.drive.count('media');
  const { body } = await importIds(app, company, [id, id]);
  expect(body.items).toMatchObject([
    { status: 'filed', duplicate: true, pages: 1 },
    { status: 'filed', duplicate: true },
  ]);
  expect(app.drive.count('media')).toBe(downloads);
  expectRefusal(
    await importIds(app, company, [app.drive.add('new', { bytes: aPdf({ bytes: 90_000 }) })]),
    'import_quota_exceeded',
  );
});

test('links to known files can be sent again without room for them, with a small new one', async () => {
  const sizes = [45_000, 40_000];
  const known = sizes.map((bytes) => app.store.share('known.pdf', aPdf({ bytes })));
  expect((await importLinks(app, company, known)).body.filed).toBe(2);
  const { bytes } = await use();
  const again = await importLinks(app, company, known);
  expect(again.body.items).toMatchObject([{ duplicate: true }, { duplicate: true }]);
  expect(await use()).toEqual({ files: 4, bytes, reserved: 0 });
  app.clock.advance({ days: 1 });
  expect((await importLinks(app, company, [...known, pdf()])).body.items).toMatchObject([
    { duplicate: true },
    { duplicate: true },
    { status: 'filed', duplicate: false },
  ]);
});

test('a known link that leads to a new file, for which there is no room, fails alone', async () => {
  const known = aPdf({ bytes: 70_000 });
  const other = Buffer.from(known);
  other.write('2', other.indexOf('%PDF-1.4') + 7);
  let isChanged = false;
  const link = app.store.share('a.pdf', (response) => {
    const bytes = isChanged ? other : known;
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  expect((await importLinks(app, company, [link])).body.filed).toBe(1);
  const { bytes } = await use();
  isChanged = true;
  const failed = (await importLinks(app, company, [link, pdf()], 'alone')).body.items;
  expect(failed).toMatchObject([{ status: 'failed', reason: 'storage_unavailable' }, { status: 'filed' }]);
  expect((await use()).bytes).toBeLessThan(bytes + 10_000);
  app.clock.advance({ days: 31 });
  const { body } = await importLinks(app, company, [link, app.store.share('b.pdf', aPdf())], 'other');
  expect(body.items).toMatchObject([{ status: 'filed', duplicate: false }, { status: 'filed' }]);
});

test('an import that runs holds its room until its files land', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const bytes = aPdf({ bytes: 70_000 });
  const slow = app.store.share('slow.pdf', async (response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 2000));
    await held;
    response.end(bytes.subarray(2000));
  });
  const running = importLinks(app, company, [slow]);
  await eventually(use, ({ reserved }) => reserved === bytes.length);
  expectRefusal(await importLinks(app, company, [pdf(60_000)]), 'import_quota_exceeded');
  letGo();
  expect((await running).body.filed).toBe(1);
  expect(await use()).toEqual({ files: 1, bytes: bytes.length, reserved: 0 });
});

test('a file that fails gives its room back', async () => {
  const noise = app.store.share('noise', Buffer.alloc(90_000));
  expect((await importLinks(app, company, [noise])).body.failed).toBe(1);
  expect((await importLinks(app, company, [pdf(90_000)])).body.filed).toBe(1);
});

test('N files cost N units, a refused body one, and a replay one', async () => {
  const files = [pdf(), pdf(), pdf()].map((url) => ({ url }));
  const body = { source: 'cloud_files', files };
  expect(await remaining()).toBe(40);
  const { headers } = await startImport(app, company, body, 'k');
  expect(headers.get('x-ratelimit-remaining-burst')).toBe('36');
  expect((await startImport(app, company, body, 'k')).headers.get('x-ratelimit-remaining-burst')).toBe('35');
  await startImport(app, company, { source: 'cloud_files', files: [...files, { url: 'x' }] });
  await startImport(app, company, { source: 'cloud_files', files: files.slice(1) }, 'k');
  expect(await remaining()).toBe(33);
});

test('a budget without room for all of the files refuses the request, which then spends nothing', async () => {
  for (let i = 0; i < 37; i += 1) await call(app, 'GET', '/account', { key: company.key });
  const answer = await importLinks(app, company, [pdf(), pdf(), pdf(), pdf()], 'k');
  expectRefusal(answer, 'rate_limit_exceeded');
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.headers.get('x-ratelimit-remaining-burst')).toBe('3');
  expect((await importLinks(app, company, [pdf(), pdf(), pdf()], 'k')).status).toBe(201);
  expect((await call(app, 'GET', '/account', { key: company.key })).status).toBe(429);
});

test('imports that start at once do not count on the same room', async () => {
  const tries = await Promise.all(Array.from({ length: 4 }, () => importLinks(app, company, [pdf(), pdf()])));
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403]);
  expect((await use()).files).toBe(6);
});

test('imports that start at once do not refuse each other the room that none of them needs', async () => {
  const roomy = await createCompany(app, 'team');
  const tries = await Promise.all(Array.from({ length: 8 }, () => importLinks(app, roomy, [pdf()])));
  expect(tries.map(({ status }) => status)).toEqual(Array(8).fill(201));
});
