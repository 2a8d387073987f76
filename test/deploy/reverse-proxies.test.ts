import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setDomain, vouchForDomain } from '../../src/custom-domain/manage-domain.ts';
import { ask } from '../exposure/ask.ts';
import { freePort } from '../support/free-port.ts';
import { createAuthority } from '../support/https-authority.ts';
import { aDraft, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { hasTool } from '../support/tools.ts';

/** The example configurations, in front of the service, with other ports, paths and a certificate of a test authority. */
const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../../deploy/reverse-proxy', name), 'utf8');
const name = 'sign.example.com';
const customName = 'documents.acme.example';
const authority = createAuthority();

interface Ports {
  service: string;
  https: string;
  http: string;
}

/** Each writes its configuration into the folder and returns the command that runs it in the foreground. */
const proxies: Record<string, (folder: string, ports: Ports) => string[]> = {
  nginx(folder, ports) {
    const site = `${read('nginx.conf')}${read('nginx-custom-domain.conf')}`
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replaceAll('listen 80;', `listen 127.0.0.1:${ports.http};`)
      .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
      .replace('127.0.0.1:3000', `127.0.0.1:${ports.service}`)
      .replaceAll('/var/log/nginx/error.log', 'stderr')
      .replace(/\/etc\/(ssl\/sign\.example\.com|letsencrypt\S+fullchain)\.pem/g, join(folder, 'cert.pem'))
      .replace(/\/etc\/(ssl\/private\/sign\.example\.com\.key|letsencrypt\S+privkey\.pem)/g, join(folder, 'key.pem'));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const main = `pid ${folder}/pid; error_log stderr; events {} http { access_log ${folder}/access.log; ${paths.join(' ')}\n${site}}\n`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    return ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  },
  caddy(folder, ports) {
    const site = read('Caddyfile')
      .replace(
        /^sign\.example\.com \{/m,
        `https://${name}:${ports.https} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      )
      .replace(/^https:\/\/ \{/m, `https://:${ports.https} {\n\tbind 127.0.0.1`)
      // No authority on the internet certifies the names of the test.
      .replace(/^\{/m, '{\n\tadmin off\n\tauto_https disable_redirects\n\tlocal_certs\n\tskip_install_trust')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.service}`);
    writeFileSync(join(folder, 'Caddyfile'), site);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  },
};

for (const program of Object.keys(proxies)) {
  describe.skipIf(!hasTool(program))(`behind ${program}`, () => standsInFront(program));
}

function standsInFront(program: string): void {
  let app: TestService;
  let key: string;
  let ports: Ports;
  let folder: string;
  let proxy: ChildProcess | undefined;
  let said = '';

  beforeAll(async () => {
    ports = { service: await freePort(), https: await freePort(), http: await freePort() };
    const env = {
      PORT: ports.service,
      PUBLIC_URL: `https://${name}`,
      TRUST_PROXY: '127.0.0.1',
      IP_REQUESTS_PER_MINUTE: '40',
    };
    app = await startTestService({ env });
    const company = await createCompany(app);
    key = company.key;
    const change = { accountId: company.id, personId: null };
    await app.db.transaction(async (tx) => {
      await setDomain(app.world, tx, change, customName);
      await vouchForDomain(app.world, tx, change, customName);
    });
    folder = mkdtempSync(join(tmpdir(), 'countersign-proxy-'));
    const { key: keyPem, cert } = authority.issue([name, customName]);
    writeFileSync(join(folder, 'key.pem'), keyPem, { mode: 0o600 });
    writeFileSync(join(folder, 'cert.pem'), cert);
    const [command = '', ...args] = proxies[program]?.(folder, ports) ?? [];
    const started = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    proxy = started;
    started.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await eventually(
      async () => (started.exitCode === null ? ((await listens(ports.https)) ? 'listens' : '') : said),
      (state) => state !== '',
    );
    expect(started.exitCode, said).toBeNull();
  });
  afterAll(async () => {
    proxy?.kill('SIGTERM');
    if (proxy?.exitCode === null) await once(proxy, 'exit');
    rmSync(folder, { recursive: true });
    await app.stop();
  });

  interface RequestOptions {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** The client's address. */
    from?: string;
    host?: string;
  }

  async function open(
    path: string,
    { method = 'GET', headers = {}, body, from = '127.0.0.2', host = name }: RequestOptions = {},
  ) {
    const asking = request({
      host: '127.0.0.1',
      port: ports.https,
      servername: host,
      // Caddy's own authority certifies the hosts of companies here.
      ...(host === name ? { ca: authority.caPem } : { rejectUnauthorized: false }),
      localAddress: from,
      path,
      method,
      headers: { host, ...headers },
      agent: false,
    });
    asking.end(body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return response;
  }

  async function get(path: string, options?: RequestOptions) {
    const response = await open(path, options);
    return { status: response.statusCode, text: await text(response) };
  }

  const withKey = () => ({ headers: { authorization: `Bearer ${key}` } });

  test('the API and the pages answer, and what is for this machine does not', async () => {
    expect((await get('/api/v1/documents', withKey())).status).toBe(200);
    expect((await get('/docs/index.html')).status).toBe(200);
    for (const path of ['/metrics', '/mailbox']) expect((await get(path)).status).toBe(404);
  });

  test('the host of a company has a certificate and the pages for recipients, and other names have none', async () => {
    const there = { host: customName, headers: { accept: 'text/html' } };
    expect((await get('/sign/finished', there)).status).toBe(200);
    expect((await get(`/sign/${'x'.repeat(43)}`, there)).status).toBe(404);
    const home = await open('/documents', there);
    expect([home.statusCode, home.headers.location]).toEqual([307, `https://${name}/documents`]);
    expect(home.headers['strict-transport-security']).toBe('max-age=2592000');
    home.resume();
    expect((await get('/api/v1/documents', { ...withKey(), host: customName })).status).toBe(404);
    expect((await get(`/tls/ask?domain=${customName}`)).status).toBe(404);
    if (program === 'caddy') await expect(get('/', { host: 'unknown.acme.example' })).rejects.toThrow(/SSL|TLS|alert/i);
  });

  test('a large body gets the answer of the service', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(3_000_000) });
    const { status, text: said } = await get('/api/v1/documents', { method: 'POST', body, ...withKey() });
    expect([status, JSON.parse(said).error.code]).toEqual([400, 'request_too_large']);
  });

  test('events arrive while they happen', async () => {
    const stream = await open('/events', withKey());
    onTestFinished(() => void stream.destroy());
    expect(stream.statusCode).toBe(200);
    let received = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    const body = JSON.stringify(aDraft);
    const { id } = JSON.parse((await get('/api/v1/documents', { method: 'POST', body, ...withKey() })).text);
    expect((await get(`/api/v1/documents/${id}/send`, { method: 'POST', ...withKey() })).status).toBe(200);
    await eventually(
      async () => received,
      (events) => events.includes(id),
    );
  });

  test('clients are told apart by their address, whatever they claim', async () => {
    const statuses = [];
    for (let request = 0; request < 45; request++) {
      const headers = { 'x-forwarded-for': `203.0.113.${request}`, authorization: `Bearer ${key}` };
      statuses.push((await get('/api/v1/documents', { headers, from: '127.0.0.3' })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await get('/api/v1/documents', { ...withKey(), from: '127.0.0.4' })).status).toBe(200);
  });

  test.runIf(program === 'nginx')('plain HTTP leads to HTTPS', async () => {
    const { status, headers } = await ask(`http://127.0.0.1:${ports.http}/sign/secret?x=1`, {
      headers: { host: name },
    });
    expect([status, headers.get('location')]).toEqual([308, `https://${name}/sign/secret?x=1`]);
  });

  test('no log has a signing link, also when the service is away', async () => {
    const [link, referrer] = ['a-link', 'a-referrer'].map((secret) => `/sign/${secret.padEnd(43, 'x')}`) as [
      string,
      string,
    ];
    const secrets = /a-link|a-referrer/;
    expect((await get(link)).status).toBe(404);
    if (program === 'nginx') await ask(`http://127.0.0.1:${ports.http}${link}`, { headers: { host: name } });
    await app.service.stop();
    for (const host of [name, customName]) {
      const headers = { referer: `https://${host}${referrer}` };
      expect((await get(link, { host, headers })).status).toBe(502);
    }
    proxy?.kill('SIGTERM');
    if (proxy?.exitCode === null) await once(proxy, 'close');
    if (program === 'caddy') expect(said).toContain('connection refused');
    expect(said).not.toMatch(secrets);
    const accessLog = join(folder, 'access.log');
    if (existsSync(accessLog)) expect(readFileSync(accessLog, 'utf8')).not.toMatch(secrets);
  });
}

function listens(port: string): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('connect', () => settle(true)).on('error', () => settle(false));
  return promise.finally(() => socket.destroy());
}
