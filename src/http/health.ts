import type { FastifyInstance } from 'fastify';

export interface HealthOptions {
  database: { query(statement: { name: string; text: string; values: unknown[] }): Promise<unknown> };
}

const answerWithinMs = 1000;

/**
 * For orchestrators. `/health/live`: this process serves, so it need not be restarted. `/health/ready`: send it
 * requests, because its database answers within a second and it is not about to stop. The reason names a part, no more.
 */
export async function healthRoutes(app: FastifyInstance, { database }: HealthOptions): Promise<void> {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  const databaseAnswers = sharedCheck(() => database.query({ name: 'ready', text: 'select 1', values: [] }));

  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    if (isStopping) return reply.code(503).send({ status: 'not_ready', reason: 'stopping' });
    if (!(await databaseAnswers())) return reply.code(503).send({ status: 'not_ready', reason: 'database' });
    return { status: 'ready' };
  });
}

/** Probes that arrive together share one question, so that a silent database is not asked without end. */
function sharedCheck(question: () => Promise<unknown>): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null;

  return () => {
    asked ??= question()
      .then(
        () => true,
        () => false,
      )
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
