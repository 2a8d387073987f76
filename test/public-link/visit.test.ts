import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAudit } from '../../src/documents/audit.ts';
import { openDetail } from '../../src/documents/hidden-details.ts';
import { lockDocument } from '../../src/documents/queries.ts';
import { deleteTemplate } from '../../src/documents/templates.ts';
import { listMailbox } from '../../src/platform/mailbox.ts';
import type { Tx } from '../../src/postgres/database.ts';
import { removeLink } from '../../src/public-link/manage-links.ts';
import { lockLink, type PublicLink, switchLink } from '../../src/public-link/public-link.ts';
import { holdRow, interleave } from '../races/interleave.ts';
import { createPublicLink, newestCodeTo, otherThan, visitLink } from '../support/public-link.ts';
import { type Company, call, createCompany, startTestService, type TestService } from '../support/service.ts';

/** What a visitor of a public link meets, from the form to the signing page. */
let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService({ env: { ROLE: 'web' } });
  company = await createCompany(app);
});
afterAll(() => app.stop());

/** Returns an address that no other test uses. */
const address = () => `guest-${app.world.newId()}@example.com`;

interface Made {
  id: string;
  status: string;
  title: string;
  sent_mode: string;
  primary_language: string;
  name: string;
  email: string;
  role: string | null;
  messages: number;
}

/** The documents of a link, oldest first, with the recipient who signs from it. */
function madeBy(linkId: string): Promise<Made[]> {
  return app.db.query<Made>({
    name: '',
    text: `select d.id, d.status, d.title, d.sent_mode, d.primary_language, r.display_name as name, r.email, r.party_role as role,
             (select count(*)::int from messages m where m.document_id = d.id) as messages
           from public_link_documents l join documents d on d.id = l.document_id
             join recipients r on r.id = l.recipient_id where l.link_id = $1 order by d.id`,
    values: [linkId],
  });
}

async function usedOf(linkId: string): Promise<number | undefined> {
  const text = 'select documents from public_links where id = $1';
  return (await app.db.query<{ documents: number }>({ name: '', text, values: [linkId] }))[0]?.documents;
}

/** How many wrong codes the trails of a link's documents tell of. */
async function wrongCodesOf(linkId: string): Promise<unknown[]> {
  const made = await madeBy(linkId);
  const trails = await Promise.all(made.map(({ id }) => readAudit(app.db, company.id, id)));
  return trails.map((trail) => trail.find(({ action }) => action === 'verified')?.detail.failed_tries);
}

