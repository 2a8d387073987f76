import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { progressLine } from '../../src/cli/import/import-progress.ts';
import { temporaryDirectory } from '../../src/sealing/testing/tools.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type ImportService, importLinks, startImportService } from '../imports/import-service.ts';
import { createCompany, eventually } from '../support/service.ts';
import { placeOn } from './countersign.ts';

let app: ImportService;

beforeAll(async () => {
  app = await startImportService();
});
afterAll(() => app.stop());

const cli = () => placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });

test('imports are listed and shown as the API answers them, with their account', async () => {
  const [company, other] = [await createCompany(app), await createCompany(app)];
  const links = [app.store.share('Lease.pdf', aPdf()), app.store.share('photo.jpg', Buffer.from('no'))];
  const { body } = await importLinks(app, company, links);
  await importLinks(app, other, [links[0] as string]);
  const at = cli();
  expect(await at.json('import', 'show', body.id)).toEqual({ ...body, account_id: company.id });
  const listed = await at.json<object[]>('import', 'list', '--account', company.id);
  expect(listed).toEqual([{ ...body, items: undefined, account_id: company.id }]);
  expect(await at.json<object[]>('import', 'list', '--limit', '1')).toMatchObject([{ account_id: other.id }]);
  const { stdout } = await at.run('import', 'show', body.id);
  expect(stdout.toString()).toMatch(/unsupported_type .*photo\.jpg/);
  expect((await at.run('import', 'list')).stdout.toString()).toContain(body.id);
});

test('an import that does not exist is refused, and so is an account', async () => {
  const at = cli();
  const id = '01900000-0000-7000-8000-000000000000';
  for (const wrong of [id, 'x']) expect(await at.fails(1, 'import', 'show', wrong)).toContain(wrong);
  expect(await at.fails(1, 'import', 'list', '--account', 'x')).toContain('x');
  expect(await at.fails(2, 'import', 'list', '--limit', '0')).toContain('--limit');
});

test('files of a company whose plan has no imports are refused with that reason', async () => {
  const company = await createCompany(app, 'starter');
  const file = join(temporaryDirectory(), 'Lease.pdf');
  writeFileSync(file, aPdf());
  const refused = await cli().fails(1, 'import', 'files', '--account', company.id, file);
  expect(refused).toContain('The plan does not include file imports.');
});

test('--watch tells of every step until the import is finished', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = aPdf();
  const links = [
    app.store.share('quick.pdf', aPdf()),
    app.store.share('slow.pdf', async (response) => {
      await held;
      response.end(slow);
    }),
  ];
  const company = await createCompany(app);
  const running = importLinks(app, company, links);
  const half = `select id from imports where account_id = $1 and filed = 1`;
  const [row] = await eventually(
    () => app.db.query<{ id: string }>({ name: '', text: half, values: [company.id] }),
    (rows) => rows.length === 1,
  );
  let hasConnected = false;
  const watching = cli().run('import', 'show', row?.id ?? '', '--watch', '--json');
  await eventually(async () => {
    const [seen] = await app.db.query<object>({
      name: '',
      text: `select 1 from pg_stat_activity where application_name = 'countersign command' and query ~ 'from imports where id' and datname = current_database()`,
      values: [],
    });
    hasConnected ||= seen !== undefined;
    return hasConnected;
  }, Boolean);
  letGo();
  await running;
  const { code, stdout, stderr } = await watching;
  expect(code).toBe(0);
  expect(JSON.parse(stdout.toString())).toMatchObject({ status: 'finished', filed: 2 });
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^\[█{15}░{15}\] 1 of 2: 1 filed, 0 failed$/),
    expect.stringMatching(/^\[█{30}\] 2 of 2: 2 filed, 0 failed$/),
    '',
  ]);
});

test.for([
  [0, 0, 'running', 0],
  [0, 0, 'finished', 30],
  [3, 1, 'running', 10],
  [25, 24, 'running', 28],
  [25, 25, 'finished', 30],
] as const)('of %i files %i ended, %s: %i of 30 boxes are full', ([total_files, filed, status, full]) => {
  const row = { object: 'import', id: '', source: 'upload', failed: 0, remaining: 0, created_at: '' } as const;
  const line = progressLine({ ...row, status, total_files, filed, finished_at: null });
  expect(line.match(/█/g)?.length ?? 0).toBe(full);
});
