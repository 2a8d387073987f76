import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import { testDocument } from '../../src/documents/test-document.ts';
import { recordEvent } from '../../src/webhooks/record-event.ts';
import { answers, breaksOff, refuses, scriptedServer } from '../client/scripted-server.ts';
import { freePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Company, createCompany, eventually, startTestService, type TestService } from '../support/service.ts';
import { type Sealed, sealedDocument } from '../verify/sealed.ts';
import { bin, type Place, placeOn, runCommand, temporaryDirectory } from './countersign.ts';

let app: TestService;
let company: Company;
let sealed: Sealed;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
  sealed = await sealedDocument(app, company);
});
afterAll(() => app.stop());

/** A machine that reaches the service over HTTP only, with the key in its environment. */
function client(settings: Record<string, string> = { COUNTERSIGN_API_KEY: company.key }): Place {
  return placeOn({ XDG_CONFIG_HOME: temporaryDirectory(), COUNTERSIGN_BASE_URL: app.baseUrl, ...settings });
}

const login = (config: string, key: string, ...args: string[]) =>
  runCommand(['login', ...args], { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: config }, temporaryDirectory(), key);

test('login checks the key and stores it for the owner of the file only', async () => {
  const config = temporaryDirectory();
  const at = client({ XDG_CONFIG_HOME: config });
  expect(await at.fails(1, 'documents', 'list')).toBe(
    'there is no profile "default": run countersign login, or set COUNTERSIGN_API_KEY',
  );

  const refused = await login(config, 'svc_live_wrong', '--base-url', app.service.origin);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^countersign: The API key is not valid.*req_/),
  ]);
  const far = await login(config, '', '--base-url', 'http://sign.invalid');
  expect(far.stderr).toMatch(/travels unencrypted to http:\/\/sign\.invalid/);
  const empty = await login(config, '\n', '--base-url', app.service.origin);
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringMatching(/no API key was entered/)]);
  expect(readdirSync(config)).toEqual([]);

  const { code, stdout, stderr } = await login(
    config,
    `${company.testKey}\n`,
    '--base-url',
    app.service.origin,
    '--json',
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(`${stdout}`)).toMatchObject({ profile: 'default', base_url: app.baseUrl, mode: 'test' });
  expect(`${stdout}`).not.toContain(company.testKey);
  const path = join(config, 'countersign', 'profiles.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  expect(await at.json('documents', 'list', '--limit', '1')).toHaveLength(1);
  const elsewhere = client({ XDG_CONFIG_HOME: config, COUNTERSIGN_BASE_URL: 'http://127.0.0.1:1' });
  expect(await elsewhere.fails(1, 'documents', 'list')).toBe(
    `profile "default" is for ${app.baseUrl}, and COUNTERSIGN_BASE_URL is http://127.0.0.1:1/api/v1: ` +
      'unset COUNTERSIGN_BASE_URL, give --profile default, or set COUNTERSIGN_API_KEY',
  );
  expect(await elsewhere.json('documents', 'list', '--limit', '1', '--profile', 'default')).toHaveLength(1);

  await login(config, company.key, '--profile', 'live', '--base-url', app.baseUrl);
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toEqual(['default', 'live']);
  expect(readdirSync(join(config, 'countersign'))).toEqual(['profiles.json']);
  expect(await at.json('documents', 'list', '--limit', '1', '--profile', 'live')).toHaveLength(1);
  expect(await at.fails(1, 'documents', 'list', '--profile', 'other')).toMatch(/login --profile other/);
  expect(await at.fails(2, 'documents', 'list', '--profile', '../x')).toMatch(/--profile must have/);

  const names = ['a', 'b', 'c'];
  await Promise.all(names.map((name) => login(config, company.key, '--profile', name, '--base-url', app.baseUrl)));
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8'))).sort()).toEqual(['a', 'b', 'c', 'default', 'live']);

  chmodSync(path, 0o644);
  expect(await at.fails(1, 'documents', 'list')).toMatch(/others may open it: run chmod 600/);
  chmodSync(path, 0o600);
  expect(await at.json('logout')).toEqual({ profile: 'default' });
  expect(await at.fails(1, 'logout')).toMatch(/no profile "default"/);
  writeFileSync(path, '{"default":{"api_key":7}}');
  expect(await at.fails(1, 'documents', 'list')).toMatch(/damaged/);
});

