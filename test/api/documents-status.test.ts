import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { firstBreak, readAudit } from '../../src/documents/audit.ts';
import { makeTemplate, restrictDocument, submitForReview } from '../../src/documents/document-actions.ts';
import { expireDocuments } from '../../src/documents/expire-documents.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import { mintSigningLink } from '../../src/signing/signing-link.ts';
import {
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { impatient, whileLocked } from '../support/while-locked.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
});
afterAll(() => app.stop());
beforeEach(async () => {
  company = await createCompany(app);
});

const read = async (id: string) => (await call(app, 'GET', `/documents/${id}`, { key: company.key })).body;
const now = () => app.clock.now().toISOString();

interface RecipientJson {
  id: string;
  display_name: string;
  status: string;
}

async function recipientsOf(id: string): Promise<RecipientJson[]> {
  return (await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key })).body.data;
}

async function recipientStatuses(id: string): Promise<Record<string, string>> {
  return Object.fromEntries((await recipientsOf(id)).map(({ display_name, status }) => [display_name, status]));
}

/** The events of a document, oldest first, each with the status its body shows (undefined for an id alone). */
async function eventsOf(id: string): Promise<Array<[string, string | undefined]>> {
  const events = await app.db.query<{ type: string; body: string }>({
    name: '',
    text: 'select type, body from events where document_id = $1 order by id',
    values: [id],
  });
  return events.map(({ type, body }) => [type, JSON.parse(body).data.document.status]);
}

/** Acts as a recipient on the signing page, through the link in the message. */
async function act(
  id: string,
  name: string,
  action: string,
  body: object = {},
): Promise<{ status: number; code?: string }> {
  const recipient = (await recipientsOf(id)).find(({ display_name }) => display_name === name);
  const link = await mintSigningLink(app.world, app.db, app.service.origin, { id: recipient?.id as string, holder: 1 });
  const response = await fetch(`${link}/${action}`, { method: 'POST', body: JSON.stringify(body) });
  const answer = (await response.json()) as { error?: { code: string } };
  return { status: response.status, ...(answer.error === undefined ? {} : { code: answer.error.code }) };
}

const sign = (id: string, name: string) => act(id, name, 'sign', { full_name: name, signature: { kind: 'typed' } });
const decline = (id: string, name: string, reason: string) => act(id, name, 'decline', { reason });
const voidIt = (id: string, reason = 'Wrong price') =>
  operate(app, id, (tx, document, queue) => voidDocument(app.world, tx, queue, document, 'operator', reason));

const person = (name: string, changes: object = {}) => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  ...changes,
});

