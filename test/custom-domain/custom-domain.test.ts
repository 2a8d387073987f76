import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setEmbedOrigins } from '../../src/accounts/embed-origins.ts';
import { removeAccount } from '../../src/accounts/manage-accounts.ts';
import { checkDomain } from '../../src/custom-domain/check-domain.ts';
import { checkDueDomains } from '../../src/custom-domain/check-due-domains.ts';
import { findDomain } from '../../src/custom-domain/domain.ts';
import { setDomain, vouchForDomain } from '../../src/custom-domain/manage-domain.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { addMember, refusal, signedIn, type Visitor } from '../console/visitor.ts';
import { createPublicLink, newestCodeTo } from '../support/public-link.ts';
import { type Company, createCompany, createSent, eventually, type TestService } from '../support/service.ts';
import { type Scene, startScene } from './scene.ts';

/** From the claim of a host to links that lead to it, and back. `serving.test.ts` has the pages on the host. */
let scene: Scene;
let app: TestService;

beforeAll(async () => {
  scene = await startScene();
  app = scene.app;
});
afterAll(() => scene.stop());
beforeEach(() => scene.records.clear());

let count = 0;

async function aCompany(): Promise<{ company: Company; owner: Visitor; host: string }> {
  const company = await createCompany(app);
  const owner = await signedIn(app, await addMember(app, company.id, 'owner'));
  return { company, owner, host: `documents-${++count}.acme.example` };
}

const deps = () => ({ ...app, publicUrl: `http://127.0.0.1:${scene.port}`, resolvers: scene.resolvers });
const due = () => checkDueDomains(deps(), new AbortController().signal);
/** Waits until a check that is due has had this result. The service's own job may be the one that checks. */
const comesTo = (company: Company, state: string) =>
  eventually(
    async () => {
      await due();
      return stateOf(company);
    },
    (found) => found === state,
  );
const stateOf = async (company: Company) => (await findDomain(app.db, company.id))?.state ?? null;

async function auditOf(company: Company): Promise<unknown[]> {
  const rows = await app.db.query<{ action: string; detail: { host: string }; by_person: boolean }>({
    name: '',
    text: `select action, detail, person_id is not null as by_person from account_audit_entries
           where account_id = $1 and action like 'custom_domain%' order by id`,
    values: [company.id],
  });
  return rows.map(({ action, detail, by_person }) => [action, detail.host, by_person]);
}

async function newestLink(to: string): Promise<URL> {
  const messages = await eventually(
    () => listMailbox(join(app.dataDir, 'mailbox'), { to }),
    (found) => found.length > 0,
  );
  return new URL(messages[0]?.links[0] ?? '');
}