test('a .env file in the working directory chooses neither the server nor the key', async () => {
  const other = await scriptedServer(breaksOff);
  onTestFinished(() => other.stop());
  const config = temporaryDirectory();
  const cwd = temporaryDirectory();
  const settings = { BASE_URL: other.baseUrl, API_KEY: 'svc_live_other', PROFILE: 'other' };
  const lines = Object.entries(settings).map(([name, value]) => `COUNTERSIGN_${name}=${value}\n`);
  writeFileSync(join(cwd, '.env'), lines.join(''));
  const run = (args: string[], env = {}, input = '') =>
    runCommand([...args, '--json'], { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: config, ...env }, cwd, input);

  await login(config, company.key, '--base-url', app.baseUrl);
  const { code, stdout } = await run(['documents', 'list', '--limit', '1']);
  expect([code, JSON.parse(`${stdout}`)]).toEqual([0, [expect.objectContaining({ object: 'document' })]]);
  // Goes to the default address, where nothing that answers needs to run.
  await run(['login', '--profile', 'new'], {}, 'svc_live_wrong');
  expect(other.asked).toEqual([]);
});

test('documents are created, sent, read and downloaded over the API', async () => {
  const at = client();
  const draft = await at.json('documents', 'create', '--title', 'Lease', '--to', 'Ada Lovelace <ada@example.com>');
  expect(draft).toMatchObject({ object: 'document', status: 'draft', title: 'Lease', recipient_count: 1 });
  const id = draft.id as string;
  expect(await at.json('documents', 'send', id)).toMatchObject({ id, status: 'sent' });
  expect(await at.json('documents', 'get', id)).toMatchObject({ id, status: 'sent' });
  expect(await at.json('documents', 'recipients', id)).toMatchObject([{ display_name: 'Ada Lovelace', sign_order: 1 }]);
  expect(await at.json('documents', 'list', '--status', 'sent')).toMatchObject([{ id }]);

  const both = ['--to', 'Ada <ada@example.com>', '--to', 'Carl <carl@example.com>'];
  const modes: Record<string, string>[] = [];
  for (const order of [[], ['--in-order']]) {
    const { id: made } = await at.json('documents', 'create', '--title', 'Lease', ...both, ...order, '--send');
    modes.push(
      Object.fromEntries(
        (await at.json<{ display_name: string; status: string }[]>('documents', 'recipients', made as string)).map(
          ({ display_name, status }) => [display_name, status],
        ),
      ),
    );
  }
  expect(modes).toEqual([
    { Ada: 'sent', Carl: 'sent' },
    { Ada: 'sent', Carl: 'pending' },
  ]);

  const out = join(at.cwd, 'agreement.pdf');
  const sha256 = createHash('sha256').update(sealed.pdf).digest('hex');
  expect(await at.json('documents', 'download', sealed.id, '--out', out)).toMatchObject({ out, sha256 });
  expect(readFileSync(out).equals(sealed.pdf)).toBe(true);
  expect(await at.fails(1, 'documents', 'download', sealed.id, '--out', out)).toMatch(/is there already/);
  expect((await at.run('documents', 'download', sealed.id, '--out', '-')).stdout.equals(sealed.pdf)).toBe(true);
  expect(await at.fails(1, 'documents', 'download', id, '--out', 'x.pdf')).toMatch(
    /document_not_completed, status, req_/,
  );
  expect(await at.fails(1, 'documents', 'get', '../account')).toMatch(/document_not_found/);
});