describe('signing', () => {
  test('by the only signer completes the document', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada')] });
    const sent = await read(id);
    app.clock.advance({ minutes: 2 });
    expect((await sign(id, 'Ada')).status).toBe(200);
    expect(await read(id)).toStrictEqual({ ...sent, status: 'completed', completed_at: now(), updated_at: now() });
    expect(await recipientsOf(id)).toMatchObject([
      { status: 'signed', sent_at: sent.sent_at, viewed_at: now(), signed_at: now(), declined_at: null },
    ]);
    expect(await eventsOf(id)).toEqual([
      ['document.sent', 'sent'],
      ['document.viewed', 'sent'],
      ['document.signed', 'completed'],
      ['document.completed', 'completed'],
    ]);
  });

  test('by one of several makes it partially signed, by the last completes it', async () => {
    const id = await createSent(app, company.key, {
      recipients: [person('Ada'), person('Bob'), person('Cc', { role: 'cc' })],
    });
    app.clock.advance({ minutes: 1 });
    await sign(id, 'Bob');
    expect(await read(id)).toMatchObject({ status: 'partially_signed', completed_at: null, updated_at: now() });
    expect(await recipientStatuses(id)).toMatchObject({ Ada: 'sent', Bob: 'signed', Cc: 'pending' });
    app.clock.advance({ minutes: 1 });
    await sign(id, 'Ada');
    expect(await read(id)).toMatchObject({ status: 'completed', completed_at: now() });
    expect((await eventsOf(id)).map(([type]) => type)).toEqual([
      'document.sent',
      'document.viewed',
      'document.signed',
      'document.viewed',
      'document.signed',
      'document.completed',
    ]);
  });

  test('in sequence asks the next when the one before is done', async () => {
    const id = await createSent(app, company.key, {
      recipients: [person('Ann', { role: 'approver' }), person('Cc', { role: 'cc' }), person('Bob'), person('Cy')],
      content: { sign_order_mode: 'sequential' },
    });
    expect(await recipientStatuses(id)).toEqual({ Ann: 'sent', Cc: 'pending', Bob: 'pending', Cy: 'pending' });
    expect(await sign(id, 'Bob')).toEqual({ status: 409, code: 'not_your_turn' });
    app.clock.advance({ minutes: 1 });
    await sign(id, 'Ann');
    expect(await recipientsOf(id)).toMatchObject([
      { display_name: 'Ann', status: 'signed', signed_at: now() },
      { display_name: 'Cc', status: 'pending' },
      { display_name: 'Bob', status: 'sent', sent_at: now() },
      { display_name: 'Cy', status: 'pending', sent_at: null },
    ]);
    expect((await read(id)).status).toBe('partially_signed');
    await sign(id, 'Bob');
    await sign(id, 'Cy');
    expect((await read(id)).status).toBe('completed');
    const trail = await readAudit(app.db, company.id, id);
    // Jobs add these at a time of their own.
    const ofJobs = ['attested', 'sealed'];
    expect(trail.map(({ action }) => action).filter((action) => !ofJobs.includes(action))).toEqual([
      'created',
      'sent',
      'requested',
      'viewed',
      'consented',
      'approved',
      'requested',
      'viewed',
      'consented',
      'signed',
      'requested',
      'viewed',
      'consented',
      'signed',
      'completed',
    ]);
    expect(firstBreak(id, trail)).toBeNull();
  });

  test('twice is one signature, and one event', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada'), person('Bob')] });
    expect(await Promise.all([sign(id, 'Ada'), sign(id, 'Ada'), sign(id, 'Ada')])).toEqual(
      Array.from({ length: 3 }, () => ({ status: 200 })),
    );
    await sign(id, 'Bob');
    await sign(id, 'Bob');
    const types = (await eventsOf(id)).map(([type]) => type);
    expect(types.filter((type) => type === 'document.signed')).toHaveLength(2);
    expect(types.filter((type) => type === 'document.completed')).toHaveLength(1);
    expect(types.filter((type) => type === 'document.viewed')).toHaveLength(2);
  });

  test('by everybody at once completes it once', async () => {
    const names = ['Ada', 'Bob', 'Cy', 'Di', 'Ed', 'Flo'];
    const id = await createSent(app, company.key, { recipients: names.map((name) => person(name)) });
    const answers = await Promise.all(names.map((name) => sign(id, name)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await read(id)).status).toBe('completed');
    const types = (await eventsOf(id)).map(([type]) => type);
    expect(types.filter((type) => type === 'document.signed')).toHaveLength(6);
    expect(types.filter((type) => type === 'document.completed')).toHaveLength(1);
  });

  test('opening fires document.viewed once and states no change of the document', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada')] });
    const before = await read(id);
    app.clock.advance({ minutes: 1 });
    await act(id, 'Ada', 'viewed');
    const viewedAt = now();
    app.clock.advance({ minutes: 1 });
    await act(id, 'Ada', 'viewed');
    expect(await read(id)).toEqual(before);
    expect(await recipientsOf(id)).toMatchObject([{ status: 'viewed', viewed_at: viewedAt }]);
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(['document.sent', 'document.viewed']);
  });

  test('is seen by the status filter at once', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada')] });
    await sign(id, 'Ada');
    const { body } = await call(app, 'GET', '/documents?status=completed', { key: company.key });
    expect(body.data.map((document: { id: string }) => document.id)).toEqual([id]);
  });
});

describe('declining', () => {
  test('finishes the document for everybody', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada'), person('Bob')] });
    await sign(id, 'Ada');
    app.clock.advance({ minutes: 1 });
    expect((await decline(id, 'Bob', 'Too dear')).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'declined', completed_at: null, updated_at: now() });
    expect(await recipientsOf(id)).toMatchObject([
      { status: 'signed' },
      { status: 'declined', declined_at: now(), declined_reason: 'Too dear', signed_at: null },
    ]);
    expect((await eventsOf(id)).map(([type]) => type).at(-1)).toBe('document.declined');
    expectRefusal(
      await call(app, 'POST', `/documents/${id}/send`, { key: company.key }),
      'document_not_sendable',
      'status',
    );
  });

  test('leaves the others nothing to sign, and is declined once', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada'), person('Bob')] });
    await decline(id, 'Bob', 'No');
    expect(await sign(id, 'Ada')).toEqual({ status: 409, code: 'document_declined' });
    await decline(id, 'Bob', 'No, really');
    await decline(id, 'Ada', 'Me neither');
    expect((await eventsOf(id)).filter(([type]) => type === 'document.declined')).toHaveLength(1);
    expect(await recipientStatuses(id)).toEqual({ Ada: 'sent', Bob: 'declined' });
  });

  test('and signing at once end in exactly one of the two', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada'), person('Bob')] });
    await sign(id, 'Ada');
    await Promise.all([sign(id, 'Bob'), decline(id, 'Bob', 'No')]);
    const types = (await eventsOf(id)).map(([type]) => type);
    const ends = types.filter((type) => type === 'document.completed' || type === 'document.declined');
    expect(ends).toHaveLength(1);
    expect((await read(id)).status).toBe(ends[0] === 'document.completed' ? 'completed' : 'declined');
  });
});

