import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { databaseUrl } from '../support/postgres.ts';
import {
  endServers,
  type Ground,
  launchServer,
  prepareGround,
  type Settings,
  startServer,
} from '../support/process.ts';

let ground: Ground;
let proxy: FaultProxy;

beforeAll(async () => {
  ground = await prepareGround();
  proxy = await startFaultProxy(ground.databaseUrl);
  // Creates the secrets, so that a later start is not the first one.
  const server = await startServer({ ...ground.settings, ROLE: 'worker' });
  server.kill('SIGTERM');
  await server.ended;
});
afterAll(async () => {
  await endServers();
  await proxy.close();
  await ground.clear();
});

/** Returns the output of a process that cannot serve, which must be one line. */
async function refusal(settings: Settings): Promise<string> {
  // Warnings are off: many processes start at once, and on a busy machine some wait for the database.
  const server = launchServer({ ...ground.settings, LOG_LEVEL: 'error', ...settings });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.stdout()).toBe('');
  expect(server.stderr()).toMatch(/^countersign: [^\n]+\n$/);
  return server.stderr();
}

describe.concurrent('a bad setting is one line that names it', () => {
  const file = (name: string, content: string) => {
    const path = join(ground.dataDir, name);
    writeFileSync(path, content);
    return path;
  };
  const bad: Array<[string, () => string, RegExp]> = [
    ['HOST', () => '203.0.113.7', /203\.0\.113\.7 is not an address of this machine/],
    ['HOST', () => 'no such host', /no such host/],
    ['PORT', () => 'eighty', /whole number from 0 to 65535/],
    ['PORT', () => '65536', /whole number from 0 to 65535/],
    ['PUBLIC_URL', () => 'https://sign.example.com/path', /origin/],
    ['DATA_DIR', () => file('a-file', ''), /a-file/],
    ['DATABASE_URL', () => 'mysql://127.0.0.1/db', /postgres/],
    ['DATABASE_DIRECT_URL', () => 'mysql://127.0.0.1/db', /postgres/],
    ['ROLE', () => 'boss', /all, web, worker/],
    ['FILES_URL', () => 'ftp://files.example.com', /file: or s3:/],
    ['SECRET_KEY', () => 'short', /32 bytes in base64/],
    ['SECRET_KEY_PREVIOUS', () => 'short', /32 bytes in base64/],
    ['ESIGN_OAUTH_URL', () => 'http://vendor.example.com', /https: unless it is on this machine/],
    ['ESIGN_OAUTH_URL', () => 'https://vendor.example.com/oauth?x=1', /no user name, password, query/],
    ['ESIGN_CLIENT_ID', () => 'id', /ESIGN_CLIENT_SECRET: it must be set/],
    ['ESIGN_CLIENT_SECRET', () => 'secret', /ESIGN_CLIENT_ID: it must be set/],
    ['SMTP_URL', () => 'http://mail.example.com', /smtp/],
    ['TSA_URL', () => 'http://user:100%@tsa.example.com', /each % .* written as %25/],
    ['SMS_URL', () => 'twilio://AC1:100%@+15550001111', /each % .* written as %25/],
    ['SMS_URL', () => 'pigeon://coop', /pigeon|twilio/],
    ['DOCS_URL', () => 'docs', /http/],
    ['DOCS_URL', () => 'https://docs.example.com/api#top', /no fragment/],
    ['METRICS_PORT', () => '0', /whole number from 1 to 65535/],
    ['IMPORTS_CLOUD_ENABLED', () => 'no', /true or false/],
    ['IMPORTS_ALLOW_PRIVATE', () => '1', /true or false/],
    ['DRIVE_API_URL', () => 'http://drive.example.com', /https: unless IMPORTS_ALLOW_PRIVATE/],
    ['DRIVE_API_URL', () => 'https://drive.example.com/?key=1', /no user name, password, query/],
    ['CLOUD_FILES_HOSTS', () => 'https://files.example.com', /hosts, such as/],
    ['PLANS_FILE', () => join(ground.dataDir, 'missing.json'), /missing\.json/],
    ['PLANS_FILE', () => file('broken.json', '{\n  "pro": {\n    nonsense\n  }\n}\n'), /broken\.json.*JSON/],
    ['PLANS_FILE', () => file('plans.json', '{"pro": {"burst_per_minute": "many"}}'), /pro\.burst_per_minute/],
    ['MAX_BODY_BYTES', () => '1 MB', /whole number/],
    ['IP_REQUESTS_PER_MINUTE', () => '0', /whole number/],
    ['TRUST_PROXY', () => '10.0.0.0/8,proxy', /has "proxy", which is not an IP address/],
    ['TRUST_PROXY', () => '0.0.0.0/0', /"0.0.0.0\/0", which is every address/],
    ['TRUST_PROXY', () => '::/0', /"::\/0", which is every address/],
    ['SMTP_URL', () => 'smtp://', /smtp:\/\/user:password@host/],
    ['MAIL_FROM', () => 'a@example.com\r\nBcc: b@example.com', /one address/],
    ['IDEMPOTENCY_TTL_HOURS', () => '-1', /whole number/],
    ['SIGNING_CERT_FILE', () => join(ground.dataDir, 'missing.p12'), /missing\.p12/],
    ['SIGNING_CERT_FILE', () => file('not.p12', 'not a certificate'), /not\.p12/],
    ['SIGNING_KEY', () => 'pkcs11:token=t;object=o?module-path=/m.so', /SIGNING_CERT_FILE: it must be set/],
    ['SIGNING_KEY_PIN', () => '1234', /SIGNING_KEY: it must be set/],
    ['TSA_URL', () => 'tsa.example.com', /http/],
    ['MAIL_FROM', () => 'Countersign', /one address/],
    ['DATA_DIR', () => '/proc/nope', /\/proc\/nope/],
    ['FILES_URL', () => 'file:///proc/nope', /\/proc\/nope/],
    ['SECRET_KEY', () => randomBytes(32).toString('base64'), /made under another SECRET_KEY/],
    ['LOG_LEVEL', () => 'chatty', /debug, info, warn, error/],
    ['S3_ENDPOINT', () => 'minio', /http/],
    ['SMTP_URL_FILE', () => join(ground.dataDir, 'missing'), /cannot read .*missing: ENOENT/],
    ['SMTP_URL_FILE', () => file('empty', '\n'), /empty is empty/],
    ['SMTP_URL_FILE', () => file('two-lines', 'smtp://a.example\nsmtp://b.example\n'), /one line of text/],
    ['SMTP_URL_FILE', () => file('large', 'x'.repeat(65_537)), /larger than 64 KiB/],
    ['DATABASE_URL_FILE', () => file('url', 'postgres://127.0.0.1/x'), /DATABASE_URL is set too/],
  ];

  test.each(bad)('%s (%#)', async (name, value, says) => {
    const line = await refusal({ [name]: value() });
    expect(line).toContain(name);
    expect(line).toMatch(says);
  });

  test('what a file holds is checked as the setting is', async () => {
    expect(await refusal({ SMS_URL_FILE: file('sms-url', 'pigeon://coop') })).toContain('SMS_URL');
  });

  test('MAIL_FROM', async () => {
    expect(await refusal({ SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'nobody in particular' })).toContain(
      'MAIL_FROM',
    );
  });

  test('SIGNING_CERT_PASSWORD', async () => {
    const line = await refusal({
      SIGNING_CERT_FILE: join(ground.dataDir, 'signing-certificate.p12'),
      SIGNING_CERT_PASSWORD: 'hunter2',
    });
    expect(line).toContain('SIGNING_CERT_PASSWORD');
    expect(line).not.toContain('hunter2');
  });

  test('DATABASE_URL with a certificate that is missing', async () => {
    const url = 'postgresql://127.0.0.1/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
    expect(await refusal({ DATABASE_URL: url })).toMatch(/the database cannot be reached: .*\/nowhere\/ca\.pem/);
  });

  test('a value of the .env file that ends at a #', async () => {
    const env = file('cut-off.env', 'SMTP_URL=smtp://user:pass#word@mail.example.com\n');
    const line = await refusal({ COUNTERSIGN_ENV_FILE: env });
    expect(line).toMatch(/bad setting SMTP_URL: .*; line 1 of .*cut-off\.env has # in a value/);
    expect(line).not.toContain('pass');
  });

  test('METRICS_PORT that is PORT', async () => {
    const ports = { PORT: '9', METRICS_PORT: '9' };
    expect(await refusal(ports)).toMatch(/METRICS_PORT: it must be another port than PORT/);
    expect(await refusal({ ...ports, HOST: '0.0.0.0' })).toMatch(/METRICS_PORT/);
    // A worker does not listen on PORT.
    expect(readConfig({ ...ports, ROLE: 'worker' }).metrics).toEqual({ host: '127.0.0.1', port: 9 });
  });

  test('FILES_URL in a store without credentials', async () => {
    expect(await refusal({ FILES_URL: 's3://bucket/prefix' })).toMatch(/AWS_ACCESS_KEY_ID|FILES_URL/);
  });
});

function asUser(url: string, user: string): string {
  const other = new URL(url);
  other.username = '';
  other.searchParams.set('user', user);
  return other.href;
}

describe.concurrent('a database out of reach is one line, without its password', () => {
  const unreachable: Array<[string, () => string, RegExp]> = [
    ['nobody listens', () => 'postgresql://u:s3cret@127.0.0.1:9/db', /cannot be reached: connect ECONNREFUSED/],
    [
      'by a name for several addresses',
      () => 'postgresql://u:s3cret@localhost:9/db',
      // A bare system has no entry for localhost in its hosts file.
      /cannot be reached: (connect ECONNREFUSED|getaddrinfo (ENOTFOUND|EAI_AGAIN) localhost)/,
    ],
    ['no such host', () => 'postgresql://u:s3cret@nowhere.invalid/db', /cannot be reached: .*nowhere.invalid/],
    ['no such socket', () => 'postgresql:///db?host=/nowhere&user=u', /cannot be reached: .*ENOENT/],
    ['no such database', () => databaseUrl(ground.databaseUrl, 'nowhere'), /"nowhere" does not exist/],
    ['no such user', () => asUser(ground.databaseUrl, 'nobody_known'), /nobody_known/],
  ];

  test.each(unreachable)('%s', async (_, url, says) => {
    const line = await refusal({ DATABASE_URL: url() });
    expect(line).toMatch(says);
    expect(line).not.toContain('s3cret');
  });

  test('it accepts connections and never answers', async () => {
    proxy.away('frozen');
    expect(await refusal({ DATABASE_URL: proxy.through(ground.databaseUrl) })).toMatch(/cannot be reached/);
    await proxy.restore();
  });
});

test('a directory for the database that is a file, or may not be written, is one line', async () => {
  const directory = join(ground.dataDir, 'occupied');
  mkdirSync(directory);
  writeFileSync(join(directory, 'postgres'), 'not a directory');
  expect(await refusal({ DATABASE_URL: '', DATA_DIR: directory })).toContain(directory);
});
