import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { readConfig } from '../../src/config.ts';
import { createFileStore, type FileStore } from '../../src/platform/files.ts';
import { FileStoreError } from '../../src/platform/files-error.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { execute as sql } from '../support/embedded.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import { type Place, placeOn, temporaryDirectory } from './countersign.ts';

/** A service with a sealed document, one in progress, and one whose request waits for a mail server that is down. */
let app: TestService;
let company: Company;
let sealedId: string;
let waitingId: string;
let backup: string;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  sealedId = await createSent(app, company.key, { recipients: [{ name: 'Ada', email: 'ada@example.com' }] });
  await inMailbox(app.dataDir, 'ada@example.com');
  await signAs(app, 'ada@example.com', 'Ada Lovelace');
  await createDraft(app, company.key, { title: 'Tab\tnewline\nback\\slash \\N é 漢 "quoted"' });
  await eventually(
    () => app.db.query({ name: '', text: 'select from documents where sealed_at is not null', values: [] }),
    (sealed) => sealed.length === 1,
  );
  await stopMail();
  waitingId = await createSent(app, company.key, { recipients: [{ name: 'Grace', email: 'grace@example.com' }] });
  backup = join(app.dataDir, 'backup');
});
afterAll(() => app.stop());

/** Removes the mailbox, so that requests wait in the queue. The copies of the sealed PDF are written first. */
async function stopMail(): Promise<void> {
  await eventually(
    () => app.db.query({ name: '', text: waitingMail, values: [] }),
    (waiting) => waiting.length === 0,
  );
  rmSync(join(app.dataDir, 'mailbox'), { recursive: true, force: true });
  writeFileSync(join(app.dataDir, 'mailbox'), 'in the way');
}

const waitingMail = `select from jobs.job where name = 'deliver-message' and state in ('created', 'retry', 'active')`;

/** The command line on the service's machine. */
const here = () => placeOn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });

function inMailbox(dataDir: string, to: string) {
  return eventually(
    () => listMailbox(join(dataDir, 'mailbox'), { to }),
    (found) => found.length > 0,
  );
}

/** An empty database with its own DATA_DIR. */
async function elsewhere(settings: Record<string, string> = {}): Promise<Place & { database: FreshDatabase }> {
  const database = await freshDatabase();
  databases.push(database);
  return { ...placeOn({ DATABASE_URL: database.url, DATA_DIR: temporaryDirectory(), ...settings }), database };
}
const databases: FreshDatabase[] = [];
afterAll(() => Promise.all(databases.map((database) => database.drop())));

test('a restored service is the service: keys, lists, files, and what it had yet to send', async () => {
  const at = here();
  await at.json('webhook', 'create', '--account', company.id, '--url', 'https://example.com/hook', '--events', 'all');
  const saved = await at.json<{ rows: number; files: number }>('backup', '--out', backup);
  expect(saved).toMatchObject({ directory: backup, files: 1, missing_files: [] });
  expect(statSync(backup).mode & 0o077).toBe(0);

  const next = await elsewhere();
  const restored = await next.json('restore', '--from', backup);
  expect(restored).toEqual(saved);

  const before = await call(app, 'GET', '/documents', { key: company.key });
  const revived = await startTestService({
    databaseUrl: next.database.url,
    env: { DATA_DIR: next.dataDir },
    clock: app.clock,
  });
  try {
    const after = await call(revived, 'GET', '/documents', { key: company.key });
    expect(after.body).toEqual(before.body);
    await inMailbox(next.dataDir, 'grace@example.com');
    await signAs({ ...revived, dataDir: next.dataDir }, 'grace@example.com', 'Grace Hopper');
    expect((await call(revived, 'GET', `/documents/${waitingId}`, { key: company.key })).body.status).toBe('completed');
    expect(await next.json('webhook', 'list', '--account', company.id)).toHaveLength(1);
    expect(await next.json('account', 'list')).toEqual(await at.json('account', 'list'));
  } finally {
    await revived.stop();
  }

  const [ours, theirs] = [join(temporaryDirectory(), 'a.pdf'), join(temporaryDirectory(), 'b.pdf')];
  await at.json('document', 'download', sealedId, '--out', ours);
  await next.json('document', 'download', sealedId, '--out', theirs);
  expect(readFileSync(theirs).equals(readFileSync(ours))).toBe(true);
  // It is verified with the certificate in the backup. Exit code 0 means valid.
  await next.json('verify', theirs);
});

test('a backup outlives the time that transactions may be idle', async () => {
  const at = await elsewhere({ SECRET_KEY: Buffer.alloc(32).toString('base64') });
  const name = new URL(at.database.url).pathname.slice(1);
  await sql(at.database.url, `alter database ${name} set idle_in_transaction_session_timeout = '1ms'`);
  await at.json('backup', '--out', join(temporaryDirectory(), 'backup'));
});