describe('a visitor', () => {
  test('sees the name of the link without characters that turn it around, also in the title of the page', async () => {
    const { text } = await visitLink(app, await createPublicLink(app, company, { name: 'Summer \u202eparty' })).get();
    expect([text.match(/Summer party/g)?.length, text.includes('\u202e')]).toEqual([2, false]);
  });

  test('proves the address with a code and is led to a document of their own', async () => {
    const link = await createPublicLink(app, company, { name: 'Summer party' });
    const visitor = visitLink(app, link);
    const page = await visitor.get();
    expect(page.status).toBe(200);
    for (const text of ['Summer party', 'Acme Builders', 'Your full name', 'Send code'])
      expect(page.text).toContain(text);
    expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(page.headers.get('cache-control')).toBe('no-store');

    const email = address();
    const code = await visitor.askCode(' Ada Lovelace ', email);
    expect(await madeBy(link.id)).toEqual([]);
    const second = await visitor.get();
    expect(second.text).toContain('Enter your code');
    expect(second.text).toContain(email);

    const led = await visitor.post('verify', { code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(led.status).toBe(303);
    expect(led.to).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign\/[\w-]{43}$/);
    const signing = await fetch(led.to ?? '');
    expect(await signing.text()).toContain('Photo consent');
    expect(await madeBy(link.id)).toEqual([
      {
        id: expect.any(String),
        status: 'sent',
        title: 'Photo consent',
        sent_mode: 'live',
        primary_language: 'en',
        name: 'Ada Lovelace',
        email,
        role: 'Guest',
        messages: 1,
      },
    ]);
    expect(await usedOf(link.id)).toBe(1);
  });

  test('is named in the trail with how the address was proven, and API and events are as for any document', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const email = address();
    const code = await visitor.askCode('Ada', email);
    await visitor.post('verify', { code: otherThan(code) });
    await visitor.post('verify', { code });
    const [made] = await madeBy(link.id);
    const trail = await readAudit(app.db, company.id, made?.id ?? '');
    expect(trail.map(({ action }) => action)).toEqual(['created', 'edited', 'verified', 'sent', 'requested']);
    expect(trail[0]?.detail).toEqual({ copy_of: link.template_id, recipients: 1, public_link: link.id });
    expect(trail[2]?.actor).toMatch(/^recipient:/);
    expect(trail.map(openDetail)[2]).toMatchObject({
      name: 'Ada',
      channel: 'email',
      failed_tries: 1,
      public_link: link.id,
      ip: '127.0.0.1',
      user_agent: 'Test/1.0',
    });
    const { body, text } = await call(app, 'GET', `/documents/${made?.id}`, { key: company.key });
    expect(body).toMatchObject({ object: 'document', status: 'sent', recipient_count: 1 });
    expect(text).not.toContain('link');
    const events = await app.db.query<{ type: string }>({
      name: '',
      text: 'select type from events where document_id = $1',
      values: [made?.id],
    });
    expect(events).toEqual([{ type: 'document.sent' }]);
  });

  test('gets page, code and document in the language of the link', async () => {
    const link = await createPublicLink(app, company, { language: 'es' });
    const visitor = visitLink(app, link);
    expect((await visitor.get()).text).toContain('Su nombre completo');
    const email = address();
    await visitor.post('verify', { code: await visitor.askCode('Ada', email) });
    expect(await madeBy(link.id)).toMatchObject([{ primary_language: 'es' }]);
    const [mail] = await listMailbox(join(app.dataDir, 'mailbox'), { to: email, limit: 1 });
    expect(mail?.text).toContain('Alguien escribió esta dirección');
  });

  test('who enters another address starts again, and the first code no longer works', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    expect((await visitor.post('restart')).to).toBe(`/link/${link.token}`);
    expect((await visitor.get()).text).toContain('Your full name');
    const refused = await visitor.post('verify', { code });
    expect([refused.status, refused.text.includes('This code is wrong')]).toEqual([400, true]);
    expect(await madeBy(link.id)).toEqual([]);
  });

  test('whose browser keeps no cookies reads so, and one that keeps them does not', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const { to } = await visitor.post('request', { name: 'Ada', email: address() });
    expect((await visitor.get(to)).text).not.toContain('cookie');
    visitor.cookies.clear();
    const page = await visitor.get(to);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Your browser didn’t keep our cookie');
    expect(page.text).toContain(`<a href="/link/${link.token}" target="_blank" rel="noopener">`);
    expect((await visitor.get()).text).not.toContain('cookie');
    app.clock.advance({ minutes: 3 });
    expect((await visitor.get(to)).text).not.toContain('cookie');
  });

  test('gets a new code, which replaces the first', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const email = address();
    const first = await visitor.askCode('Ada', email);
    const again = await visitor.post('again');
    expect(again.to).toBe(`/link/${link.token}?sent=again`);
    const second = await newestCodeTo(app, email);
    if (first !== second) expect((await visitor.post('verify', { code: first })).status).toBe(400);
    expect((await visitor.post('verify', { code: second })).status).toBe(303);
  });

  test('leaves a trail that tells of all wrong codes for the address, also those of earlier codes', async () => {
    const link = await createPublicLink(app, company, { one_per_email: false });
    const [visitor, other] = [visitLink(app, link), visitLink(app, link)];
    const email = address();
    const tryWrongCodes = async (times: number) => {
      const code = otherThan(await newestCodeTo(app, email));
      for (let n = 0; n < times; n += 1) expect((await visitor.post('verify', { code })).status).toBe(400);
    };
    await visitor.askCode('Ada', email);
    await tryWrongCodes(5);
    await visitor.post('again');
    await tryWrongCodes(3);
    await visitor.post('restart');
    const code = await other.askCode('Ada', email.replace('guest', 'Guest'));
    expect((await other.post('verify', { code })).status).toBe(303);
    expect(await wrongCodesOf(link.id)).toEqual([8]);

    await visitor.askCode('Ada', email);
    await tryWrongCodes(1);
    expect((await visitor.post('verify', { code: await newestCodeTo(app, email) })).status).toBe(303);
    expect(await wrongCodesOf(link.id)).toEqual([8, 1]);
  });
});

