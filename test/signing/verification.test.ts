import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstBreak } from '../../src/documents/audit.ts';
import { openDetail } from '../../src/documents/hidden-details.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createSent,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import {
  actionsOf,
  auditOf,
  codesSent,
  newestCode,
  openLinkOf,
  phone,
  signature,
  signerOf,
  withCode,
  wrong,
} from './signer.ts';

/** Signers with the auth_level `l1_email_sms_otp` enter a code before they see anything (decisions.md, Recipients). */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const secrets = {
  title: 'Roof repair',
  recipients: [withCode, { name: 'Grace Hopper', email: 'grace@example.com' }],
  content: { message: 'Only between us' },
};

function expectLocked(page: Answer, id: string): void {
  expect(page.text).toContain('Roof repair');
  expect(page.text).toContain('Acme Builders');
  for (const secret of ['Only between us', 'Grace Hopper', 'Ada Lovelace', id, '010-4742', 'ada@example.com']) {
    expect(page.text).not.toContain(secret);
  }
}

const refused = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  return [status, body.error.code];
};

describe('before the code', () => {
  test('the page shows the title and who asks, the end of the number, and nothing of the document', async () => {
    const { id, signer } = await signerOf(app, company, secrets);
    const page = await signer.page();
    expect(page.status).toBe(200);
    expectLocked(page, id);
    expect(page.text).toContain('data-state="needs_code"');
    expect(page.text).toContain('ending in 42');
    for (const name of ['Send code', 'Verification code', 'Verify']) expect(page.text).toContain(name);
  });

  test('nothing can be signed or declined, and nothing counts as viewed', async () => {
    const { id, signer } = await signerOf(app, company, secrets);
    expect((await signer.post('viewed')).body).toEqual({ state: 'needs_code' });
    expect(await refused(signer.post('sign', signature))).toEqual([403, 'verification_required']);
    expect(await refused(signer.post('decline', { reason: 'No' }))).toEqual([403, 'verification_required']);
    const { body } = await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key });
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent']);
    expect(await actionsOf(app, company, id)).not.toContain('viewed');
  });

  test('how a document ended is told without the words of anybody', async () => {
    const { id, signer } = await signerOf(app, company, secrets);
    const grace = await openLinkOf(app, company, id, 'Grace Hopper');
    await grace.post('decline', { reason: 'Grace thinks it is Only between us' });
    const page = await signer.page();
    expectLocked(page, id);
    expect(page.text).toContain('This document was declined');
    expect(page.text).not.toContain('id="send-code"');
    expect(await refused(signer.post('code'))).toEqual([409, 'document_declined']);
    expect(await refused(signer.verify('123456'))).toEqual([409, 'document_declined']);
  });

  test('while others come first there is nothing to ask a code for', async () => {
    const id = await createSent(app, company.key, {
      ...secrets,
      recipients: [...secrets.recipients].reverse(),
      content: { ...secrets.content, sign_order_mode: 'sequential' },
    });
    const signer = await openLinkOf(app, company, id, withCode.name);
    const page = await signer.page();
    expectLocked(page, id);
    expect(page.text).toContain('It is not your turn yet');
    expect(await refused(signer.post('code'))).toEqual([409, 'not_your_turn']);
  });
});

