import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { setDomain, vouchForDomain } from '../../src/custom-domain/manage-domain.ts';
import { createServedDomains } from '../../src/custom-domain/served-domains.ts';
import { listRecipients } from '../../src/documents/queries.ts';
import { createHealth } from '../../src/http/health.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { startOperatorServer } from '../../src/http/operator-server.ts';
import { createLog } from '../../src/platform/log.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import { ask } from '../exposure/ask.ts';
import { phone } from '../signing/signer.ts';
import { freePort } from '../support/free-port.ts';
import { type Company, createCompany, createSent, eventually } from '../support/service.ts';
import { type Scene, startScene } from './scene.ts';

/** What the host of a company serves, and to whom. */
const name = 'documents.acme.example';
let scene: Scene;
let company: Company;
/** The host with its port. */
let host: string;
let ours: string;

beforeAll(async () => {
  scene = await startScene();
  company = await createCompany(scene.app);
  host = `${name}:${scene.port}`;
  ours = `http://127.0.0.1:${scene.port}`;
  const { db, world } = scene.app;
  const change = { accountId: company.id, personId: null };
  await db.transaction(async (tx) => {
    await setDomain(world, tx, change, name);
    await vouchForDomain(world, tx, change, name);
  });
});
afterAll(() => scene.stop());

async function linkTo(recipient: { name: string; [detail: string]: unknown }): Promise<string> {
  const { db, world } = scene.app;
  const id = await createSent(scene.app, company.key, { recipients: [recipient] });
  const [found] = await listRecipients(db, company.id, id);
  return mintSigningLink(world, db, '', found as { id: string; holder: number });
}

const places = async (asked: string | string[], path = '/sign/finished') => {
  const { status, headers } = await ask(ours + path, { headers: { host: asked } });
  return [status, headers.get('location')];
};

test('the host is known however it is written, and every other one is redirected as before', async () => {
  for (const known of [host, host.toUpperCase()]) expect(await places(known), known).toEqual([200, null]);
  // To browsers, the final dot makes another site.
  expect(await places(`${name}.:${scene.port}`)).toEqual([308, `http://${host}/sign/finished`]);
  const hostile = [
    ...[name, `${name}:80`, `${name}:443`, `${name}:${scene.port}0`, `x.${host}`, `acme.example:${scene.port}`],
    ...[`${name}..:${scene.port}`, `.${host}`, `${name}\t:${scene.port}`, `user@${host}`, `${host}@evil.example`],
    ...[
      `evil.example#${host}`,
      `${host}/evil`,
      '[::1]',
      'evil.example',
      `${'a'.repeat(300)}.${host}`,
      "'; drop table x",
    ],
    ...['127.0.0.1.', `127.0.0.1.:${scene.port}`],
  ];
  for (const other of hostile) expect(await places(other), other).toEqual([308, `${ours}/sign/finished`]);

  // Two hosts, or a proxy's header that nobody vouches for.
  const raw = (head: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(scene.port), '127.0.0.1', () => socket.write(head));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text.split('\r\n')[0] ?? ''));
      socket.on('error', reject);
    });
  const two = `GET /sign/finished HTTP/1.1\r\nHost: ${host}\r\nhost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`;
  expect(await raw(two)).toBe('HTTP/1.1 400 Bad Request');
  const absolute = `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  expect(await raw(absolute)).toMatch(/^HTTP\/1\.1 (307|404) /);
  const { status } = await scene.on(`127.0.0.1:${scene.port}`, '/documents', {
    headers: { 'x-forwarded-host': host, accept: 'text/html' },
  });
  expect(status).toBe(302);
});

test('only pages for recipients are served: people are led to the service, and programs find nothing', async () => {
  const page = { headers: { accept: 'text/html' } };
  for (const path of [
    '/',
    '/documents',
    '/settings/api-keys',
    '/sign-in/x',
    '/docs',
    '/mailbox',
    '/x',
    '//evil.example/',
  ]) {
    const { status, headers } = await scene.on(host, path, page);
    expect([path, status, headers.get('location'), headers.get('set-cookie')]).toEqual([path, 307, ours + path, null]);
  }
  const api = [
    ...['/api/v1/documents', '/docs/openapi.json', '/download/x', '/metrics', '/tls/ask?domain=x', '/unsubscribe/x'],
    ...consoleEndpoints.map(({ path }) => `/console/api${path}`),
  ];
  for (const path of api) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, text } = await scene.on(host, path, {
        method,
        headers: { authorization: `Bearer ${company.key}`, origin: `http://${host}` },
      });
      expect([path, method, status, headers.get('allow')]).toEqual([path, method, 404, null]);
      expect(JSON.parse(text).error.code).toBe('route_not_found');
    }
  }
  expect((await scene.on(host, '/sign/finished', { method: 'HEAD' })).status).toBe(200);
  const served = ['/verify', '/verify.css', '/embed.js', '/sign/finished', '/health/live'];
  for (const path of served) expect([path, (await scene.on(host, path)).status]).toEqual([path, 200]);
  expect((await scene.on(host, `/sign/${'x'.repeat(43)}`)).status).toBe(404);
  const invented = await scene.on(host, '/sign/x');
  for (const [, asset] of invented.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|woff2))"/g)) {
    expect([asset, (await scene.on(host, asset as string)).status]).toEqual([asset, 200]);
  }
});