test('a directory that holds anything is not written into', async () => {
  const at = here();
  const taken = temporaryDirectory();
  writeFileSync(join(taken, 'precious'), 'x');
  expect(await at.fails(1, 'backup', '--out', taken)).toMatch(/is not empty/);
  expect(readdirSync(taken)).toEqual(['precious']);
  for (const place of [join(taken, 'precious'), '/proc/nope/backup']) {
    expect(await at.fails(1, 'backup', '--out', place)).toMatch(/cannot be made/);
  }
  expect(await at.fails(2, 'backup')).toMatch(/--out/);
});

test('a file that the store has lost, or holds other bytes for, costs the others neither their backup nor their restore', async () => {
  const at = here();
  const [name] = readdirSync(join(at.dataDir, 'files', 'sha256'), { recursive: true, encoding: 'utf8' }).filter(
    (entry) => entry.length > 60,
  );
  const stored = join(at.dataDir, 'files', 'sha256', name as string);
  const bytes = readFileSync(stored);
  const key = `sha256/${name}`;
  for (const spoil of [() => writeFileSync(stored, Buffer.concat([bytes, Buffer.from('!')])), () => rmSync(stored)]) {
    const saved = join(temporaryDirectory(), 'backup');
    spoil();
    try {
      expect(await at.json('backup', '--out', saved)).toMatchObject({ files: 0, missing_files: [key] });
    } finally {
      writeFileSync(stored, bytes);
    }
    const restored = await (await elsewhere()).json('restore', '--from', saved);
    expect(restored).toMatchObject({ files: 0, missing_files: [key] });
  }
});

/** Makes a directory in place of a stored file. Returns its key, by default one that sorts before those of other files. */
async function unreadableFile(at: Place, start = '0000'): Promise<string> {
  const hex = `${start}${randomBytes(30).toString('hex')}`;
  const key = `sha256/${hex.slice(0, 2)}/${hex.slice(2)}`;
  mkdirSync(join(at.dataDir, 'files', key), { recursive: true });
  await sql(
    at.databaseUrl as string,
    `insert into stored_files (sha256, bytes, reference_count, created_at) values ('\\x${hex}', 9, 1, now())`,
  );
  return key;
}

test('a file that the store cannot read does not cost the others their backup', async () => {
  const at = here();
  const key = await unreadableFile(at);
  try {
    const saved = join(temporaryDirectory(), 'backup');
    expect(await at.json('backup', '--out', saved)).toMatchObject({ files: 1, missing_files: [key] });
    expect(existsSync(join(saved, 'files', key))).toBe(false);
  } finally {
    rmSync(join(at.dataDir, 'files', key), { recursive: true });
    await sql(at.databaseUrl as string, 'delete from stored_files where bytes = 9');
  }
});

test('a store that cannot read eleven files in a row fails the backup', async () => {
  const at = here();
  const keys = [];
  for (let count = 0; count < 11; count += 1) keys.push(await unreadableFile(at));
  try {
    const failed = await at.fails(1, 'backup', '--out', join(temporaryDirectory(), 'backup'));
    expect(failed).toMatch(/could not read the file/);
  } finally {
    for (const key of keys) rmSync(join(at.dataDir, 'files', key), { recursive: true });
    await sql(at.databaseUrl as string, 'delete from stored_files where bytes = 9');
  }
});

test('damaged files that are the last ones, or all, are named in the backup while the store answers', async () => {
  const at = here();
  const files = join(at.dataDir, 'files', 'sha256');
  const copy = join(temporaryDirectory(), 'sha256');
  cpSync(files, copy, { recursive: true });
  const keys = [await unreadableFile(at, 'ffff'), await unreadableFile(at, 'ffff')].sort();
  try {
    expect(await at.json('backup', '--out', join(temporaryDirectory(), 'backup'))).toMatchObject({
      files: 1,
      missing_files: keys,
    });
    const stored = readdirSync(files, { recursive: true, encoding: 'utf8' }).find(
      (name) => name.length > 60 && !keys.includes(`sha256/${name}`),
    ) as string;
    rmSync(join(files, stored));
    mkdirSync(join(files, stored));
    expect(await at.json('backup', '--out', join(temporaryDirectory(), 'backup'))).toMatchObject({
      files: 0,
      missing_files: [`sha256/${stored}`, ...keys],
    });
    // Now the store answers nothing, not even that a file isn't there.
    rmSync(files, { recursive: true });
    writeFileSync(files, '');
    expect(await at.fails(1, 'backup', '--out', join(temporaryDirectory(), 'backup'))).toMatch(
      /could not get the file/,
    );
  } finally {
    rmSync(files, { recursive: true });
    cpSync(copy, files, { recursive: true });
    await sql(at.databaseUrl as string, 'delete from stored_files where bytes = 9');
  }
});