describe('what is entered', () => {
  test.each([
    ['no name', '', 'ada@example.com', 'Enter your name'],
    ['a blank name', ' \t ', 'ada@example.com', 'Enter your name'],
    ['an invisible name', '\u200b\u3164', 'ada@example.com', 'Enter your name'],
    ['a name that turns text around', 'Ada\u202eecalevoL', 'ada@example.com', 'Enter your name'],
    ['a name of two lines', 'Ada\r\nBcc: x@example.com', 'ada@example.com', 'Enter your name'],
    ['a name with U+0000', 'Ada\u0000', 'ada@example.com', 'Enter your name'],
    ['a name of 121 characters', 'A'.repeat(121), 'ada@example.com', 'Enter your name'],
    ['no address', 'Ada', '', 'Enter an e-mail address'],
    ['no host name', 'Ada', 'ada@', 'Enter an e-mail address'],
    ['two addresses', 'Ada', 'ada@example.com,eve@example.com', 'Enter an e-mail address'],
    ['an address with a line break', 'Ada', 'ada@example.com\nBcc: eve@example.com', 'Enter an e-mail address'],
    ['an address of 255 characters', 'Ada', `${'a'.repeat(243)}@example.com`, 'Enter an e-mail address'],
  ])('is refused when it is %s, and kept in the form', async (_what, name, email, sentence) => {
    const link = await createPublicLink(app, company);
    const answer = await visitLink(app, link).post('request', { name, email });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
    expect(answer.text).toContain('aria-invalid="true"');
    const visits = await app.db.query({
      name: '',
      text: 'select from public_link_visits where link_id = $1',
      values: [link.id],
    });
    expect(visits).toEqual([]);
  });

  test('may have letters of any script and is escaped', async () => {
    const link = await createPublicLink(app, company, { name: '<b>Party</b>' });
    const visitor = visitLink(app, link);
    const refused = await visitor.post('request', { name: '<i>محمد 🎉</i>', email: 'no' });
    expect(refused.text).toContain('&lt;i&gt;محمد 🎉&lt;/i&gt;');
    expect(refused.text).toContain('&lt;b&gt;Party&lt;/b&gt;');
    const email = address();
    await visitor.post('verify', { code: await visitor.askCode('<i>محمد 🎉</i>', email) });
    expect(await madeBy(link.id)).toMatchObject([{ name: '<i>محمد 🎉</i>', email }]);
  });

  test('is not in the e-mail with the code, so nobody can send their words to a stranger', async () => {
    const link = await createPublicLink(app, company);
    const email = address();
    await visitLink(app, link).askCode('Win a prize at evil.example', email);
    const [mail] = await listMailbox(join(app.dataDir, 'mailbox'), { to: email, limit: 1 });
    expect(mail?.subject).toMatch(/^Your code is \d{6}$/);
    expect(JSON.stringify(mail)).not.toContain('evil.example');
  });

  test('is answered with a page when it is no form, of another site, or too large', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const unreadable = await visitor.post('dance');
    expect([unreadable.status, unreadable.text.includes('could not be read')]).toEqual([400, true]);
    const foreign = await visitor.post(
      'request',
      { name: 'Ada', email: address() },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(400);
    const large = await visitor.post('request', { name: 'A'.repeat(1_100_000), email: address() });
    expect([large.status, large.text.includes('too much at once')]).toEqual([413, true]);
  });
});