describe('voiding', () => {
  test.for(['draft', 'in_review', 'sent', 'partially_signed', 'completed', 'declined', 'expired'])(
    'is allowed from %s and shows who is told and why',
    async (status) => {
      const id = await reach(status);
      expect((await read(id)).status).toBe(status);
      const before = await read(id);
      app.clock.advance({ minutes: 1 });
      await voidIt(id, 'Wrong price');
      expect(await read(id)).toStrictEqual({
        ...before,
        status: 'voided',
        voided_at: now(),
        voided_reason: 'Wrong price',
        updated_at: now(),
      });
      expect((await eventsOf(id)).at(-1)).toEqual(['document.voided', 'voided']);
    },
  );

  test('is not done twice', async () => {
    const id = await createSent(app, company.key);
    await voidIt(id, 'First');
    await expect(voidIt(id, 'Second')).rejects.toThrow(/already voided/);
    expect((await read(id)).voided_reason).toBe('First');
    expect((await eventsOf(id)).filter(([type]) => type === 'document.voided')).toHaveLength(1);
  });

  test('and sending at once: what is sent is voided, or what is voided is not sent', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await createDraft(app, company.key);
      const [answer] = await Promise.all([
        call(app, 'POST', `/documents/${id}/send`, { key: company.key }),
        voidIt(id),
      ]);
      const types = (await eventsOf(id)).map(([type]) => type).sort();
      if (answer.status === 200) expect(types).toEqual(['document.sent', 'document.voided']);
      else {
        expectRefusal(answer, 'document_not_sendable', 'status');
        expect(types).toEqual(['document.voided']);
      }
      expect((await read(id)).status).toBe('voided');
    }
  });

  test('leaves nobody anything to sign or decline', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada')] });
    await voidIt(id);
    expect(await sign(id, 'Ada')).toEqual({ status: 409, code: 'document_voided' });
    expect(await decline(id, 'Ada', 'No')).toEqual({ status: 409, code: 'document_voided' });
    expect(await recipientStatuses(id)).toEqual({ Ada: 'sent' });
  });

  test('of a sensitive paper tells an event only its id', async () => {
    const id = await createSent(app, company.key);
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'pay'));
    app.clock.advance({ seconds: 1 });
    await voidIt(id);
    const [, last] = await app.db.query<{ body: string }>({
      name: '',
      text: 'select body from events where document_id = $1 order by id',
      values: [id],
    });
    expect(JSON.parse(last?.body as string).data).toStrictEqual({ document: { id } });
  });

  /** Brings a document into this status in the normal way. */
  async function reach(status: string): Promise<string> {
    if (status === 'draft' || status === 'in_review') {
      const id = await createDraft(app, company.key);
      if (status === 'in_review') {
        await operate(app, id, (tx, document) => submitForReview(app.world, tx, document, 'operator'));
      }
      return id;
    }
    const recipients = [person('Ada'), person('Bob')];
    const id = await createSent(app, company.key, { recipients, content: { expires_in_days: 1 } });
    if (status === 'partially_signed' || status === 'completed') await sign(id, 'Ada');
    if (status === 'completed') await sign(id, 'Bob');
    if (status === 'declined') await decline(id, 'Ada', 'No');
    if (status === 'expired') {
      app.clock.advance({ days: 1 });
      await expireDocuments(app.world, app.db, await app.queue());
    }
    return id;
  }
});

