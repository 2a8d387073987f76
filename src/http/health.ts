import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../postgres/database.ts';

/** Whether this process can do its work, for orchestrators. */
export interface Health {
  /** Asks the database, for a second at most. */
  readiness(): Promise<Readiness>;
  /** From now on the process is ready while the database is. */
  started(): void;
  /** From now on the process is not ready. */
  stopping(): void;
}

/** The reason names only the failing part. */
export type Readiness = { status: 'ready' } | { status: 'not_ready'; reason: 'starting' | 'stopping' | 'database' };

const answerWithinMs = 1000;

/** Ready means that the process has started, is not stopping, and can write to the database. */
export function createHealth(database: Pick<Queryable, 'query'>): Health {
  let phase: 'starting' | 'started' | 'stopping' = 'starting';
  const databaseAnswers = sharedCheck(async () => {
    // A standby is read-only until it has taken over.
    const text = `select where current_setting('transaction_read_only') = 'off'`;
    return (await database.query({ name: 'ready', text, values: [] })).length === 1;
  });
  return {
    async readiness() {
      if (phase !== 'started') return { status: 'not_ready', reason: phase };
      if (!(await databaseAnswers())) return { status: 'not_ready', reason: 'database' };
      return { status: 'ready' };
    },
    started() {
      if (phase === 'starting') phase = 'started';
    },
    stopping() {
      phase = 'stopping';
    },
  };
}

/** `/health/live` answers 200 while the process serves requests, `/health/ready` 200 or 503. */
export async function healthRoutes(app: FastifyInstance, { health }: { health: Health }): Promise<void> {
  app.addHook('preClose', async () => health.stopping());

  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const readiness = await health.readiness();
    return reply.code(statusOf(readiness)).send(readiness);
  });
}

/** The HTTP status that tells `readiness`. */
export function statusOf({ status }: Readiness): 200 | 503 {
  return status === 'ready' ? 200 : 503;
}

/** Shares one check among concurrent probes, so that checks of a silent database don't pile up. */
function sharedCheck(check: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;

  return () => {
    running ??= check()
      .catch(() => false)
      .finally(() => {
        running = null;
      });
    return within(answerWithinMs, running);
  };
}

async function within(ms: number, answer: Promise<boolean>): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
