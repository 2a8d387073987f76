import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateQueue } from '../../src/jobs/job-queue.ts';
import { createLog } from '../../src/platform/log.ts';
import { findBinaries } from '../../src/postgres/embedded-binaries.ts';
import { runProgram, serverEnvironment, serverUser } from '../../src/postgres/embedded-process.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { addDays } from '../../src/usage/request-log-days.ts';
import { memoryDirectory } from './memory-directory.ts';
import { openTestDatabase } from './open-database.ts';
import { databaseUrl } from './postgres.ts';
import { TestClock } from './test-clock.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The maintenance database of the server under test, where databases are created and dropped. */
    adminDatabaseUrl: string;
    /** A migrated, empty database that `freshDatabase` clones. */
    templateDatabase: string;
  }
}

/** Starts one PostgreSQL for the whole run: the embedded one, or the server in TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const externalUrl = process.env.TEST_DATABASE_URL;
  const server = externalUrl ? { url: externalUrl, stop: async () => {} } : await startTestCluster();
  // Several runs may use an external server at once.
  const template = externalUrl ? `template_countersign_${randomBytes(4).toString('hex')}` : 'template_countersign';

  try {
    await execute(server.url, `create database ${template} template template0`);
    await migrate(databaseUrl(server.url, template));
    await migrateQueue(databaseUrl(server.url, template), createLog('warn'));
    await addFirstDays(databaseUrl(server.url, template));
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('adminDatabaseUrl', server.url);
  project.provide('templateDatabase', template);

  return async () => {
    if (externalUrl) await execute(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

/** What each service would otherwise do at its start. */
async function addFirstDays(url: string): Promise<void> {
  const db = openTestDatabase(url);
  await addDays(db, new TestClock().now()).finally(() => db.close());
}

interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** Ends with its standard input, so that a killed run leaves no processes or files. */
const livesWithStdin = `
  directory=$1; shift
  "$@" & server=$!
  read -r _
  kill -QUIT $server; wait $server
  rm -rf "$directory"
`;

/** A cluster in memory without fsync: it only has to survive until the run ends. */
async function startTestCluster(): Promise<TestServer> {
  const directory = mkdtempSync(join(memoryDirectory ?? tmpdir(), 'countersign-test-'));
  const user = serverUser([]);
  if (user !== null) chownSync(directory, user.uid, user.gid);
  const { initdb, postgres } = await findBinaries(user, directory);
  const data = join(directory, 'data');
  const created = await runProgram(initdb, [`--pgdata=${data}`, ...clusterOptions], directory, user);
  if (created.code !== 0) throw new Error(`initdb failed:\n${created.output}`);

  const log = openSync(join(directory, 'log'), 'w');
  const settings = Object.entries({ ...serverSettings, unix_socket_directories: directory });
  const assignments = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(
    '/bin/sh',
    ['-c', livesWithStdin, 'test-postgres', directory, postgres, '-D', data, ...assignments],
    { ...user, detached: true, cwd: directory, env: serverEnvironment, stdio: ['pipe', log, log] },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.stdin?.end();
    await ended;
  };

  const url = `postgresql:///postgres?host=${encodeURIComponent(directory)}&port=5432&user=postgres`;
  await untilReady(url).catch(async (error) => {
    const reason = readFileSync(join(directory, 'log'), 'utf8');
    await stop();
    throw new Error(`the test server did not start: ${error.message}\n${reason}`);
  });
  return { url, stop };
}

const clusterOptions = [
  '--username=postgres',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--locale=C.UTF-8',
  '--no-sync',
];

const serverSettings = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  // The default starts a process for one of the many databases every second.
  autovacuum_naptime: '10min',
  shared_buffers: '64MB',
};

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await execute(url, 'select 1');
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