test('a document comes from a file or standard input, and the same idempotency key creates it once', async () => {
  const at = client();
  const body = { title: 'From a file', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };
  const file = join(at.cwd, 'draft.json');
  writeFileSync(file, JSON.stringify(body));
  const create = ['documents', 'create', file, '--send', '--idempotency-key', 'order-7'];
  const first = await at.json(...create);
  expect(first).toMatchObject({ title: 'From a file', status: 'sent' });
  expect(await at.json(...create)).toEqual(first);
  const environment = {
    PATH: process.env.PATH ?? '',
    COUNTERSIGN_API_KEY: company.key,
    COUNTERSIGN_BASE_URL: app.baseUrl,
  };
  const piped = await runCommand(['documents', 'create', '-', '--json'], environment, at.cwd, JSON.stringify(body));
  expect(JSON.parse(`${piped.stdout}`)).toMatchObject({ title: 'From a file', status: 'draft' });

  writeFileSync(file, JSON.stringify({ ...body, recipients: [{ name: 'Ada', email: 'ada' }] }));
  expect(await at.fails(1, 'documents', 'create', file)).toMatch(
    /\(invalid_recipient_email, recipients\[0\]\.email, req_/,
  );
  writeFileSync(file, '{');
  expect(await at.fails(1, 'documents', 'create', file)).toMatch(/draft\.json is not JSON/);
  expect(await at.fails(2, 'documents', 'create', file, '--title', 'Lease')).toMatch(/not both/);
  expect(await at.fails(2, 'documents', 'create')).toMatch(/give a file/);
  const two = 'Ada Lovelace <ada@example.com>, Bob <bob@example.com>';
  for (const to of ['ada@example.com', two, two.replace(',', ';')])
    expect(await at.fails(2, 'documents', 'create', '--title', 'Lease', '--to', to)).toMatch(/--to must be/);
  const inQuotes = ['documents', 'create', '--title', 'Lease', '--to', '"Lovelace, Ada" <ada@example.com>'];
  const { id } = await at.json<{ id: string }>(...inQuotes);
  expect(await at.json('documents', 'recipients', id)).toMatchObject([{ display_name: 'Lovelace, Ada' }]);
  const nowhere = join(at.cwd, 'absent/agreement.pdf');
  expect(await at.fails(1, 'documents', 'download', id, '--out', nowhere)).toMatch(/there is no directory .*absent/);
});

test('a command whose write may have been done names the key to repeat it with', async () => {
  const body = { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };
  // The server asks for more time than the command waits.
  const later = { 'retry-after': '3600' };
  const unavailable = refuses(503, 'api_error', 'document_send_failed', later);
  const server = await scriptedServer(
    refuses(409, 'idempotency_error', 'idempotency_in_progress', later),
    answers(201, { object: 'document', id: 'x' }),
    unavailable,
    (response) => void response.writeHead(200).end('<html>'),
    breaksOff,
    refuses(429, 'rate_limit_error', 'rate_limit_exceeded', later),
    refuses(429, 'rate_limit_error', 'rate_limit_exceeded', later),
    refuses(400, 'validation_error', 'invalid_title'),
    unavailable,
  );
  onTestFinished(() => server.stop());
  const at = client({ COUNTERSIGN_API_KEY: company.key, COUNTERSIGN_BASE_URL: server.baseUrl });
  const file = join(at.cwd, 'body.json');
  writeFileSync(file, JSON.stringify(body));
  const keys = () => server.asked.map(({ headers }) => headers['idempotency-key']);

  const inProgress = await at.fails(1, 'imports', 'start', file);
  expect(inProgress).toMatch(
    /^No\. \(idempotency_in_progress, req_1\) To repeat the command without writing twice, add /,
  );
  expect(inProgress.endsWith(`add --idempotency-key ${keys()[0]}`)).toBe(true);

  const { stderr } = await at.run('documents', 'create', file, '--send');
  expect(keys()[1]).toBe(keys()[2]);
  expect(stderr).toMatch(
    new RegExp(`^countersign: created x\n.*document_send_failed.* --idempotency-key ${keys()[1]}\n$`),
  );

  expect(await at.fails(1, 'documents', 'send', 'x', '--idempotency-key', "it's one")).toMatch(
    / The answer is not JSON\. Check baseUrl\. To repeat .* add --idempotency-key 'it'\\''s one'$/i,
  );
  expect(await at.fails(1, 'documents', 'create', file, '--idempotency-key', 'order-8')).toMatch(
    /rate_limit_exceeded.* add --idempotency-key order-8$/,
  );
  expect(await at.fails(1, 'documents', 'create', file)).toMatch(/rate_limit_exceeded, req_1\)$/);
  expect(await at.fails(1, 'documents', 'create', file)).not.toMatch(/idempotency-key/);
  expect(await at.fails(1, 'documents', 'get', 'x')).not.toMatch(/idempotency-key/);
});

