import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addCredits } from '../../src/accounts/manage-accounts.ts';
import { randomBetween, recoveryMs } from '../crash/outcome.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { type DriveDouble, startDriveDouble } from '../imports/drive-double.ts';
import { sourceSettings, startImport } from '../imports/import-service.ts';
import { type StoreDouble, startStoreDouble } from '../imports/store-double.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { type Company, createCompany, eventually } from '../support/service.ts';

let ground: Ground;
let drive: DriveDouble;
let store: StoreDouble;
let company: Company;
let settings: Record<string, string>;

beforeEach(async () => {
  [ground, drive, store] = await Promise.all([prepareGround(), startDriveDouble(), startStoreDouble()]);
  company = await createCompany(ground);
  await ground.db.transaction((tx) => addCredits(ground.world, tx, company.id, 100));
  settings = { ...ground.settings, ...sourceSettings(drive, store) };
});
afterEach(async () => {
  await endServers();
  await Promise.all([drive.stop(), store.stop()]);
  await ground.clear();
});

const ask = <Row>(text: string) => ground.db.query<Row>({ name: '', text, values: [] });
const unlocks = () => ask<{ status: string; credits: number }>('select status, credits from document_unlocks');

/** 100 bought credits, and the month's credits of the plan, which come with the first payment. */
const creditsAtFirst = 10_100;

/** Expects that exactly the unlocked pages were paid, and that the ledger ends at the balance. */
async function expectPaid(pages: number): Promise<void> {
  const [found] = await ask<object>(
    `select (select credits from accounts) as credits,
       (select sum(amount)::int from credit_entries) as ledger,
       (select sum(credits)::int from document_unlocks where status = 'unlocked') as unlocked,
       (select sum(unlock_credits)::int from import_items) as told`,
  );
  const left = creditsAtFirst - pages;
  expect(found).toEqual({ credits: left, ledger: left, unlocked: pages, told: pages });
}

test('what takes longer than half a minute is pending in the answer, and goes on in the background', async () => {
  const web = await startServer({ ...settings, ROLE: 'web' });
  const link = store.share('a.pdf', aPdf({ pages: 4 }));
  const { body } = await startImport(web, company, { source: 'cloud_files', files: [{ url: link }] });
  const pending = { status: 'pending', pages: null, credits: 0, reason: null };
  expect(body).toMatchObject({ status: 'finished', items: [{ status: 'filed', unlock: pending }] });
  await startServer({ ...settings, ROLE: 'worker' });
  await eventually(unlocks, ([row]) => row?.status === 'unlocked', recoveryMs);
  await expectPaid(4);
});

test('kill -9 at random while files are unlocked: each ends unlocked, and is paid once', async () => {
  const links = Array.from({ length: 12 }, (_, index) => store.share(`${index}.pdf`, aPdf({ pages: 3 })));
  const files = links.map((url) => ({ url }));
  let server = await startServer(settings);
  for (let crash = 0; crash < 3; crash += 1) {
    const cut = startImport(server, company, { source: 'cloud_files', files: files.slice(0, 4 * (crash + 1)) });
    cut.catch(() => {});
    await eventually(unlocks, (rows) => rows.length > 4 * crash, recoveryMs);
    await sleep(randomBetween(0, 600));
    server.kill('SIGKILL');
    await server.ended;
    server = await startServer(settings);
  }
  await eventually(
    unlocks,
    (rows) => rows.length === 12 && rows.every(({ status }) => status === 'unlocked'),
    2 * recoveryMs,
  );
  await eventually(
    () => ask(`select from import_items where unlock_status = 'pending' and status = 'filed'`),
    (rows) => rows.length === 0,
    recoveryMs,
  );
  await expectPaid(36);
});