describe('a code', () => {
  test('makes one document, however often it is posted and by how many at once', async () => {
    const link = await createPublicLink(app, company, { one_per_email: false });
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post('verify', { code })));
    answers.push(await visitor.post('verify', { code }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    for (const { to } of answers) expect((await fetch(to ?? '')).status).toBe(200);
    expect(await madeBy(link.id)).toHaveLength(1);
    expect(await usedOf(link.id)).toBe(1);
  });

  test('is not accepted after five wrong ones, nor after ten minutes', async () => {
    const link = await createPublicLink(app, company);
    const tried = visitLink(app, link);
    const code = await tried.askCode('Ada', address());
    for (let n = 0; n < 5; n += 1) expect((await tried.post('verify', { code: otherThan(code) })).status).toBe(400);
    expect((await tried.post('verify', { code })).status).toBe(400);
    const late = visitLink(app, link);
    const old = await late.askCode('Ada', address());
    app.clock.advance({ minutes: 10 });
    expect((await late.post('verify', { code: old })).status).toBe(400);
    expect(await madeBy(link.id)).toEqual([]);
  });

  test('is still accepted after five forms that had no code, which are no wrong codes', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    for (const typed of ['', '   ', '12345', 'abcdef', '1234567']) {
      const refused = await visitor.post('verify', { code: typed });
      expect([refused.status, refused.text.includes('This code is wrong')]).toEqual([400, true]);
    }
    expect((await visitor.post('verify', { code })).status).toBe(303);
    expect(await wrongCodesOf(link.id)).toEqual([0]);
  });

  test('that is right counts as no wrong one, however often it is posted', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    const post = () => visitor.post('verify', { code });
    const answers = await interleave(app, holdRow('public_links', 'id', link.id), post, post);
    expect(answers).toMatchObject([{ value: { status: 303 } }, { value: { status: 303 } }]);
    expect(await wrongCodesOf(link.id)).toEqual([0]);
  });

  test('belongs to one visitor and one link', async () => {
    const [link, other] = [await createPublicLink(app, company), await createPublicLink(app, company)];
    const [ada, eve] = [visitLink(app, link), visitLink(app, link)];
    const code = await ada.askCode('Ada', address());
    const codeOfEve = await eve.askCode('Eve', address());
    if (code !== codeOfEve) expect((await eve.post('verify', { code })).status).toBe(400);
    expect((await visitLink(app, link).post('verify', { code })).status).toBe(400);
    const elsewhere = visitLink(app, other);
    for (const [name, value] of ada.cookies) elsewhere.cookies.set(name.replace(link.id, other.id), value);
    expect((await elsewhere.post('verify', { code })).status).toBe(400);
    for (const refused of ['', '12345', 'abcdef', '1'.repeat(500)]) {
      expect((await ada.post('verify', { code: refused })).status).toBe(400);
    }
    expect((await ada.post('verify', { code })).status).toBe(303);
  });

  test('is stored as a hash only, and the visitor is forgotten once the document is made', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    const read = () =>
      app.db.query<{ name: string | null; email: string | null }>({
        name: '',
        text: 'select name, email, code_hmac, token_hash from public_link_visits where link_id = $1',
        values: [link.id],
      });
    const stored = JSON.stringify(await read());
    expect(stored).not.toContain(code);
    for (const token of visitor.cookies.values()) expect(stored).not.toContain(token);
    await visitor.post('verify', { code });
    expect(await read()).toMatchObject([{ name: null, email: null }]);
  });
});