test('a host is claimed, proven, used in links, lost and found again', async () => {
  const { company, owner, host } = await aCompany();
  expect((await owner.get('/custom-domain')).body).toEqual({ service_host: '127.0.0.1', domain: null });
  const { body } = await owner.post('/custom-domain', { host: `${host.toUpperCase()}.` });
  expect(body.domain).toMatchObject({
    ...{ host, unicode_host: null, url: `http://${host}:${scene.port}`, state: 'waiting', problem: null },
    records: [
      { type: 'A', name: host, value: '127.0.0.1' },
      { type: 'TXT', name: `_countersign.${host}`, value: expect.stringMatching(/^countersign-host=[\w-]{43}$/) },
    ],
  });
  const [, proof] = body.domain.records;

  const checked = async () => (await owner.post('/custom-domain/check')).body.domain;
  expect(await checked()).toMatchObject({ state: 'waiting', problem: 'record_missing' });
  scene.records.set(`TXT ${proof.name}`, 'SERVFAIL');
  expect(await checked()).toMatchObject({ state: 'waiting', problem: 'unavailable' });
  scene.records.set(`TXT ${proof.name}`, { texts: [`${proof.value}x`] });
  expect(await checked()).toMatchObject({ state: 'waiting', problem: 'record_missing' });
  scene.makeRecords(body.domain);
  scene.records.set(`A ${host}`, { addresses: ['192.0.2.7'] });
  expect(await checked()).toMatchObject({ state: 'waiting', problem: 'elsewhere' });

  await createSent(app, company.key, { recipients: [{ name: 'Early', email: `early@${host}` }] });
  expect((await newestLink(`early@${host}`)).host).toBe(`127.0.0.1:${scene.port}`);

  // The scheduled job finds it too.
  scene.makeRecords(body.domain);
  await new Promise((resolve) => setTimeout(resolve, 1100)); // addresses are kept for a second
  app.clock.advance({ minutes: 11 });
  await comesTo(company, 'active');
  expect((await owner.get('/custom-domain')).body.domain).toMatchObject({
    state: 'active',
    problem: null,
    proven_by: 'dns',
  });

  await createSent(app, company.key, {
    recipients: [
      { name: 'Ada', email: `ada@${host}` },
      { name: 'Sam', email: `sam@${host}`, auth_level: 'l0_account_session' },
    ],
  });
  const link = await newestLink(`ada@${host}`);
  expect(link.origin).toBe(`http://${host}:${scene.port}`);
  expect((await scene.on(link.host, link.pathname)).text).toContain('Roof repair');
  // Who has to sign in does it on the host of the service.
  expect((await newestLink(`sam@${host}`)).host).toBe(`127.0.0.1:${scene.port}`);
  const { token } = await createPublicLink(app, company);
  const [{ id: templateId }] = (await owner.get('/templates')).body.data;
  expect((await owner.get(`/templates/${templateId}/links`)).body.data[0].url).toBe(`${link.origin}/link/${token}`);

  // The proof is gone: an hour later links lead to PUBLIC_URL, and the old ones still work.
  scene.records.delete(`TXT ${proof.name}`);
  expect(await checked()).toMatchObject({ state: 'active', problem: 'record_missing' });
  scene.records.set(`TXT ${proof.name}`, 'SERVFAIL');
  app.clock.advance({ minutes: 59 });
  await due();
  expect(await stateOf(company)).toBe('active');
  scene.records.delete(`TXT ${proof.name}`);
  app.clock.advance({ minutes: 6 });
  await comesTo(company, 'broken');
  const now = (await owner.get('/custom-domain')).body.domain;
  expect(now).toMatchObject({ state: 'broken', problem: 'record_missing', failing_since: expect.any(String) });
  await createSent(app, company.key, { recipients: [{ name: 'Late', email: `late@${host}` }] });
  expect((await newestLink(`late@${host}`)).host).toBe(`127.0.0.1:${scene.port}`);
  const moved = await eventually(
    () => scene.on(link.host, link.pathname),
    ({ status }) => status === 308,
  );
  expect(moved.headers.get('location')).toBe(`http://127.0.0.1:${scene.port}${link.pathname}`);

  scene.makeRecords(body.domain);
  app.clock.advance({ minutes: 6 });
  await comesTo(company, 'active');
  expect(refusal(await owner.post('/custom-domain/remove'))).toEqual([403, 'sign_in_again']);
  app.clock.advance({ seconds: 1 });
  const again = await signedIn(app, await addMember(app, company.id, 'admin'));
  expect((await again.post('/custom-domain/remove')).body).toEqual({ service_host: '127.0.0.1', domain: null });
  expect(await auditOf(company)).toEqual([
    ['custom_domain_set', host, true],
    ['custom_domain_activated', host, false],
    ['custom_domain_broken', host, false],
    ['custom_domain_activated', host, false],
    ['custom_domain_removed', host, true],
  ]);
});

test('a claim blocks nobody; of two companies that prove a host at once, one gets it, and the other when it is free', async () => {
  const [one, two] = [await aCompany(), await aCompany()];
  const { host } = one;
  const domains = await Promise.all(
    [one, two].map(async ({ owner }) => (await owner.post('/custom-domain', { host })).body.domain),
  );
  const proofs = domains.map(({ records }) => records[1].value);
  expect(proofs[0]).not.toBe(proofs[1]);
  scene.makeRecords(domains[0]);
  scene.records.set(`TXT _countersign.${host}`, { texts: proofs });

  const answers = await Promise.all([one, two].map(({ owner }) => owner.post('/custom-domain/check')));
  expect(answers.map(({ body }) => [body.domain.state, body.domain.problem]).toSorted()).toEqual([
    ['active', null],
    ['waiting', 'taken'],
  ]);
  const [winner, loser] = answers[0]?.body.domain.state === 'active' ? [one, two] : [two, one];
  expect((await auditOf(loser.company)).length).toBe(1);
  // The operator's word gives no host away either.
  const vouched = app.db.transaction((tx) =>
    vouchForDomain(app.world, tx, { accountId: loser.company.id, personId: null }, host),
  );
  await expect(vouched).rejects.toThrow('another company has this host');

  // With the company goes its claim.
  await app.db.transaction((tx) => removeAccount(app.world, tx, winner.company.id));
  expect(await findDomain(app.db, winner.company.id)).toBe(null);
  expect((await loser.owner.post('/custom-domain/check')).body.domain).toMatchObject({
    state: 'active',
    problem: null,
  });
});

