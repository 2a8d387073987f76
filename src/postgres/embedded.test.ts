import {
  appendFileSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyDataDir, execute, freshDataDir, postmasterPid, startProcess } from '../../test/support/embedded.ts';
import { createLog } from '../platform/log.ts';
import { attachEmbedded } from './embedded.ts';
import { ServerAlreadyRunning } from './embedded-errors.ts';

const server = (dataDir: string) => attachEmbedded({ dataDir, purpose: 'server', log: createLog('silent') });
const command = (dataDir: string) => attachEmbedded({ dataDir, purpose: 'command', log: createLog('silent') });

let original = '';
const startedBefore = () => copyDataDir(original);

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'countersign-embedded-'));
  await (await server(original)).release();
  return () => rmSync(original, { recursive: true });
});

describe('one server', () => {
  test('creates the database at the first start and finds its data at the next', async () => {
    const dataDir = freshDataDir();
    const first = await server(dataDir);
    await execute(first.url, 'create table kept as select 42 as answer');
    await first.release();
    expect(postmasterPid(dataDir)).toBeNull();

    const second = await server(dataDir);
    expect(await execute(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.release();
  });

  test('syncs what it commits, and the service is not a superuser', async () => {
    const { url, release } = await server(startedBefore());
    const [row] = await execute(
      url,
      `select usesuper, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('server_encoding') as encoding from pg_user where usename = current_user`,
    );
    expect(row).toEqual({ usesuper: false, fsync: 'on', commit: 'on', encoding: 'UTF8' });
    await release();
  });

  test.runIf(process.platform === 'linux')('uses neither TCP nor TLS, whatever its settings file says', async () => {
    const dataDir = startedBefore();
    appendFileSync(join(dataDir, 'postgres/postgresql.conf'), "\nlisten_addresses = '127.0.0.1'\nssl = on\n");
    const { url, release } = await server(dataDir);
    const [row] = await execute(
      url,
      "select current_setting('ssl') as ssl, current_setting('listen_addresses') as addresses",
    );
    expect(row).toEqual({ ssl: 'off', addresses: '' });
    const pid = postmasterPid(dataDir);
    const opened = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    const sockets = new Set(opened.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]).filter(Boolean));
    expect(sockets.size).toBeGreaterThan(0);
    const tcp = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n'));
    expect(tcp.filter((line) => sockets.has(line.trim().split(/\s+/)[9]))).toEqual([]);
    await release();
  });

  test('works in a directory whose path is too long for a Unix socket', async () => {
    const dataDir = join(freshDataDir(), 'long'.repeat(30), 'ünï cödé & space');
    const { url, release } = await server(dataDir);
    expect(await execute(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await release();
  });

  test('does not log the values of statements', async () => {
    const dataDir = startedBefore();
    const { url, release } = await server(dataDir);
    await execute(url, "create table people (email text unique); insert into people values ('jane@example.com')");
    await expect(execute(url, "insert into people values ('jane@example.com')")).rejects.toThrow('duplicate');
    await release();
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('jane');
  });
});

describe('several processes', () => {
  test('a second server is refused, and a killed one frees its place at once', async () => {
    const dataDir = startedBefore();
    const first = startProcess(dataDir, 'server');
    await first.attached;
    const refusal = await server(dataDir).catch((error) => error);
    expect(refusal).toBeInstanceOf(ServerAlreadyRunning);
    expect(refusal.message).toBe(
      `another Countersign server is already running on DATA_DIR ${dataDir} (process ${first.pid})`,
    );
    first.kill('SIGKILL');
    await first.ended;
    await (await server(dataDir)).release();
  });

  test('commands share a running server, and the last command without one stops the database', async () => {
    const dataDir = startedBefore();
    const running = await server(dataDir);
    const pid = postmasterPid(dataDir);
    const first = await command(dataDir);
    await first.release();
    expect(postmasterPid(dataDir)).toBe(pid);
    await running.release();

    const [second, third] = await Promise.all([command(dataDir), command(dataDir)]);
    await second.release();
    expect(await execute(third.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await third.release();
    expect(postmasterPid(dataDir)).toBeNull();
  });

  test('a server waits for a short command to end, but not for a long one', async () => {
    const dataDir = startedBefore();
    const first = await server(dataDir);
    const short = startProcess(dataDir, 'command', { holdMs: 500 });
    await short.attached;
    await first.release();
    expect(await short.ended).toMatchObject({ code: 0 });

    const second = await server(dataDir);
    await startProcess(dataDir, 'command').attached;
    const before = performance.now();
    await second.release();
    expect(performance.now() - before).toBeLessThan(60_000);
    expect(postmasterPid(dataDir)).toBeNull();
  });

  test('eight commands at once succeed, from the very first start on, while servers come and go', async () => {
    const dataDir = freshDataDir();
    const rounds = 2;
    const serverDone = (async () => {
      for (let round = 0; round < 3 * rounds; round += 1) {
        const ended = await startProcess(dataDir, 'server', { holdMs: 50 * round }).ended;
        expect(ended).toMatchObject({ code: 0 });
      }
    })();
    for (let round = 0; round < rounds; round += 1) {
      const commands = Array.from({ length: 8 }, () => startProcess(dataDir, 'command', { holdMs: 5 }).ended);
      for (const ended of await Promise.all(commands)) expect(ended).toMatchObject({ code: 0 });
    }
    await serverDone;

    const { url, release } = await command(dataDir);
    expect(await execute(url, 'select count(*)::int as visits from visits')).toEqual([{ visits: rounds * 11 }]);
    await release();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
  });
});

describe('after a crash', () => {
  test('a killed server loses nothing, and the next one joins the database that kept running', async () => {
    const dataDir = startedBefore();
    const killed = startProcess(dataDir, 'server');
    await execute(await killed.attached, 'create table kept as select 42 as answer');
    const pid = postmasterPid(dataDir);
    killed.kill('SIGKILL');
    await killed.ended;

    const next = await server(dataDir);
    expect(postmasterPid(dataDir)).toBe(pid);
    expect(await execute(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await next.release();
    expect(postmasterPid(dataDir)).toBeNull();
  });

  test('Ctrl-C in the terminal of the service does not reach the database', async () => {
    const dataDir = startedBefore();
    const service = startProcess(dataDir, 'server');
    const url = await service.attached;
    process.kill(-service.pid, 'SIGINT');
    await service.ended;
    expect(await execute(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each(['the database server', 'one of its parts'])(
    '%s is killed: it comes back on the same address',
    async (what) => {
      const dataDir = startedBefore();
      let log = '';
      const { url, release } = await attachEmbedded({
        dataDir,
        purpose: 'server',
        log: createLog('info', (line) => {
          log += line;
        }),
      });
      const pool = new pg.Pool({ connectionString: url });
      pool.on('error', () => {});
      await pool.query('create table kept as select 42 as answer');
      const busy = pool.query('select pg_sleep(60)').catch((error) => error);
      const backend = (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;

      process.kill(what === 'one of its parts' ? backend : Number(postmasterPid(dataDir)), 'SIGKILL');
      expect(await busy).toBeInstanceOf(Error);
      expect(await eventually(() => pool.query('select answer from kept'))).toMatchObject({ rows: [{ answer: 42 }] });
      // It is the one server again.
      await expect.poll(() => log).toContain('embedded database available again');
      await expect(server(dataDir)).rejects.toThrow(ServerAlreadyRunning);
      await pool.end();
      await release();
      expect(postmasterPid(dataDir)).toBeNull();
    },
  );

  test('a server can be released while its database is down', async () => {
    const dataDir = startedBefore();
    const { release } = await server(dataDir);
    process.kill(Number(postmasterPid(dataDir)), 'SIGKILL');
    await release();
    await (await server(dataDir)).release();
  });

  test('a first start killed at any moment leaves nothing half-created', async () => {
    const dataDir = freshDataDir();
    for (const lifeMs of [120, 200, 300, 400, 500, 700]) {
      const starter = startProcess(dataDir, 'server');
      await sleep(lifeMs + Math.random() * 50);
      starter.kill('SIGKILL');
      await starter.ended;
    }
    const { url, release } = await server(dataDir);
    expect(await execute(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await release();

    const past = new Date(Date.now() - 60_000);
    for (const name of readdirSync(dataDir)) utimesSync(join(dataDir, name), past, past);
    await (await server(dataDir)).release();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
  });

  test('the lock of a dead server may hold a reused process id', async () => {
    const dataDir = startedBefore();
    const { release } = await server(dataDir);
    const lock = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    await release();
    const reused = lock.replace(/^\d+/, String(process.pid));
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) leaveBehind(dataDir, name, reused);
    await (await server(dataDir)).release();
  });

  test('the lock of a dead server may be empty', async () => {
    const dataDir = startedBefore();
    leaveBehind(dataDir, 'postmaster.pid', '');
    await (await server(dataDir)).release();
  });
});

describe('errors that an operator must fix', () => {
  test('data of another major version', async () => {
    const dataDir = startedBefore();
    leaveBehind(dataDir, 'PG_VERSION', '14\n');
    await expect(server(dataDir)).rejects.toThrow(/made by PostgreSQL 14, this version of Countersign includes 18/);
  });

  test('a DATA_DIR that is a file', async () => {
    const dataDir = join(freshDataDir(), 'file');
    writeFileSync(dataDir, '');
    await expect(server(dataDir)).rejects.toThrow(`DATA_DIR ${dataDir} cannot be used: it is not a directory`);
  });

  test('data that belongs to another user', async () => {
    const dataDir = startedBefore();
    if (process.getuid?.() !== 0) return;
    chownSync(join(dataDir, 'postgres'), 0, 0);
    await expect(server(dataDir)).rejects.toThrow('belongs to user 0, but the database would run as user 65534');
  });

  test("a configuration that the database server refuses, in that server's words", async () => {
    const dataDir = startedBefore();
    leaveBehind(dataDir, 'postgresql.auto.conf', "wal_level = 'nonsense'\n");
    const refusal = await server(dataDir).catch((error) => error);
    expect(refusal.message).toMatch(/did not start: .*"wal_level": "nonsense"/);
    expect(refusal.message).not.toContain('\n');
  });
});

/** A file in the data directory as an earlier server of the same user would have left it some time ago. */
function leaveBehind(dataDir: string, name: string, content: string): void {
  const path = join(dataDir, 'postgres', name);
  writeFileSync(path, content, { mode: 0o600 });
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(path, uid, gid);
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
}

async function eventually<T>(act: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