describe('the limits', () => {
  test('let two visitors at once have the last place once', async () => {
    const link = await createPublicLink(app, company, { documents_max: 1 });
    const visitors = [visitLink(app, link), visitLink(app, link)];
    const codes: string[] = [];
    for (const visitor of visitors) codes.push(await visitor.askCode('Ada', address()));
    const answers = await Promise.all(visitors.map((visitor, n) => visitor.post('verify', { code: codes[n] ?? '' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('No more places');
    expect(await madeBy(link.id)).toHaveLength(1);
    const page = await visitLink(app, link).get();
    expect([page.status, page.text.includes('No more places')]).toEqual([409, true]);
    const refused = await visitLink(app, link).post('request', { name: 'Eve', email: address() });
    expect([refused.status, refused.text.includes('No more places')]).toEqual([409, true]);
  });

  test('lead the same address to its first document, however it is written', async () => {
    const link = await createPublicLink(app, company);
    const email = address();
    for (const written of [email, email.toUpperCase()]) {
      const visitor = visitLink(app, link);
      const led = await visitor.post('verify', { code: await visitor.askCode('Ada', written) });
      expect(led.status).toBe(303);
    }
    expect(await madeBy(link.id)).toHaveLength(1);
    expect(await usedOf(link.id)).toBe(1);
  });

  test('allow an address several documents when the link says so', async () => {
    const link = await createPublicLink(app, company, { one_per_email: false });
    const email = address();
    for (let n = 0; n < 2; n += 1) {
      const visitor = visitLink(app, link);
      await visitor.post('verify', { code: await visitor.askCode('Ada', email) });
    }
    expect(await madeBy(link.id)).toHaveLength(2);
  });

  test('refuse more than five codes an hour to one address, from whatever link, and say when to try again', async () => {
    const email = address();
    for (let n = 0; n < 5; n += 1) await visitLink(app, await createPublicLink(app, company)).askCode('Ada', email);
    const link = await createPublicLink(app, company);
    const refused = await visitLink(app, link).post('request', { name: 'Ada', email });
    expect([refused.status, refused.text.includes('too many tries')]).toEqual([429, true]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    app.clock.advance({ hours: 1 });
    await visitLink(app, link).askCode('Ada', email);
  });

  test('refuse too many codes to one client', async () => {
    app.clock.advance({ hours: 2 });
    const link = await createPublicLink(app, company);
    for (let n = 0; n < 60; n += 1) await visitLink(app, link).askCode('Ada', address());
    const refused = await visitLink(app, link).post('request', { name: 'Ada', email: address() });
    expect(refused.status).toBe(429);
    app.clock.advance({ hours: 1 });
  });

  test('refuse too many guesses from one client', async () => {
    const visitor = visitLink(app, await createPublicLink(app, company));
    const statuses = new Set<number>();
    for (let n = 0; n < 121; n += 1) statuses.add((await visitor.post('verify', { code: '123456' })).status);
    expect([...statuses]).toEqual([400, 429]);
    app.clock.advance({ hours: 1 });
  });
});

describe('a link', () => {
  test('that is unknown or malformed is answered like any unknown link', async () => {
    for (const token of ['A'.repeat(22), 'x', '%00', '..%2f', 'A'.repeat(3000)]) {
      const answer = await visitLink(app, { token }).get();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect((await visitLink(app, { token }).post('request', { name: 'A', email: 'a@example.com' })).status).toBe(404);
    }
  });

  test('that is deleted while a code is asked for leads to the page of unknown links', async () => {
    const link = await createPublicLink(app, company);
    const [, asked] = await interleave(
      app,
      holdRow('public_links', 'id', link.id),
      () => app.db.transaction((tx) => removeLink(app.world, tx, link, 'operator')),
      () => visitLink(app, link).post('request', { name: 'Ada', email: address() }),
    );
    expect(asked.ok && asked.value.status).toBe(404);
  });

  test('that is deleted between code and document leads to the page of unknown links', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    await app.db.transaction((tx) => removeLink(app.world, tx, link, 'operator'));
    expect((await visitor.post('verify', { code })).status).toBe(404);
    expect((await visitor.get()).status).toBe(404);
  });

  test('is deleted, changed and used at the same time, and nobody waits for ever or gets half a document', async () => {
    for (let round = 0; round < 5; round += 1) {
      const link = await createPublicLink(app, company);
      const visitor = visitLink(app, link);
      const code = await visitor.askCode('Ada', address());
      const locked = (change: (tx: Tx, found: PublicLink) => Promise<unknown>) =>
        app.db.transaction(async (tx) => {
          const found = await lockLink(tx, company.id, link.id);
          if (found !== null) await change(tx, found);
        });
      const [answer] = await Promise.all([
        visitor.post('verify', { code }),
        locked((tx, found) => switchLink(tx, found, 'operator', true)),
        locked((tx, found) => removeLink(app.world, tx, found, 'operator')),
        app.db.transaction(async (tx) => {
          const template = await lockDocument(tx, company.id, link.template_id, 'all');
          if (template !== null) await deleteTemplate(app.world, tx, template, 'operator');
        }),
      ]);
      expect([303, 404, 409]).toContain(answer.status);
      const text = 'select from documents d join audit_entries e on e.document_id = d.id where e.detail like $1';
      const made = await app.db.query({ name: '', text, values: [`%"public_link":"${link.id}"%`] });
      expect(made.length > 0).toBe(answer.status === 303);
    }
  });

  test('that has ended says so, also between code and document', async () => {
    const ends_at = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const link = await createPublicLink(app, company, { ends_at });
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    app.clock.advance({ minutes: 1 });
    const refused = await visitor.post('verify', { code });
    expect([refused.status, refused.text.includes('This link has ended')]).toEqual([409, true]);
    expect(await madeBy(link.id)).toEqual([]);
  });

  test('that is switched off between code and document makes none, and makes one when it is on again', async () => {
    const link = await createPublicLink(app, company);
    const visitor = visitLink(app, link);
    const code = await visitor.askCode('Ada', address());
    await app.db.transaction((tx) => switchLink(tx, link, 'operator', false));
    const refused = await visitor.post('verify', { code });
    expect([refused.status, refused.text.includes('Not available at the moment')]).toEqual([409, true]);
    // Nor does it name the template, which may have another title by now.
    expect(refused.text).toContain('<title>Not available at the moment – ');
    expect(refused.text).not.toContain('Photo consent');
    expect(await madeBy(link.id)).toEqual([]);
    await app.db.transaction((tx) => switchLink(tx, link, 'operator', true));
    expect((await visitor.post('verify', { code })).status).toBe(303);
    expect(await wrongCodesOf(link.id)).toEqual([0]);
  });
});
