import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { bin, execute } from './countersign.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await prepareGround();
});
afterEach(endServers);
afterAll(() => ground.clear());

async function health(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH ?? '', ...ground.settings, ...settings };
  const { code, stdout, stderr } = await execute(bin, ['health'], env, '/');
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}

test('a service is asked on its own port, by its public name, until it is stopped', async () => {
  const settings = { PORT: await freePort(), PUBLIC_URL: 'https://sign.example.com' };
  const server = await startServer({ ...ground.settings, ...settings });
  expect(await health(settings)).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
  server.kill('SIGTERM');
  await server.ended;
  const { code, stderr } = await health(settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(`countersign: the service does not answer at http://127.0.0.1:${settings.PORT}: `);
});

test('a worker is asked on METRICS_PORT, and without one there is nothing to ask', async () => {
  const settings = { ROLE: 'worker', METRICS_PORT: await freePort() };
  await startServer({ ...ground.settings, ...settings });
  expect(await health(settings)).toMatchObject({ code: 0, stdout: 'ready\n' });
  const stderr = 'countersign: a worker answers on METRICS_PORT only: set it\n';
  expect(await health({ ROLE: 'worker' })).toEqual({ code: 1, stdout: '', stderr });
});