describe('the code', () => {
  test('comes by SMS in the language of the document, bound to our page', async () => {
    for (const [language, sentence] of [
      ['en', /^Acme Builders: (\d{6}) is your code to open the document\./],
      ['es', /^Acme Builders: (\d{6}) es su clave para abrir el documento\./],
    ] as const) {
      const { signer } = await signerOf(app, company, { primary_language: language });
      const answer = await signer.post('code');
      expect(answer.body).toEqual({ state: 'needs_code' });
      const [message] = await listMailbox(join(app.dataDir, 'mailbox'), { to: phone, limit: 1 });
      const code = sentence.exec(message?.text ?? '')?.[1];
      expect(message?.text.split('\n').at(-1)).toBe(`@127.0.0.1 #${code}`);
      expect(message?.channel).toBe('sms');
    }
  });

  test('opens the page, which is then viewed, and signing goes on as for everybody', async () => {
    const { id, signer } = await signerOf(app, company, secrets);
    const code = await signer.sendCode();
    const verified = await signer.verify(code);
    expect([verified.status, verified.body]).toEqual([200, { state: 'open' }]);
    expect(await actionsOf(app, company, id)).not.toContain('viewed');

    const page = await signer.page();
    for (const shown of ['Only between us', 'Grace Hopper', 'Full name']) expect(page.text).toContain(shown);
    expect((await signer.post('viewed')).body).toEqual({ state: 'open' });
    expect((await signer.post('sign', signature)).body).toEqual({ state: 'signed' });

    const trail = await auditOf(app, company, id);
    const actions = trail.map(({ action }) => action).filter((action) => action !== 'attested');
    expect(actions.slice(-5)).toEqual(['code_sent', 'verified', 'viewed', 'consented', 'signed']);
    const details = Object.fromEntries(trail.map((entry) => [entry.action, openDetail(entry)]));
    const from = { name: 'Ada Lovelace', ip: '127.0.0.1', user_agent: 'Test/1.0' };
    expect(details.code_sent).toEqual({ ...from, channel: 'sms', number_ending: '42' });
    expect(details.verified).toEqual({ ...from, channel: 'sms', number_ending: '42' });
    expect(JSON.stringify(trail)).not.toContain(code);
    expect(firstBreak(id, trail)).toBeNull();
  });

  test('may be typed with spaces, in full width, or in Arabic digits', async () => {
    const { signer } = await signerOf(app, company);
    const code = await signer.sendCode();
    const arabic = code.replace(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)));
    expect((await signer.verify(` ${arabic.slice(0, 3)} - ${arabic.slice(3)} `)).status).toBe(200);
  });

  test('gets one answer whatever is wrong about it: nobody learns which codes there are', async () => {
    const { signer: never } = await signerOf(app, company);
    const { signer: other } = await signerOf(app, company);
    const { signer } = await signerOf(app, company);
    const foreign = await other.sendCode();
    const first = await signer.sendCode();
    const second = await signer.sendCode();
    const answers = [
      await never.verify('123456'),
      await signer.verify(foreign),
      await signer.verify(wrong(second)),
      await signer.verify('no code at all'),
      await signer.post('verify', {}),
      await signer.post('verify', { code: 123456 }),
      ...(first === second ? [] : [await signer.verify(first)]),
    ];
    expect((await signer.elsewhere().verify(second)).status).toBe(200);
    answers.push(await signer.verify(second)); // used
    const expired = await other.sendCode();
    app.clock.advance({ minutes: 10 });
    answers.push(await other.verify(expired));

    const [one] = answers;
    expect([one?.status, one?.body.error.code]).toEqual([400, 'invalid_code']);
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([one?.status, one?.text]);
  });

  test('is valid for ten minutes', async () => {
    const { signer } = await signerOf(app, company);
    const code = await signer.sendCode();
    app.clock.advance({ minutes: 9, seconds: 59 });
    expect((await signer.verify(code)).status).toBe(200);
  });

  test('has five tries, the right one included; then a new one is needed', async () => {
    const { id, signer } = await signerOf(app, company);
    const code = await signer.sendCode();
    for (let i = 0; i < 5; i++) expect(await refused(signer.verify(wrong(code)))).toEqual([400, 'invalid_code']);
    expect(await refused(signer.verify(code))).toEqual([400, 'invalid_code']);

    const next = await signer.sendCode();
    for (let i = 0; i < 4; i++) await signer.verify(wrong(next));
    expect((await signer.verify(next)).status).toBe(200);

    const failures = (await auditOf(app, company, id)).filter(({ action }) => action === 'verification_failed');
    expect(failures.map(({ detail }) => detail.failed_tries)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4]);
    expect(failures.map(openDetail)[0]).toMatchObject({ ip: '127.0.0.1', user_agent: 'Test/1.0' });
  });

  test('is stored only as an HMAC, and the proof of it only as a hash', async () => {
    const { signer } = await signerOf(app, company);
    const code = await signer.sendCode();
    await signer.verify(code);
    const [token = ''] = signer.cookies.values();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [stored] = await app.db.query<{ everything: string }>({
      name: '',
      text: `select (select json_agg(c) from verification_codes c where recipient_id = $1)::text
               || (select json_agg(v) from verifications v where recipient_id = $1)::text as everything`,
      values: [signer.recipientId],
    });
    expect(stored?.everything).toContain('code_hmac');
    expect(stored?.everything).not.toContain(code);
    expect(stored?.everything).not.toContain(token);
    expect(stored?.everything).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });
});

