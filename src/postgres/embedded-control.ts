import pg from 'pg';

/**
 * Advisory locks record who uses the cluster. They vanish with their process, also after kill -9, so none is ever
 * stale. Every process shares `users`. A server holds `server` as well. A process that stops the cluster takes `users`
 * exclusively, which keeps new processes out.
 */
const lock = { users: 1, server: 2, setup: 3 } as const;
const lockSpace = 1_131_835_502;

export interface Control {
  /** Settles when the connection is lost for any reason. */
  lost: Promise<void>;
  /** Claims to be the only server. False if another process holds that claim. */
  claimServer(): Promise<boolean>;
  /** Id of the server's process, or null. */
  serverProcess(): Promise<string | null>;
  /**
   * Releases this process's use and waits for the other processes. True if nobody uses the cluster any more and no
   * process can join.
   */
  leaveEmpty(waitMs: number): Promise<boolean>;
  /** Creates a role and its database if they don't exist. Both get `name`, which must need no quotes. */
  ensureDatabase(name: string): Promise<void>;
  close(): Promise<void>;
}

export type ControlAttempt =
  | { kind: 'attached'; control: Control }
  | { kind: 'absent' } // nothing listens: the server does not run
  | { kind: 'busy'; cause: unknown }; // it starts, recovers or stops, or has no free connection

/** Connects to the cluster and registers as a user of it. `host` is the directory of the server's socket. */
export async function openControl(host: string): Promise<ControlAttempt> {
  const client = new pg.Client({
    host,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    application_name: `countersign control ${process.pid}`,
    connectionTimeoutMillis: 5000,
  });
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {}); // `end` follows
  try {
    await client.connect();
    if (await queryAnswer(client, 'pg_try_advisory_lock_shared($1, $2)', [lockSpace, lock.users])) {
      return { kind: 'attached', control: controlOver(client, lost) };
    }
    await client.end();
    return { kind: 'busy', cause: new Error('it is stopping') };
  } catch (cause) {
    client.end().catch(() => {});
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw cause;
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? { kind: 'absent' } : { kind: 'busy', cause };
  }
}

function controlOver(client: pg.Client, lost: Promise<void>): Control {
  return {
    lost,
    claimServer: () => queryAnswer(client, 'pg_try_advisory_lock($1, $2)', [lockSpace, lock.server]),
    serverProcess: () => queryAnswer(client, serverProcessSql, [lockSpace, lock.server]),
    leaveEmpty: (waitMs) => leaveEmpty(client, waitMs),
    ensureDatabase: (name) => ensureDatabase(client, name),
    close: () => client.end(),
  };
}

const serverProcessSql = `(
  select substring(activity.application_name from '\\d+$')
  from pg_locks join pg_stat_activity activity using (pid)
  where pg_locks.locktype = 'advisory' and granted and classid = $1 and objid = $2
)`;

async function leaveEmpty(client: pg.Client, waitMs: number): Promise<boolean> {
  await queryAnswer(client, 'pg_advisory_unlock_all()', []);
  if (waitMs === 0) return queryAnswer(client, 'pg_try_advisory_lock($1, $2)', [lockSpace, lock.users]);
  try {
    // New processes are refused while this waits.
    await client.query(`set lock_timeout = ${waitMs}`);
    await queryAnswer(client, 'pg_advisory_lock($1, $2)', [lockSpace, lock.users]);
    return true;
  } catch {
    return false;
  }
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const exists = () => queryAnswer<boolean>(client, 'exists (select from pg_database where datname = $1)', [name]);
  if (await exists()) return;
  await queryAnswer(client, 'pg_advisory_lock($1, $2)', [lockSpace, lock.setup]);
  try {
    if (await exists()) return;
    const hasRole = await queryAnswer<boolean>(client, 'exists (select from pg_roles where rolname = $1)', [name]);
    // A superuser could read files and run programs.
    if (!hasRole) await client.query(`create role ${name} login`);
    await client.query(`create database ${name} owner ${name}`);
  } finally {
    await queryAnswer(client, 'pg_advisory_unlock($1, $2)', [lockSpace, lock.setup]);
  }
}

async function queryAnswer<Answer>(client: pg.Client, expression: string, values: unknown[]): Promise<Answer> {
  const { rows } = await client.query(`select ${expression} as answer`, values);
  return rows[0].answer;
}
