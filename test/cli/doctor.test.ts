import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createSelfSigned } from '../../src/pdf/signatures/self-signed.ts';
import { writePkcs12 } from '../../src/pdf/signatures/write-pkcs12.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { execute as sql } from '../support/embedded.ts';
import { startFileStore } from '../support/file-store.ts';
import { startTestService } from '../support/service.ts';
import { type Place, place, placeOn, temporaryDirectory } from './countersign.ts';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

async function listening(server: { listen(port: number, host: string, ready: () => void): unknown }): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function mailServer(): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'u' }) : done(new Error('no')),
  });
  await listening(server.server);
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return (server.server.address() as { port: number }).port;
}

test('a service in order has nothing but ok', async () => {
  const at = await place({ SMTP_URL: `smtp://u:right@127.0.0.1:${await mailServer()}` });
  await at.json('migrate');
  const findings = await at.json<Finding[]>('doctor');
  expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
    ['settings', true],
    ['data directory', true],
    ['database', true],
    ['schema', true],
    ['job queue', true],
    ['secrets', true],
    ['seal renewal', true],
    ['stored files', true],
    ['custom domains', true],
    ['files', true],
    ['signing certificate', true],
    ['time stamps', true],
    ['e-mail', true],
    ['SMS', true],
    ['e-signature vendor', true],
    ['outbound proxy', true],
  ]);
  for (const finding of findings) expect(Object.keys(finding)).toEqual(['check', 'ok', 'detail']);
});

test('each thing that is wrong is a line that names its setting, and the exit code tells', async () => {
  const silent = createServer((socket) => socket.destroy());
  await listening(silent);
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const at = placeOn({
    DATABASE_URL: `postgresql://operator:hunter2@127.0.0.1:${port}/x`,
    SIGNING_CERT_FILE: '/nowhere/cert.p12',
    TSA_URL: 'http://127.0.0.1:1/tsa',
    SMTP_URL: `smtp://u:hunter2@127.0.0.1:${await mailServer()}`,
    SMS_URL: 'pigeon://coop',
    FILES_URL: 'file:///proc/nowhere',
    ESIGN_OAUTH_URL: 'http://127.0.0.1:1',
    ESIGN_CLIENT_ID: 'id',
    ESIGN_CLIENT_SECRET: 'hunter2',
  });
  const { code, stdout, stderr } = await at.run('doctor', '--json');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^countersign: \d+ of \d+ checks failed\n$/);
  const failed = new Map(
    (JSON.parse(stdout.toString()) as Finding[]).filter(({ ok }) => !ok).map((f) => [f.check, f.detail]),
  );
  expect(failed.get('database')).toMatch(/DATABASE_URL/);
  expect(failed.get('files')).toMatch(/nothing can be made in \/proc/);
  expect(failed.get('signing certificate')).toMatch(/\/nowhere\/cert\.p12/);
  expect(failed.get('time stamps')).toMatch(/TSA_URL/);
  expect(failed.get('e-mail')).toMatch(/SMTP_URL/);
  expect(failed.get('SMS')).toMatch(/SMS_URL/);
  expect(failed.get('e-signature vendor')).toMatch(/ESIGN_OAUTH_URL/);
  expect(stdout.toString()).not.toContain('hunter2');

  const text = (await at.run('doctor')).stdout.toString();
  expect(text).toMatch(/^ok {4}settings/m);
  expect(text).toMatch(/^FAIL {2}SMS/m);
});

test('a line of the .env file that is no setting is named by its number', async () => {
  const at = placeOn({ DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  writeFileSync(join(at.cwd, '.env'), 'LOG_LEVEL=info\nSECRET_KEY hunter2\n');
  const detail = 'line 2 of .env is no setting: write NAME=value';
  expect(await findingOf(at, 'settings')).toEqual({ check: 'settings', ok: false, detail });
});

test('a bad setting is all there is to say', async () => {
  const { code, stdout } = await placeOn({ TRUST_PROXY: 'everyone' }).run('doctor', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout.toString())).toEqual([
    { check: 'settings', ok: false, detail: expect.stringMatching(/TRUST_PROXY/) },
  ]);
  const sender = placeOn({ MAIL_FROM: 'Countersign', DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  const findings = JSON.parse((await sender.run('doctor', '--json')).stdout.toString()) as Finding[];
  expect(findings.find(({ check }) => check === 'e-mail')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/MAIL_FROM/),
  });
  const plans = placeOn({ PLANS_FILE: join('/nowhere', 'plans.json') });
  expect(JSON.parse((await plans.run('doctor', '--json')).stdout.toString())[0].detail).toMatch(/PLANS_FILE/);
});

test.each([
  [6, false, /CN=Soon ends on /],
  [8, true, /valid until /],
])('a signing certificate of %i days is in order: %s', async (days, ok, says) => {
  const [notBefore, notAfter] = [new Date(Date.now() - 60_000), new Date(Date.now() + days * 86_400_000)];
  const made = await createSelfSigned({ commonName: 'Soon', notBefore, notAfter, serial: Buffer.alloc(16, 7) });
  const file = join(temporaryDirectory(), 'soon.p12');
  writeFileSync(file, await writePkcs12(made, 'hunter2'));
  const at = await place({ SIGNING_CERT_FILE: file, SIGNING_CERT_PASSWORD: 'hunter2' });
  const findings = JSON.parse((await at.run('doctor', '--json')).stdout.toString()) as Finding[];
  expect(findings.find(({ check }) => check === 'signing certificate')).toMatchObject({
    ok,
    detail: expect.stringMatching(says),
  });
});

async function findingOf(at: Place, check: string): Promise<Finding | undefined> {
  const findings = JSON.parse((await at.run('doctor', '--json')).stdout.toString()) as Finding[];
  return findings.find((finding) => finding.check === check);
}

test('a bucket is written to, and left as it was', async () => {
  const directory = temporaryDirectory();
  const store = await startFileStore(directory);
  onTestFinished(() => store.out());
  const at = placeOn({ ...store.settings, DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect(await findingOf(at, 'files')).toMatchObject({ ok: true, detail: 's3://documents' });
  expect(readdirSync(join(directory, 'documents'))).toEqual([]);
});

test('a bucket that may only be read is named', async () => {
  const server = createHttpServer((request, response) => {
    request.resume().on('end', () => response.writeHead(request.method === 'PUT' ? 403 : 404).end());
  });
  await listening(server);
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const at = placeOn({
    FILES_URL: 's3://documents',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    DATABASE_URL: 'postgresql://127.0.0.1:1/x',
  });
  expect(await findingOf(at, 'files')).toMatchObject({ ok: false });
});

test('a file store without the files of the database is named', async () => {
  const at = await place();
  expect(await findingOf(at, 'stored files')).toMatchObject({ ok: true, detail: 'none yet' });
  await sql(
    at.databaseUrl as string,
    `insert into stored_files (sha256, bytes, created_at, reference_count) values (sha256('lease'), 5, now(), 1)`,
  );
  expect(await findingOf(at, 'stored files')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^FILES_URL has no sha256\/.*copy them/),
  });
});

test('a schema of another version is told, and no command works on it', async () => {
  const at = await place();
  await sql(at.databaseUrl as string, `insert into schema_migrations values (9999, '9999_future.sql', '', now())`);
  const findings = JSON.parse((await at.run('doctor', '--json')).stdout.toString()) as Finding[];
  expect(findings.find(({ check }) => check === 'schema')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/newer/),
  });
  expect(await at.fails(1, 'account', 'list')).toMatch(/newer than this version/);
  expect(await at.fails(1, 'migrate')).toMatch(/newer than this version/);
});

