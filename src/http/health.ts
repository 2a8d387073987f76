import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../postgres/database.ts';

export interface HealthOptions {
  database: Pick<Queryable, 'query'>;
}

const answerWithinMs = 1000;

/**
 * Adds the health checks for orchestrators. `/health/live` answers 200 while the process serves requests.
 * `/health/ready` answers 200 if the database can be written to within a second and the process is not stopping. The
 * reason names only the failing part.
 */
export async function healthRoutes(app: FastifyInstance, { database }: HealthOptions): Promise<void> {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  const databaseAnswers = sharedCheck(async () => {
    // A standby is read-only until it has taken over.
    const text = `select where current_setting('transaction_read_only') = 'off'`;
    return (await database.query({ name: 'ready', text, values: [] })).length === 1;
  });

  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    if (isStopping) return reply.code(503).send({ status: 'not_ready', reason: 'stopping' });
    if (!(await databaseAnswers())) return reply.code(503).send({ status: 'not_ready', reason: 'database' });
    return { status: 'ready' };
  });
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