test('one company claims one host, and two members that claim at once get the same answer', async () => {
  const { company, owner, host } = await aCompany();
  const member = await signedIn(app, await addMember(app, company.id, 'member'));
  expect(refusal(await member.post('/custom-domain', { host }))).toEqual([403, 'forbidden']);
  const [first, second] = await Promise.all([1, 2].map(() => owner.post('/custom-domain', { host })));
  expect(first?.body.domain.records).toEqual(second?.body.domain.records);
  expect((await auditOf(company)).length).toBe(1);
  expect(refusal(await owner.post('/custom-domain', { host: `other.${host}` }))).toEqual([409, 'other_host']);
  for (const [typed, code] of [
    ['documents_1.acme.example', 'invalid_host'],
    ['', 'invalid_host'],
    ['a'.repeat(1999), 'invalid_host'],
    ['co.uk', 'host_too_short'],
    ['127.0.0.1', 'invalid_host'],
  ]) {
    expect(refusal(await owner.post('/custom-domain', { host: typed })), typed).toEqual([400, code]);
  }
  await owner.post('/custom-domain/remove');
  expect(refusal(await owner.post('/custom-domain/remove'))).toEqual([404, 'not_found']);
  expect(refusal(await owner.post('/custom-domain/check'))).toEqual([404, 'not_found']);
});

test('an alias of the service’s name is enough, also through other names; a removed or replaced claim is not revived', async () => {
  const { company, host } = await aCompany();
  const change = { accountId: company.id, personId: null };
  const named = { ...deps(), publicUrl: 'https://sign.service.example' };
  const set = () => app.db.transaction((tx) => setDomain(app.world, tx, change, host));
  const domain = await set();
  if (typeof domain === 'string') throw new Error(domain);
  scene.records.set(`TXT _countersign.${host}`, { texts: [`countersign-host=${domain.challenge}`] });
  // The service's own name has no address here, so that nothing can be said of the company's.
  expect(await checkDomain(named, change)).toMatchObject({ state: 'waiting', problem: 'unavailable' });
  scene.records.set(`CNAME ${host}`, { addresses: [], cname: 'edge.acme.example' });
  scene.records.set('CNAME edge.acme.example', { addresses: [], cname: 'Sign.Service.example' });
  expect(await checkDomain(named, change)).toMatchObject({ state: 'active', problem: null });

  // The operator's word needs no records, and checks leave it alone.
  await app.db.query({ name: '', text: 'delete from custom_domains where account_id = $1', values: [company.id] });
  await set();
  expect(await checkDomain(named, change)).toMatchObject({ state: 'waiting', problem: 'record_missing' });
  await app.db.transaction((tx) => vouchForDomain(app.world, tx, change, host));
  expect(await checkDomain(named, change)).toMatchObject({
    state: 'active',
    proven_by: 'operator',
    next_check_at: null,
  });
});

