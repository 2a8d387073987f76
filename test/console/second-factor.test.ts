import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTotp } from '../../src/identity/second-factor.ts';
import { codeAt } from '../../src/identity/totp.ts';
import { createPasskey } from '../support/passkey.ts';
import { createCompany, startTestService, type TestService } from '../support/service.ts';
import { addMember, type Member, password, refusal, signedIn, type Visitor, visit } from './visitor.ts';

let app: TestService;
let company: { id: string };

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const half = 'countersign_sign_in';

/** Creates a member with an authenticator, set up as in the settings. */
async function enrolled(): Promise<{ member: Member; visitor: Visitor; secret: string; recoveryCodes: string[] }> {
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, member);
  const { body } = await visitor.post('/totp');
  const confirmed = await visitor.post('/totp/confirm', { code: codeAt(body.secret, app.clock.now()) });
  expect(confirmed.status).toBe(200);
  app.clock.advance({ seconds: 60 });
  return { member, visitor, secret: body.secret, recoveryCodes: confirmed.body.recovery_codes };
}

async function halfIn({ email }: Member): Promise<Visitor> {
  const visitor = visit(app);
  expect((await visitor.post('/sign-in', { email, password })).body).toEqual({ next: 'second_factor' });
  return visitor;
}

const give = (visitor: Visitor, code: string) => visitor.post('/sign-in/second-factor', { code });

