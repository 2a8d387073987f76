import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from '../esign/migrate.ts';
import { connectCompany } from '../esign/vendor/connect-company.ts';
import { anEnvelope } from '../esign/vendor/envelope.ts';
import { startVendor, type Vendor } from '../esign/vendor/vendor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { call, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { bin, type Place, placeOn } from './countersign.ts';

interface Shown {
  id: string;
  status: string;
  filed: number;
  failed: number;
  items: { name: string; status: string; reason: string | null; document_id: string; duplicate: boolean }[];
}

let vendor: Vendor;
let app: TestService;

beforeAll(async () => {
  vendor = await startVendor();
  app = await startTestService({ env: vendor.env });
});
afterAll(async () => {
  await app.stop();
  await vendor.stop();
});

const cli = () => placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });

function write(at: Place, name: string, bytes: Buffer): string {
  writeFileSync(join(at.cwd, name), bytes);
  return name;
}

async function recorded(accountId: string, action: string) {
  return app.db.query({
    name: '',
    text: 'select person_id, detail from account_audit_entries where account_id = $1 and action = $2',
    values: [accountId, action],
  });
}

test('files of this machine become drafts in the name of the operator, each file once', async () => {
  const at = cli();
  const company = await createCompany(app);
  const lease = aPdf({ pages: 2 });
  const files = [write(at, 'Lease.pdf', lease), write(at, 'Lease (copy).pdf', lease)];
  const { code, stdout, stderr } = await at.run('import', 'files', '--account', company.id, ...files, '--json');
  expect([code, stderr.split('\n').at(-2)]).toEqual([0, expect.stringContaining('2 of 2: 2 filed, 0 failed')]);
  const shown: Shown = JSON.parse(stdout.toString());
  expect(shown).toMatchObject({ source: 'upload', status: 'finished', filed: 2, account_id: company.id });
  expect(shown).toEqual(await at.json('import', 'show', shown.id));
  const [first, second] = shown.items;
  expect(first).toMatchObject({ name: 'Lease.pdf', status: 'filed', pages: 2, duplicate: false, unlock: null });
  expect(second).toMatchObject({ document_id: first?.document_id, duplicate: true });

  const id = first?.document_id ?? '';
  expect((await call(app, 'GET', `/documents/${id}`, { key: company.key })).body).toMatchObject({ title: 'Lease' });
  const trail = await at.json<{ actor: string }[]>('document', 'audit', id);
  expect(trail.map(({ actor }) => actor)).toEqual(['operator', 'operator']);
  expect(await recorded(company.id, 'upload_started')).toEqual([
    { person_id: null, detail: { import_id: shown.id, files: 2 } },
  ]);
  expect(readdirSync(join(app.dataDir, 'incoming'))).toEqual([]);
});

test('what does not come in is told last, and --unlock leaves the unlocking to the service', async () => {
  const at = cli();
  const company = await createCompany(app);
  const files = [write(at, 'notes.txt', Buffer.from('Call the plumber.')), write(at, 'Plan.pdf', aPdf())];
  const ended = await at.run('import', 'files', ...files, '--unlock', '--account', company.id, '--json');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/\ncountersign: 1 of 2 files did not come in\n$/);
  const { items, ...shown }: Shown = JSON.parse(ended.stdout.toString());
  expect(shown).toMatchObject({ status: 'finished', filed: 1, failed: 1 });
  expect(items).toMatchObject([
    { name: 'notes.txt', status: 'failed', reason: 'unsupported_type' },
    { name: 'Plan.pdf', status: 'filed' },
  ]);
  await eventually(
    () => call(app, 'GET', `/imports/${shown.id}/items`, { key: company.key }),
    ({ body }) => body.data[1].unlock.status === 'unlocked',
  );
});

test('Ctrl-C ends what is not in yet', async () => {
  const at = cli();
  const company = await createCompany(app, 'enterprise');
  const lease = aPdf();
  const files = Array.from({ length: 800 }, (_, index) => write(at, `Lease ${index}.pdf`, lease));
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir };
  const child = spawn(bin, ['import', 'files', '--account', company.id, ...files], { cwd: at.cwd, env });
  child.stderr.once('data', () => child.kill('SIGINT'));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  const [shown] = await at.json<Shown[]>('import', 'list', '--account', company.id);
  expect(shown).toMatchObject({ status: 'finished', remaining: 0 });
  expect(shown?.filed).toBeGreaterThan(0);
  expect(shown?.failed).toBeGreaterThan(0);
  const { items } = await at.json<Shown>('import', 'show', shown?.id ?? '');
  expect(items.at(-1)).toMatchObject({ status: 'failed', reason: 'interrupted' });
});

test('nothing is begun of what cannot be, or may not', async () => {
  const at = cli();
  const [company, free] = [await createCompany(app), await createCompany(app, 'free')];
  const plan = write(at, 'Plan.pdf', aPdf());
  mkdirSync(join(at.cwd, 'folder'));
  const files = ['import', 'files', '--account'];
  expect(await at.fails(1, ...files, company.id, plan, 'none.pdf')).toBe('there is no file none.pdf');
  expect(await at.fails(1, ...files, company.id, plan, 'folder')).toBe('folder is not a file');
  expect(await at.fails(1, ...files, 'x', plan)).toBe('there is no account with the id "x"');
  expect(await at.fails(2, ...files, company.id)).toContain('file');
  expect(await at.fails(1, ...files, free.id, plan)).toContain('does not include file imports');
  for (const { id } of [company, free]) expect(await at.json('import', 'list', '--account', id)).toEqual([]);
});

test('a migration starts from a date on, and is refused where none can run', async () => {
  const at = cli();
  const company = await createCompany(app);
  const start = ['import', 'start', '--account', company.id];
  expect(await at.fails(1, ...start)).toMatch(/^Connect the e-signature vendor/);
  expect(await at.fails(2, ...start, '--earliest', 'soon')).toContain('--earliest');
  await connectCompany(app, company.id);
  const [early, late] = [anEnvelope(0), anEnvelope(600)];
  for (const made of [early, late]) vendor.api.envelopes.set(made.id, made);
  const earliest = new Date(new Date(late.completedAt).getTime() - 60_000).toISOString();
  const started = await at.json<Shown>(...start, '--earliest', earliest);
  expect(started).toMatchObject({ source: 'esign_vendor', status: 'running', filed: 0, account_id: company.id });
  await finished(app, company, started.id);
  const documents = await at.json<{ id: string; status: string }[]>('document', 'list', '--account', company.id);
  expect(documents).toMatchObject([{ status: 'completed' }]);
  const [created] = await at.json<object[]>('document', 'audit', documents[0]?.id ?? '');
  expect(created).toMatchObject({ actor: 'operator' });
  expect(await recorded(company.id, 'migration_started')).toEqual([
    { person_id: null, detail: { import_id: started.id, earliest, unlock_doc: false } },
  ]);
});
