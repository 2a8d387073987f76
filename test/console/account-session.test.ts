import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMailbox } from '../../src/platform/mailbox.ts';
import { actionsOf, auditOf, openLinkOf, type Signer, signature } from '../signing/signer.ts';
import { fetchLocally } from '../support/fetch-locally.ts';
import { type Company, createCompany, createSent, startTestService, type TestService } from '../support/service.ts';
import { addMember, signedIn, tokenOf, visit } from './visitor.ts';

/** Recipients with the auth_level l0_account_session sign in with their own address before they sign. */
let app: TestService;
let company: Company;
let people = 0;

beforeAll(async () => {
  app = await startTestService();
  company = await createCompany(app);
});
afterAll(() => app.stop());

const name = 'Ada Lovelace';

async function sent(changes: object = {}, key = company.key, content: object = {}) {
  const email = `signer-${++people}@example.com`;
  const recipient = { name, email, auth_level: 'l0_account_session', ...changes };
  const id = await createSent(app, key, { recipients: [recipient], content });
  return { id, email, signer: await openLinkOf(app, company, id, name) };
}

const refused = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];

/** Opens the link of a message in the signer's browser. */
async function follow(signer: Signer, link: URL): Promise<void> {
  const browser = visit(app);
  await browser.useLink(tokenOf(link));
  for (const [cookie, value] of browser.cookies) signer.cookies.set(cookie, value);
}

test('nothing is signed, declined, viewed or shown but the title before one has signed in', async () => {
  const { id, email, signer } = await sent({}, company.key, { message: 'Only between us' });
  const page = (await signer.page()).text;
  expect(page).toContain('data-state="needs_account"');
  expect(page).toContain('Send sign-in link');
  expect(page).toContain('s…@example.com');
  const form = (await signer.page('/form')).text;
  for (const shown of [page, form]) {
    for (const secret of ['Only between us', name, email, id]) expect(shown).not.toContain(secret);
  }
  expect(refused(await signer.post('sign', signature))).toEqual([403, 'verification_required']);
  expect(refused(await signer.post('decline', { reason: 'No' }))).toEqual([403, 'verification_required']);
  expect(refused(await signer.post('progress', { fields: {} }))[0]).not.toBe(200);
  expect((await signer.post('viewed')).body).toEqual({ state: 'needs_account' });
  expect(await actionsOf(app, company, id)).not.toContain('viewed');
});

test('a recipient who is nobody’s member proves the address with a link, and signs', async () => {
  const { id, email, signer } = await sent();
  expect((await signer.post('account')).body).toEqual({ state: 'needs_account' });
  const link = await newestSignInLink(email);
  const to = link.searchParams.get('to') ?? '';
  expect(to).toMatch(/^\/sign\/[\w-]{43}$/);
  const shown = await visit(app).page(link.pathname + link.search);
  expect(shown.text).toContain(`data-next="${to}"`);

  await follow(signer, link);
  expect((await signer.page()).text).toContain('data-state="open"');
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
  expect(await actionsOf(app, company, id)).toContain('account_link_sent');
  const signed = (await auditOf(app, company, id)).find(({ action }) => action === 'signed');
  expect(signed?.detail.auth_level).toBe('l0_account_session');
});

test('what was entered into the page without script before one has to sign in is there afterwards', async () => {
  const { email, signer } = await sent();
  const submit = async (action: string) => {
    const response = await fetchLocally(`${signer.link}/form`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [...signer.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      },
      body: new URLSearchParams({ action, full_name: 'Ada Byron', reason: 'Too late' }).toString(),
    });
    return response.text();
  };
  const carried = '<input type="hidden" name="full_name" value="Ada Byron">';
  expect(await submit('sign')).toContain(carried);
  expect(await submit('language-de')).toContain(carried);
  const asked = await submit('account');
  expect(asked).toContain(carried);
  expect(asked).toContain('role="status"');
  await follow(signer, await newestSignInLink(email));
  const open = await submit('account');
  expect(open).toContain('data-state="open"');
  expect(open).toContain('value="Ada Byron"');
  expect(open).toContain('Too late</textarea>');
});

test('whoever is signed in as somebody else does not sign, and neither does a browser with no session', async () => {
  const { signer } = await sent();
  const somebody = await signedIn(app, await addMember(app, company.id, 'owner'));
  for (const [cookie, value] of somebody.cookies) signer.cookies.set(cookie, value);
  expect((await signer.page()).text).toContain('data-state="needs_account"');
  expect(refused(await signer.post('sign', signature))).toEqual([403, 'verification_required']);
});

test('a member who is signed in with the address already signs at once, however it is spelt', async () => {
  const { email, signer } = await sent();
  const member = await addMember(app, company.id, 'member', email.toUpperCase());
  for (const [cookie, value] of (await signedIn(app, member)).cookies) signer.cookies.set(cookie, value);
  expect((await signer.post('account')).body).toEqual({ state: 'open' });
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
});