test('an authenticator is set up with a QR code and counts once a code of it was given', async () => {
  const member = await addMember(app, company.id, 'member');
  const visitor = await signedIn(app, member);
  expect(refusal(await visitor.post('/totp/confirm', { code: '123456' }))).toEqual([409, 'totp_is_off']);
  const { body } = await visitor.post('/totp');
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(body.otpauth_uri).toBe(
    `otpauth://totp/Countersign:${encodeURIComponent(member.email)}?issuer=Countersign&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(body.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
  // Not yet active: a person who closes the page now is not locked out.
  expect((await visit(app).post('/sign-in', { email: member.email, password })).body.next).toBe('signed_in');
  expect(refusal(await visitor.post('/totp/confirm', { code: '000000x' }))).toEqual([401, 'wrong_code']);
  const { recovery_codes: codes } = (
    await visitor.post('/totp/confirm', { code: codeAt(body.secret, app.clock.now()) })
  ).body;
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
  expect((await visitor.get('/me')).body.totp).toEqual({
    confirmed_at: app.clock.now().toISOString(),
    recovery_codes_left: 10,
  });
  expect(refusal(await visitor.post('/totp'))).toEqual([409, 'totp_is_on']);
});

test('a password alone, or a link alone, opens nothing then; the code of the authenticator does', async () => {
  const { member, secret } = await enrolled();
  const visitor = await halfIn(member);
  expect(refusal(await visitor.get('/me'))).toEqual([401, 'not_signed_in']);
  expect((await visitor.page('/')).text).toContain('id="code-form"');
  const token = visitor.cookies.get(half) as string;
  // A half-finished sign-in is no session, whatever the cookie's name is.
  visitor.cookies.set('countersign_session', token);
  expect(refusal(await visitor.get('/me'))).toEqual([401, 'not_signed_in']);
  visitor.cookies.delete('countersign_session');
  const answer = await give(visitor, codeAt(secret, app.clock.now()));
  expect(answer.body).toEqual({ next: 'signed_in' });
  expect(visitor.cookies.get('countersign_session')).not.toBe(token);
  expect(visitor.cookies.has(half)).toBe(false);
  expect((await visitor.get('/me')).body.person.email).toBe(member.email);
  await expect(signedIn(app, member)).rejects.toThrow('second_factor');
});

test('a code counts once, at once and later, and for a step around', async () => {
  const { member, secret } = await enrolled();
  const code = codeAt(secret, app.clock.now());
  const twins = await Promise.all([halfIn(member), halfIn(member), halfIn(member)]);
  const statuses = await Promise.all(twins.map(async (visitor) => (await give(visitor, code)).status));
  expect(statuses.sort()).toEqual([200, 401, 401]);
  expect(refusal(await give(await halfIn(member), code))).toEqual([401, 'wrong_code']);
  app.clock.advance({ seconds: 30 });
  const next = codeAt(secret, app.clock.now());
  app.clock.advance({ seconds: 30 });
  expect((await give(await halfIn(member), ` ${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(200);
  const old = codeAt(secret, app.clock.now());
  app.clock.advance({ seconds: 60 });
  expect(refusal(await give(await halfIn(member), old))).toEqual([401, 'wrong_code']);
});

test('five codes in a quarter of an hour, over all who try', async () => {
  const { member, secret } = await enrolled();
  for (let tried = 1; tried <= 5; tried++) {
    expect(refusal(await give(await halfIn(member), 'wrong'))).toEqual([401, 'wrong_code']);
  }
  const right = codeAt(secret, app.clock.now());
  expect(refusal(await give(await halfIn(member), right))).toEqual([429, 'too_many_tries']);
  app.clock.advance({ minutes: 16 });
  expect((await give(await halfIn(member), codeAt(secret, app.clock.now()))).status).toBe(200);
});

test('half a sign-in lasts ten minutes', async () => {
  const { member, secret } = await enrolled();
  const visitor = await halfIn(member);
  app.clock.advance({ minutes: 10 });
  expect(refusal(await give(visitor, codeAt(secret, app.clock.now())))).toEqual([401, 'not_signed_in']);
});

test('each recovery code opens once, and new ones end the old', async () => {
  const { member, visitor: owner, recoveryCodes } = await enrolled();
  const [first = '', second = ''] = recoveryCodes;
  expect((await give(await halfIn(member), first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
  expect(refusal(await give(await halfIn(member), first))).toEqual([401, 'wrong_code']);
  expect((await owner.get('/me')).body.totp.recovery_codes_left).toBe(9);
  const { recovery_codes: renewed } = (await owner.post('/recovery-codes')).body;
  expect(refusal(await give(await halfIn(member), second))).toEqual([401, 'wrong_code']);
  expect((await give(await halfIn(member), renewed[0])).status).toBe(200);
});

test('what proves who one is changes only soon after signing in', async () => {
  const { visitor } = await enrolled();
  app.clock.advance({ minutes: 15 });
  for (const [method, path] of [
    ['POST', '/totp'],
    ['DELETE', '/totp'],
    ['POST', '/recovery-codes'],
    ['POST', '/passkeys/options'],
    ['POST', '/passkeys'],
  ] as const) {
    expect(refusal(await visitor.call(method, path)), path).toEqual([403, 'sign_in_again']);
  }
});

test('without the authenticator a password is enough again', async () => {
  const { member, visitor } = await enrolled();
  expect((await visitor.call('DELETE', '/totp')).status).toBe(200);
  expect(refusal(await visitor.call('DELETE', '/totp'))).toEqual([409, 'totp_is_off']);
  expect((await visit(app).post('/sign-in', { email: member.email, password })).body.next).toBe('signed_in');

  const lost = await enrolled();
  await removeTotp(app.db, lost.member.personId); // as the operator's command does
  expect((await visit(app).post('/sign-in', { email: lost.member.email, password })).body.next).toBe('signed_in');
});

test('there are no passkeys where the service has no name', async () => {
  const { visitor } = await enrolled();
  expect((await visitor.get('/me')).body.passkeys).toEqual({ count: 0, are_available: false });
  expect(refusal(await visitor.post('/passkeys/options'))).toEqual([409, 'passkeys_unavailable']);
  expect(refusal(await visit(app).post('/sign-in/passkey/options'))).toEqual([409, 'passkeys_unavailable']);
});

test('a passkey nobody registered, and nonsense in place of one, open nothing', async () => {
  const named = visit(app, new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost'));
  const { options } = (await named.post('/sign-in/passkey/options')).body;
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  const nonsense = [{}, { id: 'unknown' }, { id: 7 }, { id: 'a'.repeat(5000), rawId: null, response: {} }];
  for (const response of [...nonsense, { id: '\0' }, { id: '\ud800' }]) {
    expect(refusal(await named.post('/sign-in/passkey', { response }))).toEqual([401, 'wrong_passkey']);
  }
  expect(refusal(await named.post('/sign-in/passkey', { response: null }))).toEqual([400, 'invalid_input']);
});

test('what a browser says about a new passkey is checked before it is stored', async () => {
  const member = await addMember(app, company.id, 'member');
  const origin = new URL(app.baseUrl).origin.replace('127.0.0.1', 'localhost');
  const visitor = visit(app, origin);
  expect((await visitor.post('/sign-in', { email: member.email, password })).status).toBe(200);
  const register = async (credential: string, transports: unknown, name = 'Phone') => {
    const { options } = (await visitor.post('/passkeys/options')).body;
    const response = createPasskey(origin, credential).registration(options.challenge);
    return visitor.post('/passkeys', {
      name,
      response: { ...response, response: { ...response.response, transports } },
    });
  };
  expect((await register('plain', ['internal', 'hybrid'])).status).toBe(200);
  expect((await register('none', undefined)).status).toBe(200);
  for (const [index, transports] of ['usb', 7, null, { usb: 1 }, ['\0'], [['usb'], [7, {}]], ['\ud800']].entries()) {
    expect((await register(`odd ${index}`, transports)).status, JSON.stringify(transports)).toBe(200);
  }
  expect((await register('many', Array(10_000).fill('usb'))).status).toBe(200);
  const kept = await app.db.query<{ transports: string[] }>({
    name: '',
    text: 'select transports from passkeys where person_id = $1 order by id',
    values: [member.personId],
  });
  expect(kept.map(({ transports }) => transports)).toEqual([['hybrid', 'internal'], ...Array(8).fill([]), ['usb']]);
  expect(refusal(await register('name', [], 'a\0'))).toEqual([400, 'invalid_input']);
});
