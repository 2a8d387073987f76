import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { call, createCompany, eventually } from '../support/service.ts';
import { aPdf } from './a-pdf.ts';
import { type DriveDouble, driveError, startDriveDouble } from './drive-double.ts';
import { importIds, importLinks, sourceSettings } from './import-service.ts';
import { type StoreDouble, startStoreDouble } from './store-double.ts';

let ground: Ground;
let drive: DriveDouble;
let store: StoreDouble;

beforeAll(async () => {
  [ground, drive, store] = await Promise.all([prepareGround(), startDriveDouble(), startStoreDouble()]);
});
afterAll(async () => {
  await endServers();
  await Promise.all([drive.stop(), store.stop()]);
  await ground.clear();
});

/** Returns the whole database as text. */
async function databaseText(): Promise<string> {
  const tables = await ground.db.query<{ name: string }>({
    name: '',
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables
           where schemaname not in ('pg_catalog', 'information_schema')`,
    values: [],
  });
  const rows = await Promise.all(
    tables.map(({ name }) =>
      ground.db.query<{ text: string }>({ name: '', text: `select t::text as text from ${name} t`, values: [] }),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

function filesText(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test('the token is nowhere but in the requests to the drive, and a link nowhere in the clear, also while they run', async () => {
  const server = await startServer({ ...ground.settings, ...sourceSettings(drive, store), LOG_LEVEL: 'debug' });
  const company = await createCompany(ground);
  const [token, rejected] = ['tok3n-that-is-good-0123456789', 'tok3n-that-is-refused-0123456789'];
  drive.tokens.add(token);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slowly = aPdf({ bytes: 300_000 });
  const hold = async (response: import('node:http').ServerResponse) => {
    response.write(slowly.subarray(0, 200_000));
    await held;
    response.end(slowly.subarray(200_000));
  };
  drive.add('slow', { bytes: slowly, gives: hold });
  drive.add('bad', { gives: (response) => driveError(response, 500, token) });
  drive.add('broken', { gives: (response) => response.socket?.destroy() });
  const link = store.at('/scl/fi/s3cretid/a.pdf?rlkey=s3cretkey', (response) => void hold(response));

  const running = Promise.all([
    importIds(server, company, ['slow', 'bad', 'broken'], { token, idempotencyKey: 'k' }),
    importLinks(server, company, [link]),
    importIds(server, company, ['slow'], { token: rejected }),
  ]);
  const states = () =>
    ground.db.query<object>({ name: '', text: `select 1 from import_items where status = 'running'`, values: [] });
  await eventually(states, (rows) => rows.length === 2);
  const whileRunning = [await databaseText(), filesText(ground.dataDir)].join('\n');
  const core = await promisify(execFile)('cat', [`/proc/${server.pid}/cmdline`, `/proc/${server.pid}/environ`]);
  letGo();
  const answers = await running;
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400]);
  await call(server, 'GET', '/imports', { key: company.key });

  const afterwards = [await databaseText(), filesText(ground.dataDir)].join('\n');
  const said = [server.stdout(), server.stderr(), core.stdout, ...answers.map(({ text }) => text)].join('\n');
  expect(afterwards).toContain('slow.pdf');
  expect(said).toContain('/imports');
  expect(drive.requests.some((request) => request.token === token)).toBe(true);
  for (const secret of [token, rejected, 's3cretid', 's3cretkey']) {
    for (const place of [whileRunning, afterwards, said]) expect(place.includes(secret), secret).toBe(false);
    for (const place of [whileRunning, afterwards]) {
      expect(place.includes(Buffer.from(secret).toString('hex')), secret).toBe(false);
      expect(place.includes(Buffer.from(secret).toString('base64').slice(0, -4)), secret).toBe(false);
    }
  }
});