test('signing takes the host’s own pages only, and the code by SMS names it', async () => {
  const path = await linkTo({ name: 'Ada', email: 'ada@example.com', phone, auth_level: 'l1_email_sms_otp' });
  const post = async (at: string, action: string, origin: string, body: object = {}, site = 'same-origin') => {
    const { status, text, headers } = await scene.on(at, `${path}/${action}`, {
      method: 'POST',
      headers: { origin, 'sec-fetch-site': site, cookie },
      body: JSON.stringify(body),
    });
    return { status, text, set: headers.get('set-cookie') };
  };
  let cookie = '';
  const own = `http://${host}`;
  for (const [at, origin] of [
    [host, ours],
    [host, 'http://evil.example'],
    [host, `https://${host}`],
    [host, `http://${name}`],
    [`127.0.0.1:${scene.port}`, own],
  ] as const) {
    expect([at, origin, (await post(at, 'viewed', origin)).status]).toEqual([at, origin, 400]);
  }
  expect((await post(host, 'viewed', own, {}, 'cross-site')).status).toBe(400);
  expect((await post(host, 'code', own)).status).toBe(200);
  const [sms] = await eventually(
    () => listMailbox(join(scene.app.dataDir, 'mailbox'), { to: phone }),
    (found) => found.length > 0,
  );
  expect(sms?.text).toMatch(new RegExp(`@${name} #\\d{6}$`));
  const verified = await post(host, 'verify', own, { code: /\d{6}$/.exec(sms?.text ?? '')?.[0] });
  expect(verified.set).toMatch(/^countersign_verified_[\w-]+=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/);
  cookie = verified.set?.split(';')[0] ?? '';
  const signed = await post(host, 'sign', own, { full_name: 'Ada', signature: { kind: 'typed' } });
  expect(JSON.parse(signed.text)).toMatchObject({ state: 'completed' });
});

test('who must sign in is led to the service, and a session is worth nothing on the host', async () => {
  const path = await linkTo({ name: 'Sam', email: 'sam@example.com', auth_level: 'l0_account_session' });
  for (const below of ['', '/form', '/form?done=link']) {
    const { status, headers } = await scene.on(host, path + below);
    expect([status, headers.get('location')]).toEqual([307, ours + path + below]);
  }
  const origin = `http://${host}`;
  expect((await scene.on(host, `${path}/account`, { method: 'POST', headers: { origin }, body: '{}' })).status).toBe(
    404,
  );
});

test('a proxy may get certificates for active hosts only, and asks on this machine', async () => {
  const { db, world } = scene.app;
  const waiting = await createCompany(scene.app);
  await db.transaction((tx) => setDomain(world, tx, { accountId: waiting.id, personId: null }, 'waiting.acme.example'));
  const askAbout = async (query: string, headers = {}) => (await ask(`${ours}/tls/ask${query}`, { headers })).status;
  expect(await askAbout(`?domain=${name}`)).toBe(200);
  expect(await askAbout(`?domain=${name.toUpperCase()}`)).toBe(200);
  for (const query of ['', '?domain=', '?domain=waiting.acme.example', '?domain=127.0.0.1', `?domain=x.${name}`]) {
    expect([query, await askAbout(query)]).toEqual([query, 404]);
  }
  expect(await askAbout(`?domain=${name}&domain=${name}`)).toBe(404);
  // A broken host keeps its certificate, so that links to it can lead on. It isn't served.
  const broken = 'broken.acme.example';
  await db.transaction(async (tx) => {
    const change = { accountId: (await createCompany(scene.app)).id, personId: null };
    await setDomain(world, tx, change, broken);
    await vouchForDomain(world, tx, change, broken);
    await tx.query({ name: '', text: `update custom_domains set state = 'broken' where host = $1`, values: [broken] });
  });
  await expect.poll(() => askAbout(`?domain=${broken}`), { timeout: 10_000 }).toBe(200);
  expect((await scene.on(`${broken}:${scene.port}`, '/sign/finished')).status).toBe(308);
  expect(await askAbout(`?domain=${name}`, { 'x-forwarded-for': '192.0.2.7' })).toBe(404);

  // With METRICS_PORT, there.
  const customHosts = createServedDomains({ world, db, publicUrl: ours });
  const port = Number(await freePort());
  const health = createHealth(db);
  const server = await startOperatorServer({ metrics: createMetrics(), health, customHosts, host: '127.0.0.1', port });
  const there = async (query: string) => (await ask(`http://127.0.0.1:${port}/tls/ask${query}`)).status;
  expect([await there(`?domain=${name}`), await there('?domain=x.example'), await there('')]).toEqual([200, 404, 404]);
  await server.stop();
});

test('invented hosts cost one query in two seconds, and the last list counts while the database fails', async () => {
  let queries = 0;
  let fails = false;
  let ms = 0;
  const db = {
    async query() {
      queries += 1;
      if (fails) throw new Error('away');
      return [{ account_id: company.id, host: name, state: 'active' }] as never;
    },
  };
  const log = createLog('silent');
  const hosts = createServedDomains({
    world: { log },
    db,
    publicUrl: 'https://sign.service.example:8443',
    monotonicMs: () => ms,
  });
  const found = await Promise.all(Array.from({ length: 500 }, (_, n) => hosts.find(n === 7 ? name : `x${n}.example`)));
  expect(found.filter((each) => each !== null)).toEqual([
    { accountId: company.id, host: name, origin: `https://${name}:8443` },
  ]);
  expect(queries).toBe(1);
  fails = true;
  ms = 2000;
  expect(await hosts.find(name)).toMatchObject({ host: name });
  expect(await hosts.find(name)).toMatchObject({ host: name });
  expect(queries).toBe(2);
  const failing = createServedDomains({ world: { log }, db, publicUrl: 'https://sign.service.example' });
  await expect(failing.find(name)).rejects.toThrow('away');
});
