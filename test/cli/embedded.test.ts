import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDataDir, postmasterPid, startProcess } from '../support/embedded.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { bin, execute, placeOn, temporaryDirectory } from './countersign.ts';

const isRunning = (dataDir: string) => {
  const pid = postmasterPid(dataDir);
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a command may come before the first start: it makes the database, and stops it again', async () => {
  const at = placeOn({ DATA_DIR: freshDataDir() });
  const account = await at.json('account', 'create', '--name', 'Early');
  expect(isRunning(at.dataDir)).toBe(false);
  expect(await at.json('account', 'list')).toEqual([account]);
  const { stderr } = await at.run('account', 'list');
  expect(stderr).toBe('');
});

test.each([
  ['backup', '--out', 'backup'],
  ['secrets', 'rotate'],
  ['account', 'export', '019cdd2e-8a31-7c55-9f0e-2f64c7a1b9d3', 'acme.zip'],
  ['account', 'erase', '019cdd2e-8a31-7c55-9f0e-2f64c7a1b9d3', '--confirm', 'Acme'],
  ['recipient', 'erase', '--email', 'ada@example.com', '--files', 'keep'],
  ['user', 'erase', '--email', 'ada@example.com'],
])('%s %s needs a database that is there, and makes none', async (...args) => {
  const at = placeOn({ DATA_DIR: join(freshDataDir(), 'data') });
  expect(await at.fails(1, ...args)).toBe(
    `${at.dataDir} has no database: set DATA_DIR or DATABASE_URL as for the service`,
  );
  expect(existsSync(at.dataDir)).toBe(false);
  expect(readdirSync(at.cwd)).toEqual([]);
});

test('a backup of an external database that is empty is refused', async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.drop());
  const at = placeOn({ DATABASE_URL: database.url });
  expect(await at.fails(1, 'backup', '--out', 'backup')).toMatch(/^the database is empty/);
  expect(readdirSync(at.cwd)).toEqual([]);
});

test('several commands at once share it, also when they have to make it', async () => {
  const at = placeOn({ DATA_DIR: freshDataDir() });
  await Promise.all(['one', 'two', 'three', 'four'].map((name) => at.json('account', 'create', '--name', name)));
  expect(await at.json('account', 'list')).toHaveLength(4);
  expect(isRunning(at.dataDir)).toBe(false);
});

test('while the service runs a command joins its database, and leaves it running', async () => {
  const at = placeOn({ DATA_DIR: freshDataDir() });
  await at.json('migrate'); // the process makes a table of its own
  const service = startProcess(at.dataDir, 'server');
  await service.attached;
  const pid = postmasterPid(at.dataDir);
  await at.json('account', 'create', '--name', 'While it runs');
  expect(postmasterPid(at.dataDir)).toBe(pid);
  expect(isRunning(at.dataDir)).toBe(true);
  service.kill('SIGTERM');
  await service.ended;
  expect(await at.json('account', 'list')).toHaveLength(1);
});

test('a command that is interrupted stops the database it started', async () => {
  const dataDir = freshDataDir();
  const at = placeOn({ DATA_DIR: dataDir });
  await at.json('migrate');
  const script = `"$1" account list & pid=$!
    while ! [ -f "$DATA_DIR/postgres/postmaster.pid" ]; do :; done
    kill -TERM $pid; wait $pid`;
  const { code } = await execute(
    '/bin/sh',
    ['-c', script, 'sh', bin],
    { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    '/',
  );
  expect([0, 143]).toContain(code);
  await expect.poll(() => isRunning(dataDir)).toBe(false);
  expect(await at.json('account', 'list')).toEqual([]);
});

test('a command that waits can be interrupted, and leaves the service its database', async () => {
  const dataDir = freshDataDir();
  await placeOn({ DATA_DIR: dataDir }).json('migrate');
  const service = startProcess(dataDir, 'server');
  const client = new pg.Client({ connectionString: await service.attached });
  await client.connect();
  await client.query('begin');
  await client.query('lock table accounts in access exclusive mode');

  const command = spawn(bin, ['account', 'list'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => command.once('exit', resolve));
  const waiting = async () => (await client.query('select from pg_locks where not granted')).rowCount;
  while (!(await waiting())) await sleep(20);
  command.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(isRunning(dataDir)).toBe(true);
  await client.end();
  service.kill('SIGTERM');
  await service.ended;
});

test('the doctor finds nothing wrong with a place that is still empty, and leaves it so', async () => {
  const at = placeOn({ DATA_DIR: join(temporaryDirectory(), 'data') });
  const checks = await at.json<Array<{ ok: boolean }>>('doctor');
  expect(checks.every(({ ok }) => ok)).toBe(true);
  expect(existsSync(at.dataDir)).toBe(false);
});

test('from a directory that is not the service’s, a new default database is remarked on', async () => {
  const elsewhere = freshDataDir();
  const run = () => execute(bin, ['account', 'list', '--json'], { PATH: process.env.PATH ?? '' }, elsewhere);
  const first = await run();
  expect(first.code).toBe(0);
  expect(first.stdout.toString()).toBe('[]\n');
  expect(first.stderr).toMatch(/^countersign: making a new database in \S+\/data: set DATA_DIR[^\n]*\n$/);
  expect((await run()).stderr).toBe('');
});