describe('at most five codes an hour', () => {
  test('the sixth is told when it is possible, and then is', async () => {
    const { signer } = await signerOf(app, company);
    for (let i = 0; i < 5; i++) {
      expect((await signer.post('code')).status).toBe(200);
      app.clock.advance({ minutes: 10 });
    }
    const throttled = await signer.post('code');
    expect([throttled.status, throttled.body.error.code]).toEqual([429, 'too_many_codes']);
    expect(throttled.headers.get('retry-after')).toBe('600');
    app.clock.advance({ minutes: 9, seconds: 59 });
    expect((await signer.post('code')).headers.get('retry-after')).toBe('1');
    app.clock.advance({ seconds: 1 });
    expect((await signer.post('code')).status).toBe(200);
    expect((await signer.post('code')).status).toBe(429);
  });

  test('counts each recipient apart', async () => {
    const { signer: one } = await signerOf(app, company);
    const { signer: other } = await signerOf(app, company);
    for (let i = 0; i < 5; i++) await one.post('code');
    expect((await one.post('code')).status).toBe(429);
    expect((await one.elsewhere().post('code')).status).toBe(429);
    expect((await other.post('code')).status).toBe(200);
  });
});

describe('a browser that is verified', () => {
  test('holds a cookie that scripts cannot read, other sites cannot send, and other recipients cannot use', async () => {
    const { signer } = await signerOf(app, company, secrets);
    const { signer: other } = await signerOf(app, company, secrets);
    const answer = await signer.verify(await signer.sendCode());
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^countersign_verified_[0-9a-f-]{36}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);

    const [[, token] = []] = [...signer.cookies];
    other.cookies.set(`countersign_verified_${other.recipientId}`, token ?? '');
    expect((await other.post('viewed')).body).toEqual({ state: 'needs_code' });
    other.cookies.set(`countersign_verified_${other.recipientId}`, 'x'.repeat(43));
    expect((await other.page()).text).toContain('data-state="needs_code"');
  });

  test('has to give no second code; another browser with the same link has', async () => {
    const { signer } = await signerOf(app, company, secrets);
    await signer.verify(await signer.sendCode());
    expect((await signer.post('code')).body).toEqual({ state: 'open' });
    expect((await signer.verify('000000')).body).toEqual({ state: 'open' });
    expect((await signer.elsewhere().page()).text).toContain('data-state="needs_code"');
  });

  test('is so for half an hour after the last thing it did', async () => {
    const { signer } = await signerOf(app, company, secrets);
    await signer.verify(await signer.sendCode());
    app.clock.advance({ minutes: 29, seconds: 59 });
    expect((await signer.page()).text).toContain('data-state="open"');
    expect((await signer.post('viewed')).body).toEqual({ state: 'open' });
    app.clock.advance({ minutes: 29, seconds: 59 });
    expect((await signer.page()).text).toContain('data-state="open"');
    app.clock.advance({ seconds: 1 });
    expect((await signer.page()).text).toContain('data-state="needs_code"');
    expect(await refused(signer.post('sign', signature))).toEqual([403, 'verification_required']);
    expect((await signer.verify(await signer.sendCode())).status).toBe(200);
    expect((await signer.post('sign', signature)).body).toEqual({ state: 'signed' });
  });

  test('ends being it with Finish', async () => {
    const { signer } = await signerOf(app, company, secrets);
    await signer.verify(await signer.sendCode());
    const kept = new Map(signer.cookies);
    expect((await signer.post('finish')).body).toEqual({ state: 'open' });
    expect(signer.cookies.size).toBe(0);
    for (const [name, value] of kept) signer.cookies.set(name, value);
    expect((await signer.page()).text).toContain('data-state="needs_code"');
  });
});

