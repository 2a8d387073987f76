import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createHealth } from '../../src/http/health.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { startOperatorServer } from '../../src/http/operator-server.ts';
import { freePort } from '../support/free-port.ts';
import { endServers, type Ground, launchServer, prepareGround, startServer } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { ask } from './ask.ts';
import { startReverseProxy } from './reverse-proxy.ts';

const marker = 'countersign_http_requests_total';

describe('on the own port of the service', () => {
  let app: TestService;
  let metrics: string;
  let host: string;

  beforeAll(async () => {
    app = await startTestService();
    metrics = `${app.service.origin}/metrics`;
    ({ host } = new URL(metrics));
  });
  afterAll(() => app.stop());

  test('programs on this machine read them', async () => {
    for (const name of [host, 'localhost:1', '[::1]']) {
      const { status, text, headers } = await ask(metrics, { headers: { host: name } });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
      expect(text).toContain(marker);
    }
  });

  test('behind a proxy on this machine they are an unknown page', async () => {
    const manners = [
      {},
      { adds: { 'x-forwarded-host': 'sign.example.com' }, host },
      { adds: { 'cf-connecting-ip': '203.0.113.9' }, host },
      { adds: { forwarded: 'for=203.0.113.9' }, host },
    ];
    for (const manner of manners) {
      const proxy = await startReverseProxy(app.service.origin, manner);
      const { status, text } = await ask(`${proxy.origin}/metrics`, { headers: { host: 'sign.example.com' } });
      await proxy.close();
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'route_not_found']);
    }
  });

  test('with a public address, its name does not lead to them, and a local name does', async () => {
    const port = await freePort();
    const env = { PUBLIC_URL: 'https://sign.example.com', PORT: port };
    const named = await startTestService({ env, databaseUrl: app.databaseUrl });
    try {
      const asked = (name: string) => ask(`http://127.0.0.1:${port}/metrics`, { headers: { host: name } });
      expect((await asked('sign.example.com')).status).toBe(404);
      expect((await asked('deployment-17.internal')).status).toBe(308);
      expect((await asked(`127.0.0.1:${port}`)).text).toContain(marker);
    } finally {
      await named.stop();
    }
  });
});

describe('on METRICS_PORT', () => {
  let ground: Ground;

  beforeAll(async () => {
    ground = await prepareGround();
  });
  afterEach(endServers);
  afterAll(() => ground.clear());

  test('web and worker serve them there and nowhere else, and stop on SIGTERM', async () => {
    const [webPort, workerPort] = [await freePort(), await freePort()];
    const web = await startServer({ ...ground.settings, ROLE: 'web', METRICS_PORT: webPort });
    const worker = await startServer({ ...ground.settings, ROLE: 'worker', METRICS_PORT: workerPort });
    for (const port of [webPort, workerPort]) {
      const origin = `http://127.0.0.1:${port}`;
      const { status, text, headers } = await ask(`${origin}/metrics`);
      expect(status).toBe(200);
      expect(text).toContain('process_resident_memory_bytes');
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
      expect((await ask(`${origin}/metrics`, { method: 'HEAD' })).status).toBe(200);
      expect(JSON.parse((await ask(`${origin}/health/live`)).text)).toEqual({ status: 'live' });
      const ready = await ask(`${origin}/health/ready`);
      expect([ready.status, JSON.parse(ready.text)]).toEqual([200, { status: 'ready' }]);
      expect((await ask(`${origin}/`)).status).toBe(404);
      expect((await ask(`${origin}/metrics`, { method: 'POST' })).status).toBe(404);
      expect((await ask(`${origin}/metrics`, { headers: { host: 'evil.example' } })).status).toBe(404);
    }
    expect((await ask(`${new URL(web.baseUrl).origin}/metrics`)).status).toBe(404);
    for (const server of [web, worker]) {
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
    }
    await expect(ask(`http://127.0.0.1:${workerPort}/metrics`)).rejects.toThrow('ECONNREFUSED');
  });

  test('a port that is taken ends the start with one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const server = launchServer({ ...ground.settings, METRICS_PORT: String(port) });
    expect((await server.ended).code).toBe(1);
    taken.close();
    expect(server.stderr()).toBe(
      `countersign: port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set METRICS_PORT\n`,
    );
  });

  test('a host that is not of this machine is named', async () => {
    const health = createHealth({ query: async () => [] });
    const address = { host: '203.0.113.77', port: Number(await freePort()) };
    const listening = startOperatorServer({
      ...{ metrics: createMetrics(), health, ...address },
      customHosts: { find: async () => null, isProven: async () => false },
    });
    await expect(listening).rejects.toThrow('203.0.113.77 is not an address of this machine: set METRICS_HOST');
  });

  test.for(['many', '0', '65536', '-1'])('METRICS_PORT cannot be %s', (port) => {
    const rule = 'bad setting METRICS_PORT: it must be a whole number from 1 to 65535';
    expect(() => readConfig({ METRICS_PORT: port })).toThrow(rule);
  });
});
