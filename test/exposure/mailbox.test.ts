import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { forwardingHeaders } from '../../src/http/local-client.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { isForThisMachine } from '../../src/web-role.ts';
import { exchange } from '../api/raw-http.ts';
import { freePort } from '../support/free-port.ts';
import { createCompany, createSent, eventually, startTestService, type TestService } from '../support/service.ts';
import { ask } from './ask.ts';
import { type ProxyManner, startReverseProxy } from './reverse-proxy.ts';

let app: TestService;
let host: string;

beforeAll(async () => {
  app = await startTestService();
  host = new URL(app.baseUrl).host;
  const company = await createCompany(app);
  await createSent(app, company.key);
  await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox')),
    (messages) => messages.length === 1,
  );
});
afterAll(() => app.stop());

const mailbox = (headers: Record<string, string>, path = '/mailbox') => ask(app.service.origin + path, { headers });

async function expectHidden(asking: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await asking;
  expect(status).toBe(404);
  expect(text).toContain('route_not_found');
  expect(text).not.toContain('ada@example.com');
}

describe('a client on this machine', () => {
  test('sees the mailbox under every loopback name, with and without a port', async () => {
    for (const name of [host, 'localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:3000']) {
      const { status, text } = await mailbox({ host: name });
      expect(status, name).toBe(200);
      expect(text).toContain('ada@example.com');
      expect((await mailbox({ host: name }, '/mailbox.css')).status).toBe(200);
    }
  });

  test('sees it when a link or an address bar leads there', async () => {
    const opened = { host, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const site of ['none', 'same-origin', 'cross-site']) {
      expect((await mailbox({ ...opened, 'sec-fetch-site': site })).status, site).toBe(200);
    }
  });
});

describe('behind a reverse proxy on this machine', () => {
  const manners: Array<[string, ProxyManner]> = [
    ['adds nothing', {}],
    ['adds X-Forwarded-Host', { adds: { 'x-forwarded-host': 'sign.example.com' } }],
    ['adds Forwarded', { adds: { forwarded: 'for=203.0.113.9;host=sign.example.com' } }],
    ['adds CF-Connecting-IP', { adds: { 'cf-connecting-ip': '203.0.113.9' } }],
  ];
  for (const [name, manner] of manners) {
    // The second one uses the name of this machine, like proxies that replace the host name.
    for (const replaced of manner.adds === undefined ? [undefined] : [undefined, '127.0.0.1']) {
      test(`that ${name}${replaced === undefined ? '' : ' and replaces Host'}, the mailbox is an unknown page`, async () => {
        const proxy = await startReverseProxy(app.service.origin, { ...manner, ...(replaced && { host: replaced }) });
        try {
          const headers = { host: 'sign.example.com' };
          await expectHidden(ask(`${proxy.origin}/mailbox`, { headers }));
          await expectHidden(ask(`${proxy.origin}/mailbox.css`, { headers }));
        } finally {
          await proxy.close();
        }
      });
    }
  }

  test('every forwarding header hides it, also an empty one', async () => {
    expect(forwardingHeaders.names.length + forwardingHeaders.prefixes.length).toBeGreaterThan(30);
    const named = [...forwardingHeaders.names, ...forwardingHeaders.prefixes.map((prefix) => `${prefix}anything`)];
    for (const name of named) {
      for (const value of ['127.0.0.1', '']) await expectHidden(mailbox({ host, [name]: value }));
    }
    for (const name of ['X-Forwarded-For', 'X-FORWARDED-HOST', 'Via', 'True-Client-Ip', 'X-Original-URL']) {
      await expectHidden(mailbox({ host, [name]: '127.0.0.1' }));
    }
  });

  test('HTTP/1.0, which nginx speaks to what it fronts, hides it', async () => {
    const answer = await exchange(app.service.origin, `GET /mailbox HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    expect(answer?.body.error.code).toBe('route_not_found');
  });
});

describe('a page elsewhere', () => {
  test.for(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '127.evil.example', 'localhost@evil'])(
    'whose name %s leads to this machine (DNS rebinding) gets an unknown page',
    async (name) => expectHidden(mailbox({ host: name })),
  );

  test('that names this machine in Host and itself in the request line gets an unknown page', async () => {
    const bytes = `GET http://evil.example/mailbox HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await exchange(app.service.origin, bytes))?.body.error.code).toBe('route_not_found');
  });

  test('that fetches or frames it gets an unknown page', async () => {
    const foreign = { host, 'sec-fetch-site': 'cross-site' };
    await expectHidden(mailbox({ ...foreign, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }));
    await expectHidden(mailbox({ ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }));
    await expectHidden(mailbox({ host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }));
    await expectHidden(mailbox({ host, origin: 'http://localhost:5173' }));
  });
});

describe('the settings', () => {
  test.for<[string, Record<string, string>]>([
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost:3000' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://127.0.0.1:1' }],
  ])('with %s the mailbox is an unknown page', async ([, env]) => {
    const port = await freePort();
    const other = await startTestService({ env: { ...env, PORT: port }, databaseUrl: app.databaseUrl });
    try {
      // The host name of PUBLIC_URL, so that nothing is redirected.
      await expectHidden(ask(`http://127.0.0.1:${port}/mailbox`, { headers: { host: 'localhost:3000' } }));
    } finally {
      await other.stop();
    }
  });

  test('a HOST that others reach shows the mailbox to this machine alone', async () => {
    const other = await startTestService({ env: { HOST: '0.0.0.0' }, databaseUrl: app.databaseUrl });
    try {
      const { port } = new URL(other.service.origin);
      const here = `127.0.0.1:${port}`;
      const page = await ask(`http://${here}/mailbox`, { headers: { host: here } });
      expect(page.status).toBe(200);
      await expectHidden(ask(`http://${here}/mailbox`, { headers: { host: `countersign.internal:${port}` } }));
      const outside = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
      for (const { address } of outside.filter(({ family, internal }) => family === 'IPv4' && !internal))
        await expectHidden(ask(`http://${address}:${port}/mailbox`, { headers: { host: here } }));
    } finally {
      await other.stop();
    }
  });

  test.for<[boolean, Record<string, string>]>([
    [true, {}],
    [true, { HOST: 'localhost' }],
    [true, { HOST: '127.0.0.2' }],
    [true, { HOST: '::1' }],
    [false, { HOST: '::' }],
    [false, { HOST: '192.168.1.7' }],
    [false, { HOST: 'countersign.internal' }],
    [false, { PUBLIC_URL: 'https://sign.example.com' }],
  ])('a newcomer is led to it: %s, with %o', ([there, env]) => {
    expect(isForThisMachine(readConfig(env))).toBe(there);
  });
});
