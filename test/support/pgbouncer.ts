import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverUser } from '../../src/postgres/embedded-process.ts';
import { freePort } from './free-port.ts';
import { eventually } from './service.ts';

/** PgBouncer in transaction mode. */
export interface Pooler {
  /** Returns the address of the same database through the pooler. */
  through(databaseUrl: string): string;
  kill(signal: NodeJS.Signals): void;
  /** Starts it again on the same port after it was killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PoolerOptions {
  /** Connections to PostgreSQL. */
  size: number;
  /** Lines of the section `[pgbouncer]`. */
  settings?: readonly string[];
}

/** Starts PgBouncer in front of the server of `databaseUrl`, for all of its databases. */
export async function startPooler(databaseUrl: string, { size, settings = [] }: PoolerOptions): Promise<Pooler> {
  const server = new pg.Client({ connectionString: databaseUrl });
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pooler-'));
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.host} port=${server.port} user=${server.user}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    'max_client_conn = 500',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `admin_users = ${server.user}`,
    `logfile = ${join(directory, 'log')}`,
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  // It refuses to run as root. Its user must be the one that may enter the server's directory.
  const user = serverUser([]);
  if (user !== null) chownSync(directory, user.uid, user.gid);
  const through = (url: string) => {
    const { database } = new pg.Client({ connectionString: url });
    return `postgresql://${server.user}@127.0.0.1:${port}/${database}`;
  };

  const start = async () => {
    const child = spawn('pgbouncer', ['--quiet', file], { ...user, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended (${child.exitCode})`);
      const client = new pg.Client({ connectionString: through('postgresql:///pgbouncer') });
      client.on('error', () => {});
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    };
    await eventually(answers, (answered) => answered);
    return { child, ended };
  };
  let running = await start();
  return {
    through,
    kill: (signal) => void running.child.kill(signal),
    async restart() {
      await running.ended;
      running = await start();
    },
    async stop() {
      running.child.kill('SIGKILL');
      await running.ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