test('an outbound proxy that refuses our credentials is named, without them', async () => {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  const at = placeOn({
    OUTBOUND_PROXY_URL: `http://user:hunter2@${proxy.host}`,
    DATABASE_URL: 'postgresql://127.0.0.1:1/x',
  });
  const look = async () => {
    const { stdout } = await at.run('doctor', '--json');
    expect(stdout).not.toContain('hunter2');
    return (JSON.parse(stdout.toString()) as Finding[]).find(({ check }) => check === 'outbound proxy');
  };
  proxy.refusal = 407;
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringMatching(/^OUTBOUND_PROXY_URL: .*\(407\)/) });
  proxy.refusal = 403;
  expect(await look()).toMatchObject({ ok: true });
});

async function failuresAt(at: Place): Promise<Record<string, string>> {
  const findings = JSON.parse((await at.run('doctor', '--json')).stdout.toString()) as Finding[];
  return Object.fromEntries(findings.filter(({ ok }) => !ok).map(({ check, detail }) => [check, detail]));
}

test('keys that would stop the next start, or are lost, are told before, and the start replaces none', async () => {
  const at = await place();
  const settings = { databaseUrl: at.databaseUrl as string, env: { DATA_DIR: at.dataDir } };
  await (await startTestService(settings)).stop();
  const [certificate, key] = ['signing-certificate.p12', 'secret.key'].map((name) => join(at.dataDir, name)) as [
    string,
    string,
  ];
  expect(await failuresAt(at)).toEqual({});

  const intact = readFileSync(certificate);
  for (const bytes of [Buffer.from('garbage'), Buffer.alloc(0), intact.subarray(0, intact.length / 2)]) {
    writeFileSync(certificate, bytes);
    expect(await failuresAt(at)).toEqual({ 'signing certificate': expect.stringContaining(certificate) });
  }
  writeFileSync(certificate, intact);

  chmodSync(at.dataDir, 0o755);
  chmodSync(key, 0o644);
  expect(await failuresAt(at)).toEqual({ 'data directory': expect.stringMatching(/secret\.key: run chmod 600/) });
  chmodSync(at.dataDir, 0o700);
  expect(await failuresAt(at)).toEqual({});

  const cannotRead = { 'signing certificate': expect.stringContaining(key), secrets: expect.stringContaining(key) };
  rmSync(key);
  expect(await failuresAt(at)).toEqual(cannotRead);
  await expect(startTestService(settings)).rejects.toThrow(
    `${key} is missing, and the signing certificate is encrypted`,
  );
  expect(existsSync(key)).toBe(false);
});

test('a lost secret key is told by what the database has, though the certificate is the operator’s', async () => {
  const at = await place();
  const settings = { databaseUrl: at.databaseUrl as string, env: { DATA_DIR: at.dataDir } };
  await (await startTestService(settings)).stop();
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme', '--plan', 'team');
  const events = ['--events', 'document.completed'];
  await at.json('webhook', 'create', '--account', id, '--url', 'https://93.184.216.34/hook', ...events);
  for (const name of ['signing-certificate.p12', 'secret.key']) rmSync(join(at.dataDir, name));
  expect(await failuresAt(at)).toEqual({
    secrets: expect.stringMatching(/secret\.key is missing, and secrets in the database/),
  });
  await expect(startTestService(settings)).rejects.toThrow('secrets in the database');
  const another = ['webhook', 'create', '--account', id, '--url', 'https://93.184.216.34/other', ...events];
  expect(await at.fails(1, ...another)).toContain('secrets in the database');
  expect(existsSync(join(at.dataDir, 'secret.key'))).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a DATA_DIR that can’t be made is told', async () => {
  const at = placeOn({ DATA_DIR: '/proc/countersign', DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect(await failuresAt(at)).toMatchObject({
    'data directory': expect.stringContaining('nothing can be made in /proc'),
  });
});