describe('expiry', () => {
  const expiring = (changes: object = {}) =>
    createSent(app, company.key, {
      recipients: [person('Ada'), person('Bob')],
      content: { expires_in_days: 1 },
      ...changes,
    });

  test('refuses a signature at its very second, and lets it in a second before', async () => {
    const id = await expiring();
    app.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await sign(id, 'Ada')).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect(await sign(id, 'Bob')).toEqual({ status: 409, code: 'document_expired' });
    expect(await decline(id, 'Bob', 'No')).toEqual({ status: 409, code: 'document_expired' });
    expect(await recipientStatuses(id)).toEqual({ Ada: 'signed', Bob: 'sent' });
  });

  test('is marked by the sweep, once, with no event, and not before its time', async () => {
    const id = await expiring();
    await expireDocuments(app.world, app.db, await app.queue());
    expect((await read(id)).status).toBe('sent');
    app.clock.advance({ hours: 24 });
    const before = await read(id);
    await Promise.all([
      expireDocuments(app.world, app.db, await app.queue()),
      expireDocuments(app.world, app.db, await app.queue()),
    ]);
    expect(await read(id)).toStrictEqual({ ...before, status: 'expired', updated_at: now() });
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(['document.sent']);
    const trail = await app.db.query<{ action: string }>({
      name: '',
      text: `select action from audit_entries where document_id = $1 and action = 'expired'`,
      values: [id],
    });
    expect(trail).toHaveLength(1);
    expectRefusal(
      await call(app, 'POST', `/documents/${id}/send`, { key: company.key }),
      'document_not_sendable',
      'status',
    );
  });

  test('marks what is partially signed, and leaves alone what is finished or never expires', async () => {
    const partial = await expiring();
    await sign(partial, 'Ada');
    const completed = await expiring();
    await sign(completed, 'Ada');
    await sign(completed, 'Bob');
    const declined = await expiring();
    await decline(declined, 'Ada', 'No');
    const voided = await expiring();
    await voidIt(voided);
    const endless = await expiring({ content: {} });
    const draft = await createDraft(app, company.key, { content: { expires_in_days: 1 } });
    app.clock.advance({ days: 2 });
    await expireDocuments(app.world, app.db, await app.queue());
    const statuses = await Promise.all([partial, completed, declined, voided, endless, draft].map(read));
    expect(statuses.map(({ status }) => status)).toEqual([
      'expired',
      'completed',
      'declined',
      'voided',
      'sent',
      'draft',
    ]);
  });

  test('of one document that fails does not stop the others', async () => {
    const db = impatient(app.databaseUrl);
    onTestFinished(() => db.close());
    const [held, other] = [await expiring(), await expiring()];
    app.clock.advance({ days: 1 });
    await whileLocked(app.databaseUrl, held, async () => {
      await expect(expireDocuments(app.world, db, await app.queue())).rejects.toThrow('timeout');
      expect([await read(held), await read(other)]).toMatchObject([{ status: 'sent' }, { status: 'expired' }]);
    });
    await expireDocuments(app.world, app.db, await app.queue());
    expect((await read(held)).status).toBe('expired');
  });

  test('of more documents than one sweep takes at a time leaves none behind', async () => {
    for (let i = 0; i < 11; i++) await Promise.all(Array.from({ length: 10 }, () => expiring()));
    app.clock.advance({ days: 1 });
    await expireDocuments(app.world, app.db, await app.queue());
    const { body } = await call(app, 'GET', '/documents?status=sent', { key: company.key });
    expect(body.data).toEqual([]);
    const first = await call(app, 'GET', '/documents?status=expired&limit=100', { key: company.key });
    const rest = `/documents?status=expired&limit=100&starting_after=${first.body.next_cursor}`;
    expect((await call(app, 'GET', rest, { key: company.key })).body.data).toHaveLength(10);
  });
});

describe('review, templates and sensitive papers', () => {
  test('a document in review shows its status and no event', async () => {
    const id = await createDraft(app, company.key);
    app.clock.advance({ minutes: 1 });
    await operate(app, id, (tx, document) => submitForReview(app.world, tx, document, 'operator'));
    expect(await read(id)).toMatchObject({ status: 'in_review', sent_at: null, updated_at: now() });
    expect(await eventsOf(id)).toEqual([]);
  });

  test('a template cannot be sent, and shows nowhere', async () => {
    const id = await createDraft(app, company.key);
    await operate(app, id, (tx, document) => makeTemplate(app.world, tx, document, 'operator'));
    expectRefusal(await call(app, 'POST', `/documents/${id}/send`, { key: company.key }), 'document_not_found');
    expect((await call(app, 'GET', '/documents', { key: company.key })).body.data).toEqual([]);
  });

  test('a paper restricted while it awaits signature is still signed by its signers', async () => {
    const id = await createSent(app, company.key, { recipients: [person('Ada')] });
    const [ada] = await recipientsOf(id);
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'bank'));
    expectRefusal(await call(app, 'GET', `/documents/${id}`, { key: company.key }), 'document_not_found');
    const link = await mintSigningLink(app.world, app.db, app.service.origin, { id: ada?.id as string, holder: 1 });
    const response = await fetch(`${link}/sign`, {
      method: 'POST',
      body: JSON.stringify({ full_name: 'Ada', signature: { kind: 'typed' } }),
    });
    expect(response.status).toBe(200);
    expect(await eventsOf(id)).toEqual([
      ['document.sent', undefined],
      ['document.viewed', undefined],
      ['document.signed', undefined],
      ['document.completed', undefined],
    ]);
  });
});