test('name servers that fail end no domain, whichever they are and however long', async () => {
  const { company, host, owner } = await aCompany();
  const change = { accountId: company.id, personId: null };
  await owner.post('/custom-domain', { host });
  const { domain } = (await owner.get('/custom-domain')).body;
  const proof = `TXT _countersign.${host}`;
  const [ofService, service] = ['A own.service.example', { ...deps(), publicUrl: 'https://own.service.example' }];
  const later = async () => {
    // The service's own job, which knows other addresses, leaves the domain alone.
    await app.db.query({
      name: '',
      text: 'update custom_domains set next_check_at = $2 where account_id = $1',
      values: [company.id, new Date(app.clock.now().getTime() + 86_400_000)],
    });
    app.clock.advance({ minutes: 61 });
    await new Promise((resolve) => setTimeout(resolve, 1100)); // addresses are kept for a second
    const { state, problem } = (await checkDomain(service, change)) ?? {};
    return [state, problem];
  };
  scene.makeRecords(domain);
  scene.records.set(`A ${host}`, { addresses: ['192.0.2.7'] });
  scene.records.set(ofService, { addresses: ['192.0.2.7'] });
  expect(await later()).toEqual(['active', null]);
  for (const name of [`A ${host}`, ofService, proof]) {
    const working = scene.records.get(name);
    scene.records.set(name, 'SERVFAIL');
    expect([name, await later(), await later()]).toEqual([name, ['active', 'unavailable'], ['active', 'unavailable']]);
    scene.records.set(name, working as never);
  }
  // Once the proof was missing, an hour is over only when it is missing again.
  scene.records.delete(proof);
  expect(await later()).toEqual(['active', 'record_missing']);
  scene.records.set(proof, 'SERVFAIL');
  expect(await later()).toEqual(['active', 'unavailable']);
  scene.records.delete(proof);
  expect(await later()).toEqual(['broken', 'record_missing']);
});

test('pages of a company on the host of another are unknown links', async () => {
  const [acme, other] = [await aCompany(), await aCompany()];
  for (const { company, host } of [acme, other]) {
    const change = { accountId: company.id, personId: null };
    await app.db.transaction(async (tx) => {
      await setDomain(app.world, tx, change, host);
      await vouchForDomain(app.world, tx, change, host);
      await setEmbedOrigins(app.world, tx, company.id, ['https://app.acme.example'], null);
    });
  }
  const at = ({ host }: { host: string }) => `${host}:${scene.port}`;
  const to = `ada@${acme.host}`;
  await createSent(app, acme.company.key, { recipients: [{ name: 'Ada', email: to }] });
  const { pathname } = await newestLink(to);
  const { token } = await createPublicLink(app, acme.company);
  await eventually(
    () => scene.on(at(other), '/sign/finished'),
    ({ status }) => status === 200,
  );
  const seen = async (host: string, path: string) => {
    const { status, text, headers } = await scene.on(host, path, { headers: { 'sec-fetch-dest': 'iframe' } });
    const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    return { status, kept, text };
  };
  for (const path of [pathname, `${pathname}/form`, `${pathname}/comment`, `/link/${token}`]) {
    const invented = path.replace(
      /^\/(sign|link)\/[^/]+/,
      (_, part) => `/${part}/${'x'.repeat(part === 'link' ? 22 : 43)}`,
    );
    expect((await scene.on(at(acme), path)).text, path).not.toBe((await scene.on(at(acme), invented)).text);
    expect(await seen(at(other), path), path).toEqual(await seen(at(other), invented));
  }
  // Nothing is done with them there either.
  const origin = `http://${at(other)}`;
  const viewed = await scene.on(at(other), `${pathname}/viewed`, { method: 'POST', body: '{}', headers: { origin } });
  expect(viewed.status).toBe(404);

  // A visitor of a public link stays on the host, and old addresses of the service work as before.
  const form = (fields: object) => new URLSearchParams({ ...fields }).toString();
  const own = { origin: `http://${at(acme)}`, 'content-type': 'application/x-www-form-urlencoded' };
  const asked = await scene.on(at(acme), `/link/${token}`, {
    ...{ method: 'POST', headers: own },
    body: form({ action: 'request', name: 'Guest', email: `guest@${acme.host}` }),
  });
  const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(asked.headers.get('set-cookie')).not.toContain('Domain');
  const code = await eventually(
    () => newestCodeTo(app, `guest@${acme.host}`).catch(() => null),
    (found) => found !== null,
  );
  const led = await scene.on(at(acme), `/link/${token}`, {
    ...{ method: 'POST', headers: { ...own, cookie }, body: form({ action: 'verify', code }) },
  });
  expect(led.headers.get('location')).toMatch(`http://${at(acme)}/sign/`);
  expect((await scene.on(`127.0.0.1:${scene.port}`, pathname)).text).toContain('Roof repair');
  expect((await scene.on(`127.0.0.1:${scene.port}`, `/link/${token}`)).status).toBe(200);
});
