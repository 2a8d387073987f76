import pg from 'pg';

/**
 * A connection of its own that says who uses the cluster, by advisory locks: they vanish with their process, even one
 * that is killed, so nothing stale is ever left. Every user shares `users`; a server alone holds `server` as well; who
 * wants to stop the cluster takes `users` for itself, and from then on nobody new gets in.
 */
const lock = { users: 1, server: 2, setup: 3 } as const;
const lockSpace = 1_131_835_502;

export interface Control {
  /** Settles when the connection is gone, for whatever reason. */
  lost: Promise<void>;
  /** Takes the place of the one server. False: another has it. */
  claimServer(): Promise<boolean>;
  /** The process that holds that place, or null. */
  serverProcess(): Promise<string | null>;
  /** Ends our own use and waits for that of others to end. True: nobody uses the cluster, nor will. */
  leaveEmpty(patienceMs: number): Promise<boolean>;
  /** Creates a role and its database unless they exist. Both get the name, which must need no quotes. */
  ensureDatabase(name: string): Promise<void>;
  close(): Promise<void>;
}

export type ControlAttempt =
  | { kind: 'attached'; control: Control }
  | { kind: 'absent' } // nobody listens: the server does not run
  | { kind: 'busy'; cause: unknown }; // it starts, recovers, stops, or has no connection free

/** Connects and registers as a user of the cluster. `host` is the directory of the server's socket. */
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
    if (await ask(client, 'pg_try_advisory_lock_shared($1, $2)', [lockSpace, lock.users])) {
      return { kind: 'attached', control: controlOver(client, lost) };
    }
    await client.end();
    return { kind: 'busy', cause: new Error('it is being stopped') };
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
    claimServer: () => ask(client, 'pg_try_advisory_lock($1, $2)', [lockSpace, lock.server]),
    serverProcess: () => ask(client, serverProcessSql, [lockSpace, lock.server]),
    leaveEmpty: (patienceMs) => leaveEmpty(client, patienceMs),
    ensureDatabase: (name) => ensureDatabase(client, name),
    close: () => client.end(),
  };
}

const serverProcessSql = `(
  select substring(activity.application_name from '\\d+$')
  from pg_locks join pg_stat_activity activity using (pid)
  where pg_locks.locktype = 'advisory' and granted and classid = $1 and objid = $2
)`;

async function leaveEmpty(client: pg.Client, patienceMs: number): Promise<boolean> {
  await ask(client, 'pg_advisory_unlock_all()', []);
  if (patienceMs === 0) return ask(client, 'pg_try_advisory_lock($1, $2)', [lockSpace, lock.users]);
  try {
    // While this waits, newcomers are turned away.
    await client.query(`set lock_timeout = ${patienceMs}`);
    await ask(client, 'pg_advisory_lock($1, $2)', [lockSpace, lock.users]);
    return true;
  } catch {
    return false;
  }
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const exists = () => ask<boolean>(client, 'exists (select from pg_database where datname = $1)', [name]);
  if (await exists()) return;
  await ask(client, 'pg_advisory_lock($1, $2)', [lockSpace, lock.setup]);
  try {
    if (await exists()) return;
    const hasRole = await ask<boolean>(client, 'exists (select from pg_roles where rolname = $1)', [name]);
    // Not a superuser, whom PostgreSQL would let read files and run programs.
    if (!hasRole) await client.query(`create role ${name} login`);
    await client.query(`create database ${name} owner ${name}`);
  } finally {
    await ask(client, 'pg_advisory_unlock($1, $2)', [lockSpace, lock.setup]);
  }
}

async function ask<Answer>(client: pg.Client, expression: string, values: unknown[]): Promise<Answer> {
  const { rows } = await client.query(`select ${expression} as answer`, values);
  return rows[0].answer;
}
