import { createAccount } from '../../src/accounts/manage-accounts.ts';
import { findSsoById } from '../../src/sso/connection.ts';
import { addDomain, proveDomain } from '../../src/sso/domains.ts';
import { addMember, type Member, signedIn, type Visitor, visit } from '../console/visitor.ts';
import { type Answer, startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { clientId, clientSecret, type TestProvider } from './provider.ts';

export const aSetup = {
  version: 0,
  issuer: '',
  client_id: clientId,
  client_secret: clientSecret,
  role_claim: '',
  roles: [] as { value: string; role: string }[],
  default_role: '',
  is_required: false,
};

/** A service whose companies may have providers on this machine. */
export function startSsoService(options: TestServiceOptions = {}): Promise<TestService> {
  return startTestService({ ...options, env: { SSO_ALLOW_PRIVATE: 'true', ...options.env } });
}

export interface SsoCompany {
  id: string;
  ownerMember: Member;
  owner: Visitor;
  /** Of the sign-in link. */
  ssoId: string;
  /** Saves settings on top of the present ones. */
  save(changes: Partial<typeof aSetup>): Promise<Answer>;
}

let companies = 0;

/** A company with an owner and the provider, and a proven domain if one is named. */
export async function createSsoCompany(
  app: TestService,
  provider: Pick<TestProvider, 'issuer'>,
  { domain, ...setup }: Partial<typeof aSetup> & { domain?: string } = {},
): Promise<SsoCompany> {
  const { world, db } = app;
  const name = `Company ${++companies}`;
  const { id } = await createAccount(world, db, { displayName: name, tier: 'enterprise' });
  const ownerMember = await addMember(app, id, 'owner');
  const owner = await signedIn(app, ownerMember);
  const save: SsoCompany['save'] = async (changes) => {
    const { roles, default_role, is_required, issuer, client_id, role_claim, version } = (await owner.get('/sso')).body;
    const held = { roles, default_role, is_required, issuer, client_id, role_claim, version, client_secret: '' };
    return owner.post('/sso', { ...held, ...changes });
  };
  const saved = await owner.post('/sso', { ...aSetup, issuer: provider.issuer, ...setup });
  if (saved.status !== 200) throw new Error(`not saved: ${saved.text}`);
  if (domain !== undefined) await proveFor(app, id, domain);
  return { id, ownerMember, owner, ssoId: saved.body.sign_in_url.split('/').at(-1), save };
}

export async function proveFor({ world, db }: TestService, accountId: string, domain: string): Promise<void> {
  const change = { accountId, personId: null, domain };
  await db.transaction((tx) => addDomain(world, tx, change));
  const outcome = await proveDomain(world, db, change, null);
  if (outcome !== 'proven') throw new Error(outcome);
}

/** Starts a sign-in and follows the provider up to the callback. Returns the callback's query. */
export async function comeBack(app: TestService, visitor: Visitor, ssoId: string, more: object = {}): Promise<string> {
  const started = await visitor.post('/sign-in/sso/start', { id: ssoId, ...more });
  if (started.status !== 200) throw new Error(`not started: ${started.text}`);
  return followProvider(app, started.body.redirect_to);
}

/** A browser at the provider, with cookies of its own. */
export async function followProvider(app: TestService, start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  for (let step = 0; step < 10; step++) {
    if (address.origin === new URL(app.baseUrl).origin) return address.search;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    address = new URL(location, address);
  }
  throw new Error('the provider leads nowhere');
}

/** Signs in from start to end. */
export async function signInWith(
  app: TestService,
  ssoId: string,
  visitor: Visitor = visit(app),
): Promise<{ visitor: Visitor; answer: Answer }> {
  const query = await comeBack(app, visitor, ssoId);
  return {
    visitor,
    answer: await visitor.post('/sign-in/sso/complete', { account: await accountOf(app, ssoId), query }),
  };
}

async function accountOf({ db }: TestService, ssoId: string): Promise<string> {
  return (await findSsoById(db, ssoId))?.account_id ?? '';
}

/** The reason of a failed sign-in. */
export function reasonOf({ status, body }: Answer): [number, string, string] {
  return [status, body?.error?.code, body?.error?.value];
}