test('a store that becomes unavailable at the last file fails the backup', async () => {
  const key = await unreadableFile(here(), 'ffff');
  const files = createFileStore(`file://${app.dataDir}/files`, readConfig({}).s3);
  let isAway = false;
  const failing: FileStore = {
    ...files,
    async get(asked) {
      isAway ||= asked === key;
      if (isAway) throw new FileStoreError(`could not get the file ${asked}`);
      return files.get(asked);
    },
  };
  const source = { databaseUrl: app.databaseUrl, dataDir: app.dataDir, files: failing, secretKey: Buffer.alloc(32) };
  try {
    const backup = writeBackup({ ...source, now: app.clock.now() }, join(temporaryDirectory(), 'backup'));
    await expect(backup).rejects.toThrow(`could not get the file ${key}`);
  } finally {
    rmSync(join(app.dataDir, 'files', key), { recursive: true });
    await sql(app.databaseUrl, 'delete from stored_files where bytes = 9');
  }
});

test('a restore replaces a file of the store that is damaged', async () => {
  const next = await elsewhere();
  const [key] = readdirSync(join(backup, 'files'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.length > 60,
  );
  const stored = join(next.dataDir, 'files', key as string);
  mkdirSync(dirname(stored), { recursive: true });
  const bytes = readFileSync(join(backup, 'files', key as string));
  writeFileSync(stored, bytes.subarray(0, 100));
  await next.json('restore', '--from', backup);
  expect(readFileSync(stored).equals(bytes)).toBe(true);
});

test('a backup without the secret key is restored only where the same key is set', async () => {
  const key = join(backup, 'secrets', 'secret.key');
  const text = readFileSync(key, 'utf8');
  rmSync(key);
  try {
    expect(await (await elsewhere()).fails(1, 'restore', '--from', backup)).toMatch(
      /has no secret key.*set it to the same/,
    );
    const other = await elsewhere();
    writeFileSync(join(other.dataDir, 'secret.key'), `${Buffer.alloc(32, 8).toString('base64')}\n`);
    expect(await other.fails(1, 'restore', '--from', backup)).toMatch(/the secret key found is not the one/);
    const same = await elsewhere({ SECRET_KEY: text.trim() });
    expect(await same.json('restore', '--from', backup)).toMatchObject({ files: 1 });
  } finally {
    writeFileSync(key, text);
  }
  const keyless = await elsewhere();
  expect(await keyless.fails(1, 'backup', '--out', join(temporaryDirectory(), 'b'))).toMatch(/SECRET_KEY is not set/);
});

test('a database that is in use, another SECRET_KEY or another DATA_DIR is left alone', async () => {
  expect(await here().fails(1, 'restore', '--from', backup)).toMatch(/holds accounts already \(1\)/);
  const otherKey = await elsewhere({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  expect(await otherKey.fails(1, 'restore', '--from', backup)).toMatch(/SECRET_KEY is not the one/);
  const otherData = await elsewhere();
  writeFileSync(join(otherData.dataDir, 'secret.key'), `${Buffer.alloc(32, 8).toString('base64')}\n`);
  expect(await otherData.fails(1, 'restore', '--from', backup)).toMatch(/secret.key is another/);
});

test('a database that was migrated further than the backup is named, and an empty one is asked for', async () => {
  const older = join(temporaryDirectory(), 'backup');
  cpSync(backup, older, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(older, 'manifest.json'), 'utf8'));
  const { name } = manifest.migrations.pop();
  writeFileSync(join(older, 'manifest.json'), JSON.stringify(manifest));
  const said = await (await elsewhere()).fails(1, 'restore', '--from', older);
  expect(said).toContain(`the database was migrated to ${name} already`);
});

test('half a backup, a damaged one and none are refused, and a second try succeeds', async () => {
  const next = await elsewhere();
  expect(await next.fails(1, 'restore', '--from', temporaryDirectory())).toMatch(/holds no backup/);
  expect(await next.fails(1, 'restore', '--from', '/nonexistent')).toMatch(/holds no backup/);

  const table = join(backup, 'tables', 'documents');
  const kept = join(temporaryDirectory(), 'kept');
  copyFileSync(table, kept);
  writeFileSync(table, readFileSync(table, 'latin1').replace('Roof', 'Root'), 'latin1');
  expect(await next.fails(1, 'restore', '--from', backup)).toMatch(/tables\/documents is not as it was saved/);
  copyFileSync(kept, table);

  const manifest = join(backup, 'manifest.json');
  copyFileSync(manifest, kept);
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace(/("columns": \[\s*")id"/, "$1id) to program 'true' --\""),
  );
  expect(await next.fails(1, 'restore', '--from', backup)).toMatch(/not those of its schema/);
  writeFileSync(manifest, '{');
  expect(await next.fails(1, 'restore', '--from', backup)).toMatch(/not that of a backup/);
  copyFileSync(kept, manifest);

  const [key] = readdirSync(join(backup, 'files'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.length > 60,
  );
  const file = join(backup, 'files', key as string);
  copyFileSync(file, kept);
  const bytes = readFileSync(file);
  bytes[1000] = (bytes[1000] as number) ^ 1;
  writeFileSync(file, bytes);
  const fresh = await elsewhere();
  expect(await fresh.fails(1, 'restore', '--from', backup)).toMatch(/is not as it was saved/);
  copyFileSync(kept, file);

  await next.json('restore', '--from', backup);
  await fresh.json('restore', '--from', backup);
});
