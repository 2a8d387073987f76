import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openEsign } from '../../src/esign/open-esign.ts';
import { VendorTokenRefused } from '../../src/esign/vendor/token-refused.ts';
import { withVendorAccess } from '../../src/esign/with-vendor-access.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { ensureSecretKey } from '../../src/platform/secret-key.ts';
import { addMember, signedIn } from '../console/visitor.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import { createCompany } from '../support/service.ts';
import { connect, start } from './vendor/connect-company.ts';
import { consent } from './vendor/consent.ts';
import { startVendorOauth, type VendorOauth } from './vendor/oauth.ts';

let ground: Ground;
let vendor: VendorOauth;

beforeAll(async () => {
  [ground, vendor] = await Promise.all([prepareGround(), startVendorOauth()]);
});
afterAll(async () => {
  await endServers();
  await vendor.stop();
  await ground.clear();
});

test('tokens, codes and the client’s secret are in no row, file, log line, answer or error in the clear', async () => {
  const server = await startServer({ ...ground.settings, ...vendor.env, LOG_LEVEL: 'debug' });
  const company = await createCompany(ground);
  const owner = await signedIn({ ...ground, ...server }, await addMember(ground, company.id, 'owner'));
  const answers: string[] = [];
  const shown = async (answer: Promise<{ text: string; headers: Headers }>) => {
    const { text, headers } = await answer;
    answers.push(text, JSON.stringify([...headers]));
  };

  const question = await start(owner);
  const whileAsked = await everything();
  const callback = await consent(question);
  await shown(owner.page(callback.pathname + callback.search));
  await shown(owner.page(callback.pathname + callback.search));
  const state = callback.searchParams.get('state') as string;
  const invented = new URL(await consent(await start(owner)));
  invented.searchParams.set('code', 'an-invented-code-0123456789');
  await shown(owner.page(invented.pathname + invented.search));
  for (const path of ['/connections', '/me', '/members']) await shown(owner.get(path));

  const lines: string[] = [];
  const means = openEsign(readConfig(vendor.env), {
    database: ground.db,
    world: { ...ground.world, log: createLog('debug', (line) => lines.push(line)) },
    secretBox: createSecretBox(await ensureSecretKey(null, ground.dataDir, ground.world.random), ground.world.random),
  });
  const errors: string[] = [];
  const fail = withVendorAccess(means, company.id, async () => {
    throw new Error('the envelope is broken');
  });
  await fail.catch((error) => errors.push(String(error.stack), JSON.stringify(error)));
  const used = await withVendorAccess(means, company.id, async ({ token }) => {
    expect(vendor.secrets()).toContain(token);
  });
  expect(used.kind).toBe('used');
  const whileConnected = await everything();
  expect(whileConnected).toContain('vendor-account-1');
  vendor.goDown(true);
  await withVendorAccess(means, company.id, refuse);
  vendor.goDown(false);
  await withVendorAccess(means, company.id, refuse);
  vendor.revokeAll();
  await connect(owner);
  vendor.revokeAll();
  await withVendorAccess(means, company.id, refuse);
  await shown(owner.call('DELETE', '/connections/esign_vendor'));

  const said = [server.stdout(), server.stderr(), ...lines, ...answers, ...errors].join('\n');
  expect(lines.join('\n')).toContain('could not be refreshed');
  expect(lines.join('\n')).toContain('refused our tokens');
  const places = [whileAsked, whileConnected, await everything(), said];
  const secrets = [...vendor.secrets(), state, vendor.clientSecret, 'an-invented-code-0123456789'];
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) {
    const [hex, base64] = [Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').slice(0, -4)];
    for (const form of [secret, hex, base64]) {
      for (const place of places) expect(place.includes(form), form).toBe(false);
    }
  }
});

async function refuse(): Promise<never> {
  throw new VendorTokenRefused();
}

/** Returns all rows and files of the service. */
async function everything(): Promise<string> {
  const tables = await ground.db.query<{ name: string }>({
    name: '',
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables
           where schemaname not in ('pg_catalog', 'information_schema')`,
    values: [],
  });
  const rows = await Promise.all(
    tables.map(({ name }) =>
      ground.db.query<{ text: string }>({ name: '', text: `select t::text as text from ${name} t`, values: [] }),
    ),
  );
  const files = readdirSync(ground.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return [...rows.flat().map(({ text }) => text), ...files].join('\n');
}
