import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { countAnswers, createMetrics } from './metrics.ts';

async function serverWithRoutes() {
  const metrics = createMetrics();
  const app = Fastify();
  await app.register(countAnswers, { metrics });
  await app.register(async (scope) => {
    scope.get('/sign/:token', async () => 'page');
    scope.get('/broken', async (request, reply) => {
      request.errorCode = 'internal_error';
      return reply.code(500).send('');
    });
  });
  const scrape = () => metrics.text();
  return { app, metrics, scrape };
}

test('requests are counted by the pattern of their route, so that no link or id becomes a label', async () => {
  const { app, scrape } = await serverWithRoutes();
  await app.inject('/sign/a-secret-token');
  await app.inject('/sign/another-one');
  const text = await scrape();
  expect(text).toContain('countersign_http_requests_total{method="GET",route="/sign/:token",status="200",code=""} 2');
  expect(text).toContain(
    'countersign_http_request_duration_seconds_count{method="GET",route="/sign/:token",status="200"} 2',
  );
  expect(text).not.toContain('secret');
});

test('all unknown addresses share one label', async () => {
  const { app, scrape } = await serverWithRoutes();
  await app.inject('/wp-login.php');
  await app.inject('/.env');
  expect(await scrape()).toContain('{method="GET",route="none",status="404",code=""} 2');
});

test('a failure is counted with its code', async () => {
  const { app, scrape } = await serverWithRoutes();
  await app.inject('/broken');
  expect(await scrape()).toContain('{method="GET",route="/broken",status="500",code="internal_error"} 1');
});

test('messages, seals and scheduled jobs are counted by outcome, next to process metrics', async () => {
  const { metrics, scrape } = await serverWithRoutes();
  metrics.messageOutcome('accepted');
  metrics.sealOutcome('failed');
  metrics.sweepOutcome('expiry', 'done');
  const text = await scrape();
  expect(text).toContain('countersign_messages_total{outcome="accepted"} 1');
  expect(text).toContain('countersign_seals_total{outcome="failed"} 1');
  expect(text).toContain('countersign_sweeps_total{sweep="expiry",outcome="done"} 1');
  expect(text).toContain('process_resident_memory_bytes');
});