describe('when the answer to Verify is lost', () => {
  const name = 'the name of the open page'.padEnd(40, '.');

  /** A browser whose right code was taken, and which never got the answer. */
  async function lost() {
    const { id, signer } = await signerOf(app, company, secrets);
    const code = await signer.sendCode();
    expect((await signer.verify(code, name)).status).toBe(200);
    signer.cookies.clear();
    return { id, signer, code };
  }

  test('the same page opens with the same code, which is recorded once', async () => {
    const { id, signer, code } = await lost();
    app.clock.advance({ seconds: 119 });
    expect((await signer.verify(code, name)).body).toEqual({ state: 'open' });
    expect((await signer.page()).text).toContain('data-state="open"');
    expect((await actionsOf(app, company, id)).filter((action) => action === 'verified')).toHaveLength(1);
    expect((await signer.post('sign', signature)).body).toEqual({ state: 'signed' });
  });

  test('nobody else does: another page, a page without a name, another code, two minutes later', async () => {
    const { id, signer, code } = await lost();
    const other = name.replace('the', 'any');
    for (const tried of [
      { code, page: other },
      { code },
      { code, page: null },
      { code, page: 7 },
      { code: wrong(code), page: name },
    ]) {
      expect(await refused(signer.post('verify', tried))).toEqual([400, 'invalid_code']);
    }
    app.clock.advance({ seconds: 120 });
    expect(await refused(signer.verify(code, name))).toEqual([400, 'invalid_code']);
    expect((await signer.page()).text).toContain('data-state="needs_code"');
    expect(await actionsOf(app, company, id)).not.toContain('verification_failed');
  });

  test('a name that could be guessed is none', async () => {
    for (const page of ['1', 'x'.repeat(31), 'x'.repeat(201)]) {
      const { signer } = await signerOf(app, company, secrets);
      const code = await signer.sendCode();
      expect((await signer.verify(code, page)).status).toBe(200);
      signer.cookies.clear();
      expect(await refused(signer.verify(code, page))).toEqual([400, 'invalid_code']);
    }
  });
});

test('the completed copy asks for a code anew once the half hour is over', async () => {
  const { id, signer } = await signerOf(app, company, {
    ...secrets,
    recipients: [withCode],
  });
  await signer.verify(await signer.sendCode());
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  await eventually(
    () => signer.page(),
    ({ text }) => text.includes('data-copy="ready"'),
  );
  const stranger = signer.elsewhere();
  for (const locked of [await stranger.page(), await stranger.page('/document.pdf')]) {
    expectLocked(locked, id);
    expect(locked.text).toContain('is complete');
    expect(locked.text).toContain('Send code');
  }
  expect((await stranger.page('/document.pdf')).status).toBe(403);

  const pdf = await signer.page('/document.pdf');
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  app.clock.advance({ minutes: 31 });
  expect((await signer.page('/document.pdf')).status).toBe(403);
  expect((await signer.verify(await signer.sendCode())).body).toEqual({ state: 'completed' });
  expect((await signer.page('/document.pdf')).status).toBe(200);
});

describe('where no SMS leaves', () => {
  test('a document in test mode shows its code on the page, for its whole life', async () => {
    const own = '+1 555 010 0001';
    const recipients = [{ ...withCode, phone: own }];
    const { id, signer } = await signerOf(app, company, { ...secrets, recipients }, company.testKey);
    expect((await signer.page()).text).toContain('In test mode no text message is sent');
    const shown = (await signer.post('code')).body;
    expect(shown).toEqual({ state: 'needs_code', code: expect.stringMatching(/^\d{6}$/) });
    expect(await refused(signer.verify(wrong(shown.code)))).toEqual([400, 'invalid_code']);
    expect((await signer.verify(shown.code)).body).toEqual({ state: 'open' });
    await signer.post('sign', signature);
    expect((await signer.elsewhere().post('code')).body.code).toMatch(/^\d{6}$/);
    expect(await codesSent(app, own)).toEqual([]);
    const sent = (await auditOf(app, company, id)).filter(({ action }) => action === 'code_sent');
    expect(sent.map(({ detail }) => detail.channel)).toEqual(['page', 'page']);
  });

  test('in person the code still goes to the phone', async () => {
    const own = '+1 555 010 0002';
    const recipients = [{ ...withCode, phone: own, channel: 'in_person' }];
    const { signer } = await signerOf(app, company, { recipients });
    expect((await signer.post('code')).body).toEqual({ state: 'needs_code' });
    expect((await signer.verify(await newestCode(app, own))).status).toBe(200);
  });
});

test.each([
  ['l0_email_link', 'open'],
  ['l0_account_session', 'needs_account'],
])('a recipient of %s is asked for no code', async (auth_level, state) => {
  const own = '+1 555 010 0003';
  const { signer } = await signerOf(app, company, { recipients: [{ ...withCode, phone: own, auth_level }] });
  expect((await signer.post('code')).body).toEqual({ state });
  expect((await signer.verify('123456')).body).toEqual({ state });
  expect(await codesSent(app, own)).toEqual([]);
});
