import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { eraseAccount, requestErasure } from '../../src/erasure/erase-account.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { sealedColumns } from '../../src/secrets/sealed-columns.ts';
import { clientSecretContext } from '../../src/sso/connection.ts';
import { addMember, visit } from '../console/visitor.ts';
import { endServers, type Ground, prepareGround, startServer } from '../support/process.ts';
import type { TestService } from '../support/service.ts';
import { clientSecret, startProvider, type TestProvider } from './provider.ts';
import { comeBack, createSsoCompany, signInWith, startSsoService } from './sso-company.ts';

/** What single sign-on leaves in rows and logs, and what erasing takes away. */
let provider: TestProvider;
let app: TestService;
let ground: Ground;

beforeAll(async () => {
  [provider, ground] = await Promise.all([startProvider(), prepareGround()]);
  app = await startSsoService();
});
afterAll(async () => {
  await endServers();
  await app.stop();
  await Promise.all([provider.stop(), ground.clear()]);
});

type Rows = Pick<TestService, 'db'>;

/** Every row of every table, as text. */
async function everyRow({ db }: Rows): Promise<Map<string, string>> {
  const tables = await db.query<{ name: string }>({
    name: '',
    text: `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    values: [],
  });
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    const found = await db.query<{ row: string }>({
      name: '',
      text: `select t::text as row from ${name} t`,
      values: [],
    });
    rows.set(name, found.map(({ row }) => row).join('\n'));
  }
  return rows;
}

const tablesWith = async (at: Rows, text: string) =>
  [...(await everyRow(at))].filter(([, rows]) => rows.includes(text)).map(([name]) => name);

test('codes, tokens, states, verifiers and the client secret are in no row and no log line', async () => {
  const server = await startServer({ ...ground.settings, SSO_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug' });
  const at = { ...ground, ...server } as unknown as TestService;
  const company = await createSsoCompany(at, provider);
  await addMember(at, company.id, 'member', 'traced@a.example');
  provider.people.set('traced', { email: 'traced@a.example', email_verified: true });
  provider.subject = 'traced';
  const visitor = visit(at);
  const query = await comeBack(at, visitor, company.ssoId);
  const whileAsked = [...(await everyRow(at)).values()].join('\n');
  const page = await visitor.page(`/sign-in/sso/callback/${company.id}${query}`);
  expect((await visitor.post('/sign-in/sso/complete', { account: company.id, query })).status).toBe(200);
  const failed = await comeBack(at, visitor, company.ssoId);
  const forged = new URLSearchParams(failed);
  forged.set('code', 'an-invented-code-0123456789');
  expect((await visitor.post('/sign-in/sso/complete', { account: company.id, query: `?${forged}` })).status).toBe(403);

  await expect.poll(() => server.stdout() + server.stderr()).toContain('a sign-in with single sign-on failed');
  const after = [...(await everyRow(at)).values()].join('\n');
  const seen = [whileAsked, after, server.stdout(), server.stderr(), page.text].join('\n');
  const states = [query, failed].map((each) => new URLSearchParams(each).get('state') ?? '');
  const cookie = visitor.cookies.get('countersign_sso') ?? '';
  for (const secret of [...provider.secrets(), ...states, cookie, clientSecret, 'an-invented-code-0123456789']) {
    expect(secret.length).toBeGreaterThan(20);
    for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(seen.includes(form), form).toBe(false);
  }
});

test('erasing a person forgets whom the provider meant', async () => {
  const company = await createSsoCompany(app, provider);
  const email = 'forgotten@a.example';
  const { id, personId } = await addMember(app, company.id, 'member', email);
  provider.people.set('forgotten-subject', { email, email_verified: true });
  provider.subject = 'forgotten-subject';
  await signInWith(app, company.ssoId);
  expect(await tablesWith(app, 'forgotten-subject')).toEqual(['sso_identities']);
  await company.owner.call('DELETE', `/members/${id}`);
  expect(await tablesWith(app, email)).toContain('removed_members');
  await app.db.transaction((tx) => erasePerson(app.world, tx, personId));
  expect(await tablesWith(app, 'forgotten-subject')).toEqual([]);
  expect(await tablesWith(app, email)).not.toContain('removed_members');
});

test('erasing a company takes its single sign-on with it', async () => {
  const company = await createSsoCompany(app, provider, { domain: 'erased.example', default_role: 'member' });
  provider.people.set('erased', { email: 'erased@erased.example' });
  provider.subject = 'erased';
  await signInWith(app, company.ssoId);
  await visit(app).post('/sign-in/sso/start', { id: company.ssoId });
  const member = await addMember(app, company.id, 'member');
  await company.owner.call('DELETE', `/members/${member.id}`);
  await company.save({ role_claim: 'groups', roles: [{ value: 'a', role: 'admin' }] });
  await app.db.transaction((tx) => removeAccount(app.world, tx, company.id));
  await requestErasure(app.world, app.db, company.id);
  await eraseAccount({ world: app.world, db: app.db, accountId: company.id, stopping: new AbortController().signal });
  const left = (await tablesWith(app, company.id)).filter((name) => /sso|session|removed_members/.test(name));
  expect(left).toEqual([]);
});

test('the client secret is among the columns that a new SECRET_KEY encrypts again', () => {
  const column = sealedColumns.find(({ table }) => table === 'sso_connections');
  expect(column).toMatchObject({ key: 'account_id', column: 'client_secret' });
  const [former, current] = [systemRandom.bytes(32), systemRandom.bytes(32)];
  const sealed = createSecretBox(former, systemRandom).encrypt('secret', clientSecretContext('x'));
  const renewed = createSecretBox(current, systemRandom, former).reencrypt(sealed, column?.contextOf('x') ?? '');
  expect(createSecretBox(current, systemRandom).decrypt(renewed as Buffer, clientSecretContext('x'))).toBe('secret');
});
