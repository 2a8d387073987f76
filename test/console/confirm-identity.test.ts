import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleEndpoints } from '../../src/console/core/console-endpoints.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, password, refusal, signedIn, visit } from './visitor.ts';

let app: TestService;
let company: { id: string };

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const sensitive = [
  ...['POST /totp', 'POST /totp/confirm', 'DELETE /totp', 'POST /recovery-codes'],
  ...['POST /passkeys/options', 'POST /passkeys', 'DELETE /passkeys/:id'],
  ...['POST /keys', 'POST /webhooks', 'POST /webhooks/:id/roll'],
  ...['POST /members', 'POST /members/:id/role', 'DELETE /members/:id'],
  ...['POST /connections/esign_vendor/start'],
  ...['POST /custom-domain', 'POST /custom-domain/check', 'POST /custom-domain/remove'],
  ...['POST /sso', 'POST /sso/remove', 'POST /sso/unlink'],
  ...['POST /sso/domains', 'POST /sso/domains/check', 'POST /sso/domains/remove'],
  ...['POST /restricted-types', 'POST /documents/:id/lift-restriction'],
  ...['POST /folders/:id/open', 'POST /folders/:id/members'],
  ...['POST /audit-stream', 'POST /audit-stream/roll', 'POST /audit-stream/remove'],
  ...['POST /audit-stream/pause', 'POST /audit-stream/resume'],
  ...['POST /embedding', 'POST /cc-lists', 'POST /cc-lists/:id'],
  ...['POST /data-exports', 'POST /data-exports/:id/open'],
  ...['POST /operator/companies/:id/plan', 'POST /operator/companies/:id/credits'],
];

async function owner() {
  const member = await addMember(app, company.id, 'owner');
  return { member, visitor: await signedIn(app, member) };
}

const newKey = { mode: 'live', scopes: ['documents:read'], name: 'CI' };

test('sensitive changes ask who it is a quarter of an hour after the sign-in, and nothing else does', async () => {
  const asked = consoleEndpoints.filter((endpoint) => endpoint.needsFreshSignIn);
  expect(asked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...sensitive].sort());
  const { visitor } = await owner();
  app.clock.advance({ minutes: 16 });
  for (const route of sensitive) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await visitor.call(method, path.replace(':id', app.world.newId()));
    expect(refusal(answer), route).toEqual([403, 'sign_in_again']);
  }
  expect((await visitor.get('/keys')).status).toBe(200);
});

test('the password confirms who it is, a wrong one does not, and tries are counted', async () => {
  const { visitor } = await owner();
  app.clock.advance({ minutes: 16 });
  const confirm = (given: string) => visitor.post('/confirm/password', { password: given });
  expect(refusal(await confirm('not the one'))).toEqual([403, 'wrong_password']);
  expect(refusal(await visitor.post('/keys', newKey))).toEqual([403, 'sign_in_again']);
  expect((await confirm(password)).status).toBe(200);
  expect((await visitor.post('/keys', newKey)).status).toBe(200);
  app.clock.advance({ minutes: 16 });
  expect(refusal(await visitor.post('/keys', newKey))).toEqual([403, 'sign_in_again']);
  for (let tried = 0; tried < 10; tried++) expect((await confirm('a guess')).status).toBe(403);
  expect(refusal(await confirm(password))).toEqual([429, 'too_many_tries']);
});

test('a code of the authenticator confirms it once; another session of the same person stays as it was', async () => {
  const { member, visitor } = await owner();
  const { secret } = (await visitor.post('/totp')).body;
  await visitor.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
  app.clock.advance({ minutes: 16 });
  const code = codeAt(secret, app.clock.now());
  expect(refusal(await visitor.post('/confirm/code', { code: '000000' }))).toEqual([401, 'wrong_code']);
  expect((await visitor.post('/confirm/code', { code })).status).toBe(200);
  expect(refusal(await visitor.post('/confirm/code', { code }))).toEqual([401, 'wrong_code']);
  expect((await visitor.post('/members', { email: 'new@example.com', role: 'member' })).status).toBe(200);
  await expect(signedIn(app, member)).rejects.toThrow('second_factor');
});

test('nobody confirms for somebody else, with no password, no passkey or no session', async () => {
  const { member, visitor } = await owner();
  await app.db.query({
    name: 'drop_password',
    text: 'update people set password_hash = null where id = $1',
    values: [member.personId],
  });
  expect(refusal(await visitor.post('/confirm/password', { password: '' }))).toEqual([403, 'wrong_password']);
  expect(refusal(await visitor.post('/confirm/code', { code: '123456' }))).toEqual([401, 'wrong_code']);
  visitor.cookies.clear();
  expect(refusal(await visitor.post('/confirm/password', { password }))).toEqual([401, 'not_signed_in']);
});

test('a change of the second factor signs out every other browser, and ends links that were not used', async () => {
  const { member, visitor } = await owner();
  let there = await signedIn(app, member);
  const { secret } = (await visitor.post('/totp')).body;
  expect((await there.get('/me')).status).toBe(200);
  await visitor.post('/totp/confirm', { code: codeAt(secret, app.clock.now()) });
  expect((await there.get('/me')).status).toBe(401);
  expect((await visitor.get('/me')).status).toBe(200);

  there = visit(app);
  await there.post('/sign-in', { email: member.email, password });
  app.clock.advance({ seconds: 30 });
  await there.post('/sign-in/second-factor', { code: codeAt(secret, app.clock.now()) });
  expect((await there.get('/me')).status).toBe(200);
  await visitor.call('DELETE', '/totp');
  expect((await there.get('/me')).status).toBe(401);

  // A set-up that was only begun is no authenticator.
  there = await signedIn(app, member);
  await visitor.post('/totp');
  expect(refusal(await visitor.call('DELETE', '/totp'))).toEqual([409, 'totp_is_off']);
  expect((await there.get('/me')).status).toBe(200);
});
