import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../postgres/database.ts';

export interface HealthOptions {
  database: Pick<Queryable, 'query'>;
}

const answerWithinMs = 1000;

/**
 * For orchestrators. `/health/live`: this process serves, so it need not be restarted. `/health/ready`: send it
 * requests, because its database answers within a second and can be written to, and it is not about to stop. The reason
 * names a part, no more.
 */
export async function healthRoutes(app: FastifyInstance, { database }: HealthOptions): Promise<void> {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  const databaseAnswers = sharedCheck(async () => {
    // The standby that takes over is read-only until it has.
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

/** Probes that arrive together share one question, so that a silent database is not asked without end. */
function sharedCheck(question: () => Promise<boolean>): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null;

  return () => {
    asked ??= question()
      .catch(() => false)
      .finally(() => {
        asked = null;
      });
    return within(answerWithinMs, asked);
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