test('Finish signs a recipient out of a device that was handed over, and of no other', async () => {
  const signedInTo = async ({ email, signer }: Awaited<ReturnType<typeof sent>>) => {
    await signer.post('account');
    await follow(signer, await newestSignInLink(email));
    expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
    const before = signer.elsewhere();
    for (const [cookie, value] of signer.cookies) before.cookies.set(cookie, value);
    expect((await signer.post('finish')).body).toEqual({ state: 'completed' });
    return [signer.cookies.has('countersign_session'), (await before.page()).text.includes('data-state="completed"')];
  };
  expect(await signedInTo(await sent({ channel: 'in_person' }))).toEqual([false, false]);
  expect(await signedInTo(await sent())).toEqual([true, true]);
  // The member's own sign-in on the device isn't the recipient's.
  const { signer } = await sent({ channel: 'in_person' });
  for (const [cookie, value] of (await signedIn(app, await addMember(app, company.id, 'owner'))).cookies) {
    signer.cookies.set(cookie, value);
  }
  await signer.post('finish');
  expect(signer.cookies.has('countersign_session')).toBe(true);
});

test('the completed copy asks for the same, of a cc too', async () => {
  const cc = { name: 'Carl Copy', email: `copy-${++people}@example.com`, role: 'cc', auth_level: 'l0_account_session' };
  const email = `signer-${++people}@example.com`;
  const id = await createSent(app, company.key, {
    recipients: [{ name, email, auth_level: 'l0_account_session' }, cc],
  });
  const signer = await openLinkOf(app, company, id, name);
  await signer.post('account');
  await follow(signer, await newestSignInLink(email));
  await signer.post('sign', signature);

  const reader = await openLinkOf(app, company, id, cc.name);
  for (const stranger of [reader, signer.elsewhere()]) {
    expect((await stranger.page()).text).toContain('data-state="needs_account"');
    expect((await stranger.page('/document.pdf')).status).toBe(403);
  }
  expect((await reader.post('viewed')).body).toEqual({ state: 'needs_account' });
  expect((await reader.post('account')).body).toEqual({ state: 'needs_account' });
  await follow(reader, await newestSignInLink(cc.email));
  expect((await reader.page()).text).toContain('data-state="completed"');
  expect((await signer.page()).text).toContain('data-state="completed"');
});

test('a session that ended signs nothing', async () => {
  const { email, signer } = await sent();
  await signer.post('account');
  await follow(signer, await newestSignInLink(email));
  app.clock.advance({ hours: 13 });
  expect(refused(await signer.post('sign', signature))).toEqual([403, 'verification_required']);
});

test('five links an hour, for each recipient', async () => {
  const { signer } = await sent();
  for (let times = 1; times <= 5; times++) expect((await signer.post('account')).status).toBe(200);
  expect(refused(await signer.post('account'))).toEqual([429, 'too_many_links']);
  app.clock.advance({ minutes: 61 });
  expect((await signer.post('account')).status).toBe(200);
});

test('in test mode no e-mail leaves: the page opens this one document, and signs nobody in', async () => {
  const { email, signer } = await sent({}, company.testKey);
  expect((await signer.page()).text).toContain('In test mode no e-mail is sent');
  expect((await signer.post('account')).body).toEqual({ state: 'open' });
  expect(await listMailbox(`${app.dataDir}/mailbox`, { to: email })).toEqual([]);
  expect([...signer.cookies.keys()]).toEqual([`countersign_verified_${signer.recipientId}`]);
  expect(refused(await signer.elsewhere().post('sign', signature))).toEqual([403, 'verification_required']);
  expect((await signer.post('sign', signature)).body).toEqual({ state: 'completed' });
});

test('without an address there is nobody to sign in as, and the page says so', async () => {
  const { signer } = await sent({ email: undefined, channel: 'in_person' });
  expect((await signer.page()).text).toContain('gave no e-mail address for you');
  expect(refused(await signer.post('account'))).toEqual([502, 'link_not_sent']);
});

test('a recipient of another level is sent no link', async () => {
  const { email, signer } = await sent({ auth_level: 'l0_email_link' });
  expect((await signer.post('account')).body).toEqual({ state: 'open' });
  const messages = await listMailbox(`${app.dataDir}/mailbox`, { to: email });
  expect(messages.filter(({ text }) => text.includes('/sign-in/'))).toEqual([]);
});

/** Returns the sign-in link, not that of the signature request. */
async function newestSignInLink(email: string): Promise<URL> {
  const messages = await listMailbox(`${app.dataDir}/mailbox`, { to: email });
  const link = messages.flatMap(({ links }) => links).find((url) => url.includes('/sign-in/'));
  return new URL(link ?? '');
}
