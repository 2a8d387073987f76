import pg from 'pg';
import type { Log } from '../world/log.ts';
import { parseTimestamp } from './timestamp.ts';

export interface PoolOptions {
  url: string;
  connectionsMax: number;
  log: Log;
  /** `off` for counters that may lose their last instant in a power cut. */
  synchronousCommit?: 'on' | 'off';
  applicationName?: string;
  /** How long a connection, and then a statement, may take. */
  timeoutMs?: number;
}

export interface Pool {
  take(): Promise<pg.PoolClient>;
  /** After a failure the connection is not used again. */
  giveBack(client: pg.PoolClient, failures: readonly Error[]): void;
  end(): Promise<void>;
}

const defaultTimeoutMs = 2000;
/** The server gives up first, with an error that names the statement; the client's own limit is for a silent server. */
const clientGraceMs = 250;
const idleInTransactionTimeoutMs = 10_000;

/**
 * Pipelined connections. `pg` with a Unix socket and `pipeline: true` was the fastest for a transaction of several
 * statements (1.3 × the plain driver) and has the best tail latency of the drivers measured.
 */
export function openPool(options: PoolOptions): Pool {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    pipeline: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs + clientGraceMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    application_name: options.applicationName ?? 'countersign',
    options: sessionSettings(options.synchronousCommit ?? 'on', timeoutMs),
    types: { getTypeParser },
  } as pg.PoolConfig);
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', (error) => {
    // The pool ends before its connections have said goodbye: a server that stops meanwhile takes no work with it.
    if (!pool.ending) options.log.warn('database connection lost', { error });
  });

  // After a failover the old server may be silent for ever: where one connection was, those as old are not tried too.
  const openedAt = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now());
    // In the moment between the pool and its user nobody else listens, and an error unheard would end the process: the
    // server may say that it is ready and that it goes away in one breath. The next statement fails with it.
    client.on('error', () => {});
  });
  let suspectBefore = 0;

  return {
    async take() {
      for (;;) {
        const client = await pool.connect();
        if ((openedAt.get(client) ?? 0) >= suspectBefore) return client;
        client.release(true);
      }
    },
    giveBack(client, failures) {
      if (failures.some(isSilence)) suspectBefore = performance.now();
      client.release(failures[0]);
    },
    end: () => pool.end(),
  };
}

function sessionSettings(synchronousCommit: 'on' | 'off', statementTimeoutMs: number): string {
  const settings: Record<string, string> = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    synchronous_commit: synchronousCommit,
    // Every statement walks an index whatever its values are. Left to choose, the server plans the ones with a limit or
    // an array anew at each execution, which costs more than running them; and a plan made while a table was still empty
    // would go on reading all of it until its statistics are next gathered.
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

const parsers: Record<number, (value: string) => unknown> = {
  20: Number, // int8: counts and minutes, all below 2^53
  1184: parseTimestamp,
};

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format);
}

/** The client's own limit, see `clientGraceMs`: pg has no class or code for it. */
function isSilence(failure: Error): boolean {
  return failure.cause instanceof Error ? isSilence(failure.cause) : failure.message === 'Query read timeout';
}