test('imports are started and read over the API', async () => {
  const at = client();
  const file = join(at.cwd, 'import.json');
  writeFileSync(file, JSON.stringify({ source: 'esign_vendor' }));
  expect(await at.fails(1, 'imports', 'start', file)).toMatch(/esign_not_connected/);
  expect(await at.json('imports', 'list', '--status', 'running')).toEqual([]);
  expect(await at.fails(1, 'imports', 'get', sealed.id)).toMatch(/import_not_found/);
  expect(await at.fails(1, 'imports', 'items', sealed.id)).toMatch(/import_not_found/);
});

test('a server that is not there, or is another one, is said in one line', async () => {
  const port = await freePort();
  const gone = client({ COUNTERSIGN_API_KEY: company.key, COUNTERSIGN_BASE_URL: `http://127.0.0.1:${port}` });
  expect(await gone.fails(1, 'trigger', 'document.sent')).toBe(
    `http://127.0.0.1:${port}/api/v1: the server could not be reached (ECONNREFUSED)`,
  );
  const wrong = client({ COUNTERSIGN_API_KEY: company.key, COUNTERSIGN_BASE_URL: 'sign.example.com' });
  expect(await wrong.fails(1, 'documents', 'list')).toMatch(/is not the address of a server/);
});

/** Runs `countersign listen`. Its output is collected until the test ends. */
function listen(settings: Record<string, string>, ...args: string[]) {
  const child = spawn(bin, ['listen', ...args], {
    cwd: temporaryDirectory(),
    env: { PATH: process.env.PATH ?? '', COUNTERSIGN_BASE_URL: app.baseUrl, ...settings },
  });
  const output = { stdout: '', stderr: '', code: null as number | null };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  child.once('exit', (code) => {
    output.code = code;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const until = (holds: (seen: typeof output) => boolean) => eventually(async () => output, holds);
  return { child, output, until };
}

test('listen forwards events with a valid signature, prints them, and ends on Ctrl-C', async () => {
  const own = await createCompany(app);
  const settings = { COUNTERSIGN_API_KEY: own.testKey };
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { child, output, until } = listen(
    settings,
    '--forward-to',
    receiver.url,
    '--events',
    'document.completed,document.sent',
  );
  await until(({ stderr }) => stderr.includes('ready; stop with Ctrl-C'));
  const at = client(settings);
  for (const event of ['document.sent', 'document.viewed', 'document.completed']) await at.json('trigger', event);
  await until(({ stdout }) => stdout.includes('document.completed'));

  const secret = /signed with (whsec_[0-9a-f]{32})/.exec(output.stderr)?.[1] ?? '';
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['document.sent', 'document.completed']);
  for (const { raw, headers, event } of receiver.received) {
    expect(await verifyWebhook(raw.toString(), headers['x-service-signature'] as string, secret)).toEqual(event);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-service-event': event.event });
  }
  expect(output.stdout).toMatch(
    /^\d\d:\d\d:\d\d {2}document\.sent {7}[0-9a-f-]{36} {2}Test event {2}→ 200 in \d+ ms$/m,
  );
  expect(output.stderr).not.toContain(own.testKey);

  receiver.answer = (response) => response.writeHead(500).end();
  await at.json('trigger', 'document.sent');
  await until(({ stdout }) => stdout.includes('→ 500 in'));
  await receiver.stop();
  await at.json('trigger', 'document.sent');
  await until(({ stdout }) => stdout.includes('→ no connection (ECONNREFUSED)'));
  child.kill('SIGINT');
  expect((await until(({ code }) => code !== null)).code).toBe(0);
});

test('a port with a path is one of this machine', async () => {
  const { key } = await createCompany(app);
  const { until } = listen({ COUNTERSIGN_API_KEY: key }, '--forward-to', '8080/hooks?a=1');
  const { stderr } = await until((seen) => seen.stderr.includes('forwarding to'));
  expect(stderr).toContain('forwarding to http://127.0.0.1:8080/hooks?a=1,');
});

test('listen prints the bodies as JSON, refuses a bad key, and continues when the service comes back', async () => {
  const refused = listen({ COUNTERSIGN_API_KEY: 'svc_live_wrong' });
  expect(await refused.until(({ code }) => code !== null)).toMatchObject({ code: 1, stdout: '' });
  expect(refused.output.stderr).toMatch(/^countersign: The API key is not valid/);

  const port = `${await freePort()}`;
  const first = await startTestService({ env: { PORT: port } });
  const { id, key, testKey } = await createCompany(first);
  const viewed = () =>
    first.db.transaction((tx) => {
      const type = 'document.viewed';
      const document = testDocument(first.world, type);
      return recordEvent(first.world, tx, { accountId: id, documentId: null, type, document });
    });
  await viewed(); // before the start, so it isn't printed
  first.clock.advance({ seconds: 40 });
  const { output, until } = listen({ COUNTERSIGN_API_KEY: key, COUNTERSIGN_BASE_URL: first.baseUrl }, '--print-json');
  await until(({ stderr }) => stderr.includes('ready'));
  await first.service.stop();
  const missed = await viewed();
  await until(({ stderr }) => stderr.includes('trying again in 1 s'));
  const second = await startTestService({ env: { PORT: port }, databaseUrl: first.databaseUrl, clock: first.clock });
  onTestFinished(async () => {
    await second.stop();
    await first.stop();
  });
  await until(({ stderr }) => stderr.includes('connected again'));
  const at = client({ COUNTERSIGN_API_KEY: testKey, COUNTERSIGN_BASE_URL: first.baseUrl });
  const { id: eventId } = await at.json('trigger', 'document.voided');
  await until(({ stdout }) => stdout.includes('document.voided') && stdout.endsWith('}\n'));
  const printed = output.stdout.trimEnd().split('\n');
  expect(new Set(printed.map((line) => JSON.parse(line).id))).toEqual(new Set([missed, eventId]));
  expect(printed).toHaveLength(2);
  expect(id).not.toBe(company.id);
});

test('trigger needs a test key and a known event', async () => {
  const at = client();
  expect(await at.fails(1, 'trigger', 'document.sent')).toMatch(
    /^Test events need a test key\. \(test_key_required, req_.* give --profile test/,
  );
  expect(await at.fails(2, 'trigger', 'document.sealed')).toMatch(/must be one of document\.sent/);
});

test('a sample is written to a new or empty directory only', async () => {
  const at = client();
  const created = await at.json<{ directory: string; files: string[] }>('samples', 'create', 'node');
  expect(created).toMatchObject({
    language: 'node',
    directory: join(at.cwd, 'countersign-node'),
    files: ['receiver.mjs'],
  });
  expect(readdirSync(created.directory)).toEqual(created.files);
  expect(await at.fails(1, 'samples', 'create', 'node')).toMatch(/countersign-node is not empty/);
  expect(await at.fails(2, 'samples', 'create', 'perl')).toMatch(/must be one of node, python, go, php/);
});
