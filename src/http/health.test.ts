import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createHealth, healthRoutes } from './health.ts';

async function serverOn(database: Parameters<typeof createHealth>[0]) {
  const app = Fastify();
  await app.register(healthRoutes, { health: startedOn(database) });
  return app;
}

function startedOn(database: Parameters<typeof createHealth>[0]) {
  const health = createHealth(database);
  health.started();
  return health;
}

test('not ready before the process has started', async () => {
  const health = createHealth({ query: async () => [{} as never] });
  expect(await health.readiness()).toEqual({ status: 'not_ready', reason: 'starting' });
  health.started();
  expect(await health.readiness()).toEqual({ status: 'ready' });
});

test('ready while the database answers', async () => {
  const app = await serverOn({ query: async () => [{} as never] });
  const answer = await app.inject('/health/ready');
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }]);
});

test('not ready when the database fails, and the reason reveals no detail', async () => {
  const app = await serverOn({
    query: async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432 user=countersign');
    },
  });
  const answer = await app.inject('/health/ready');
  expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'not_ready', reason: 'database' }]);
});

test('not ready within about a second when the database is silent, and concurrent probes share one query', async () => {
  let asked = 0;
  const app = await serverOn({
    query: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  const start = performance.now();
  const answers = await Promise.all([app.inject('/health/ready'), app.inject('/health/ready')]);
  expect(answers.map((answer) => answer.statusCode)).toEqual([503, 503]);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect((await app.inject('/health/ready')).statusCode).toBe(503);
  expect(asked).toBe(1);
});

test('ready again once a failed database recovers', async () => {
  let isUp = false;
  const app = await serverOn({ query: async () => (isUp ? [{} as never] : Promise.reject(new Error('down'))) });
  expect((await app.inject('/health/ready')).statusCode).toBe(503);
  isUp = true;
  expect((await app.inject('/health/ready')).statusCode).toBe(200);
});

test('live even if the database is silent', async () => {
  const app = await serverOn({ query: () => new Promise(() => {}) });
  const answer = await app.inject('/health/live');
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'live' }]);
});

test('not ready while the process stops with a request in flight', async () => {
  const app = Fastify({ return503OnClosing: false });
  await app.register(healthRoutes, { health: startedOn({ query: async () => [{} as never] }) });
  const slow = Promise.withResolvers<string>();
  app.get('/slow', () => slow.promise);
  await app.listen({ host: '127.0.0.1', port: 0 });

  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const received = text(socket);
  const request = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  request('/slow');
  await once(app.server, 'request');
  const closed = app.close();
  request('/health/ready');
  await once(app.server, 'request');
  slow.resolve('done');
  await closed;

  expect(await received).toMatch(/503[\s\S]*{"status":"not_ready","reason":"stopping"}/);
});
