// Makes the backup that test/upgrade/upgrade.test.ts upgrades: `npm run upgrade-fixture -- 0.2.0`, once per release, before
// the release's version is changed. The result is NAME.tar.gz (the backup) and NAME.json (what the test must find in it).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { startService } from '../../src/service.ts';
import { bin } from '../cli/countersign.ts';
import { call, createDraft, createSent, eventually } from '../support/service.ts';
import { signAs } from '../support/sign.ts';
import type { UpgradeFixture } from './upgrade-fixture.ts';

const [name] = parseArgs({ allowPositionals: true }).positionals;
if (name === undefined || !/^[\w.-]+$/.test(name))
  throw new Error('name the release: npm run upgrade-fixture -- 0.2.0');

const dataDir = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'));
const secretKey = createHash('sha256').update(`upgrade fixture ${name}`).digest('base64');
const settings = { DATA_DIR: dataDir, SECRET_KEY: secretKey, PORT: '0', LOG_LEVEL: 'silent' };
const service = await startService(readConfig(settings));
try {
  const app = { baseUrl: `${service.origin}/api/v1`, dataDir };
  const account = run('account', 'create', '--name', 'Acme Builders', '--plan', 'enterprise');
  const { key } = run('key', 'create', '--account', account.id, '--mode', 'live', '--scopes', 'all');
  const hook = ['--url', 'https://hooks.example/hook', '--events', 'all'];
  const endpoint = run('webhook', 'create', '--account', account.id, ...hook);

  const recipients = (address: string) => [{ name: 'Ada Lovelace', email: address }];
  const draft = await createDraft(app, key, { title: 'Draft é 漢', recipients: recipients('draft@example.com') });
  const completed = await createSent(app, key, { title: 'Sealed', recipients: recipients('done@example.com') });
  await inMailbox('done@example.com');
  await signAs(app, 'done@example.com', 'Ada Lovelace');
  const sealed = await eventually(
    () => call(app, 'GET', `/documents/${completed}/download`, { key }),
    ({ status }) => status === 200,
  );
  const open = await createSent(app, key, { title: 'Open', recipients: recipients('open@example.com') });
  const link = await inMailbox('open@example.com');

  const fixture: UpgradeFixture = {
    name,
    at: new Date().toISOString(),
    secretKey,
    account: account.id,
    key,
    endpoint: { id: endpoint.id, secret: endpoint.secret },
    documents: { draft, completed, open },
    signingPath: new URL(link).pathname,
    sealedSha256: sealed.body.sha256,
  };
  run('backup', '--out', join(dataDir, 'backup'));
  const archive = join(import.meta.dirname, `${name}.tar.gz`);
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  execFileSync('tar', ['-C', join(dataDir, 'backup'), ...owner, '-czf', archive, '.']);
  writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(fixture, null, 2)}\n`);
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

// biome-ignore lint/suspicious/noExplicitAny: each command prints an object of its own
function run(...args: string[]): any {
  const env = { ...settings, PATH: process.env.PATH };
  return JSON.parse(execFileSync(bin, [...args, '--json'], { env, encoding: 'utf8' }));
}

/** Returns the link in the newest message to `address`. */
async function inMailbox(address: string): Promise<string> {
  const [message] = await eventually(
    () => listMailbox(join(dataDir, 'mailbox'), { to: address, limit: 1 }),
    (found) => found.length > 0,
  );
  return message?.links[0] as string;
}
