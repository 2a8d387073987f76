import pg from 'pg';
import type { Log } from '../platform/log.ts';
import { BatchingSocket } from './batching-socket.ts';
import { parseTimestamp } from './timestamp.ts';

export interface PoolOptions {
  url: string;
  /**
   * Whether `url` leads through a pooler in transaction mode, such as PgBouncer. Consecutive transactions may then run on
   * different connections of the server, so nothing is kept in a session: each transaction sets its own settings, and no
   * statement is prepared under a name.
   */
  throughPooler?: boolean;
  connectionsMax: number;
  log: Log;
  /** `off` for counters that may lose their last moments in a power cut. */
  synchronousCommit?: 'on' | 'off';
  applicationName?: string;
  /** Time limit for connecting, and for each statement. */
  timeoutMs?: number;
}

export interface Pool {
  throughPooler: boolean;
  /** Time limit for each statement, on the server. */
  timeoutMs: number;
  /** The SQL that begins a transaction. */
  begin: string;
  take(): Promise<pg.PoolClient>;
  /** Releases a connection. It is closed if there were failures. */
  giveBack(client: pg.PoolClient, failures: readonly Error[]): void;
  counts(): ConnectionCounts;
  end(): Promise<void>;
}

/** Connections of a pool, and callers that wait for one. */
export interface ConnectionCounts {
  used: number;
  idle: number;
  waiting: number;
}

const defaultTimeoutMs = 2000;
/**
 * The server's limit comes first, with an error that names the statement. The client's limit is for a silent server.
 */
const clientGraceMs = 250;
const idleInTransactionTimeoutMs = 10_000;

/**
 * Opens a pool of pipelined connections. `pg` on a Unix socket with `pipeline: true` was the fastest driver measured
 * for transactions of several statements (1.3 × the plain driver), with the best tail latency.
 */
export function openPool(options: PoolOptions): Pool {
  const { throughPooler = false, timeoutMs = defaultTimeoutMs } = options;
  const settings = settingsOf(options.synchronousCommit ?? 'on', timeoutMs);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    pipeline: true,
    stream: () => new BatchingSocket(),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs + clientGraceMs,
    application_name: options.applicationName ?? 'countersign',
    ...(!throughPooler && { options: asStartupOptions(settings) }),
    types: { getTypeParser },
  } as pg.PoolConfig);
  // A broken idle connection is replaced at its next use. Without a listener the error would end the process.
  pool.on('error', (error) => {
    // `pool.end()` returns before its connections are closed. If the server stops meanwhile, no work is lost.
    if (!pool.ending) options.log.warn('database connection lost', { error });
  });

  // After a failover the old server may stay silent, or become a standby. Connections that are as old as one that met
  // this are not tried.
  const openedAt = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now());
    // Between the pool and its user nothing else listens for errors, and an unhandled one would end the process. The
    // next statement on the connection fails with it.
    client.on('error', () => {});
  });
  let suspectBefore = 0;

  return {
    throughPooler,
    timeoutMs,
    begin: throughPooler ? `begin; ${asLocalSettings(settings)}` : 'begin',
    async take() {
      for (;;) {
        const client = await pool.connect();
        if ((openedAt.get(client) ?? 0) >= suspectBefore) return client;
        client.release(true);
      }
    },
    giveBack(client, failures) {
      if (failures.some(isSilence) || failures.some(isReadOnly)) suspectBefore = performance.now();
      client.release(failures[0]);
    },
    counts: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
  };
}

function settingsOf(synchronousCommit: 'on' | 'off', statementTimeoutMs: number): Record<string, string> {
  return {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionTimeoutMs),
    synchronous_commit: synchronousCommit,
    // Every statement uses an index for any values. The planner would replan statements with a limit or an array at
    // each execution, which costs more than running them. And a plan made while a table was empty would read the whole
    // table until the next statistics.
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
  };
}

function asStartupOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Settings for one transaction. They travel with its begin, so they cost no round trip. */
function asLocalSettings(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join('; ');
}

const parsers: Record<number, (value: string) => unknown> = {
  20: Number, // int8: counts and minutes, below 2^53
  1184: parseTimestamp,
};

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format);
}

/** Whether the client's own limit ended a query (see `clientGraceMs`). pg has no class or code for it. */
function isSilence(failure: Error): boolean {
  return failure.cause instanceof Error ? isSilence(failure.cause) : failure.message === 'Query read timeout';
}

/** Whether a standby refused a write. */
export function isReadOnly(failure: Error): boolean {
  return failure.cause instanceof Error ? isReadOnly(failure.cause) : (failure as pg.DatabaseError).code === '25006';
}
