import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAnswers } from '../../src/api/idempotency.ts';
import { liftRestriction, restrictDocument } from '../../src/documents/document-actions.ts';
import { setRestrictedTypes } from '../../src/documents/restricted-documents.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import {
  type Answer,
  aDraft,
  type Company,
  call,
  createCompany,
  createDraft,
  eventually,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { operate } from './operate.ts';
import { expectRefusal } from './refusal.ts';
import { untilBlocked } from './until-blocked.ts';

let app: TestService;
/** A second process on the same database. */
let twin: TestService;
let company: Company;

beforeAll(async () => {
  app = await startTestService();
  twin = await startTestService({ databaseUrl: app.databaseUrl, clock: app.clock });
});
afterAll(async () => {
  await twin.stop();
  await app.stop();
});
beforeEach(async () => {
  company = await createCompany(app);
});

const once = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey });

const create = (idempotencyKey: string, body: unknown = aDraft, key = company.key, service = app) =>
  call(service, 'POST', '/documents', { key, body, headers: once(idempotencyKey) });

const send = (idempotencyKey: string, id: string, body?: unknown, key = company.key, service = app) =>
  call(service, 'POST', `/documents/${id}/send`, { key, body, headers: once(idempotencyKey) });

async function documentCount(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>({
    name: '',
    text: 'select count(*)::int as count from documents where account_id = $1',
    values: [company.id],
  });
  return row?.count ?? 0;
}

async function eventCount(id: string): Promise<number> {
  const [row] = await app.db.query<{ count: number }>({
    name: '',
    text: 'select count(*)::int as count from events where document_id = $1',
    values: [id],
  });
  return row?.count ?? 0;
}

function expectReplay(replay: Answer, original: Answer): void {
  expect({ status: replay.status, text: replay.text }).toEqual({ status: original.status, text: original.text });
  expect(replay.headers.get('content-type')).toBe(original.headers.get('content-type'));
  expect(replay.headers.get('x-request-id')).not.toBe(original.headers.get('x-request-id'));
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
}

describe('the same key with the same body', () => {
  test('replays the creation byte for byte and writes once', async () => {
    const original = await create('a');
    expect(original.status).toBe(201);
    app.clock.advance({ seconds: 7 });
    for (let i = 0; i < 3; i++) expectReplay(await create('a'), original);
    expect(await documentCount()).toBe(1);
  });

  test('replays the sending byte for byte and sends once', async () => {
    const id = await createDraft(app, company.key);
    const original = await send('a', id);
    expect(original.body.status).toBe('sent');
    expectReplay(await send('a', id), original);
    expect(await eventCount(id)).toBe(1);
  });

  test('replays at another process', async () => {
    const original = await create('a');
    expectReplay(await create('a', aDraft, company.key, twin), original);
    expect(await documentCount()).toBe(1);
  });

  test('replays what was answered then, not what is true now', async () => {
    const original = await create('a');
    await call(app, 'POST', `/documents/${original.body.id}/send`, { key: company.key });
    const replay = await create('a');
    expectReplay(replay, original);
    expect(replay.body.status).toBe('draft');
  });

  test('carries the current budget and spends one unit of it', async () => {
    const budgetOf = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining-daily'));
    const original = await create('a');
    await call(app, 'GET', '/account', { key: company.key });
    const replay = await create('a');
    expect(budgetOf(replay)).toBe(budgetOf(original) - 2);
  });

  test('replays to another key of the account that has the right', async () => {
    const original = await create('a');
    expectReplay(await create('a', aDraft, company.testKey), original);
  });

  test('replays to no key that lost the right', async () => {
    const writer = await company.keyWith(['documents:write']);
    const reader = await company.keyWith(['documents:read']);
    await create('a', aDraft, writer.key);
    expectRefusal(await create('a', aDraft, reader.key), 'insufficient_scope', 'scopes');
    await app.db.transaction((tx) => revokeKey(app.world, tx, writer.id, null));
    expectRefusal(await create('a', aDraft, writer.key), 'invalid_api_key');
  });

  test('says that it replays, and nothing of the kind the first time or for a refusal', async () => {
    expect((await create('a')).headers.get('idempotent-replayed')).toBeNull();
    expect((await create('a')).headers.get('idempotent-replayed')).toBe('true');
    expect((await create('a', { title: 'Other' })).headers.get('idempotent-replayed')).toBeNull();
  });

  test('replays no creation of what was restricted since, and does again when it no longer is', async () => {
    const original = await create('a');
    const { id } = original.body;
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'bank'));
    const refused = await create('a');
    expectRefusal(refused, 'document_not_found');
    expect(refused.text).not.toContain(id);
    expect(refused.headers.get('idempotent-replayed')).toBeNull();
    expect(await documentCount()).toBe(1);
    await operate(app, id, (tx, document) => liftRestriction(app.world, tx, document, 'operator'));
    expectReplay(await create('a'), original);
  });

  test('replays the creation of what was restricted from the beginning, until it is changed', async () => {
    await app.db.transaction((tx) => setRestrictedTypes(app.world, tx, company.id, ['w9'], null));
    const draft = { ...aDraft, type: 'w9' };
    const original = await create('a', draft);
    expect(original.status).toBe(201);
    const { id } = original.body;
    expectRefusal(await call(app, 'GET', `/documents/${id}`, { key: company.key }), 'document_not_found');
    expectReplay(await create('a', draft), original);
    expect(await documentCount()).toBe(1);
    await operate(app, id, (tx, document) => liftRestriction(app.world, tx, document, 'operator'));
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'tax'));
    expectRefusal(await create('a', draft), 'document_not_found');
  });

  test('replays no sending of what was restricted since', async () => {
    const id = await createDraft(app, company.key);
    const original = await send('a', id);
    await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'bank'));
    expectRefusal(await send('a', id), 'document_not_found');
    await operate(app, id, (tx, document) => liftRestriction(app.world, tx, document, 'operator'));
    expectReplay(await send('a', id), original);
  });
});

describe('the body is compared as JSON:', () => {
  const draft = (raw: string) => call(app, 'POST', '/documents', { key: company.key, raw, headers: once('a') });

  test.for<[string, string]>([
    ['white space', ' {\n "recipients" : [ { "name":"A", "email":"a@b.co" } ], "title":"x"}\r\n'],
    ['the order of properties', '{"recipients":[{"email":"a@b.co","name":"A"}],"title":"x"}'],
    ['escapes', '{"title":"\\u0078","recipients":[{"name":"A","email":"a\\u0040b.co"}]}'],
    ['a byte order mark', '\ufeff{"title":"x","recipients":[{"name":"A","email":"a@b.co"}]}'],
    ['an earlier property of the same name', '{"title":"y","title":"x","recipients":[{"name":"A","email":"a@b.co"}]}'],
  ])('%s makes no difference', async ([, raw]) => {
    const original = await draft('{"title":"x","recipients":[{"name":"A","email":"a@b.co"}]}');
    expectReplay(await draft(raw), original);
  });

  test.for<[string, unknown]>([
    ['another title', { ...aDraft, title: 'Roof repairs' }],
    ['an added property', { ...aDraft, type: 'form' }],
    ['an added property that is ignored', { ...aDraft, ignored: 1 }],
    ['an added null', { ...aDraft, type: null }],
    ['another order of recipients', { ...aDraft, recipients: [{ name: 'B', email: 'b@b.co' }, ...aDraft.recipients] }],
    ['other letter case', { ...aDraft, title: 'Roof Repair' }],
    ['another normalisation', { ...aDraft, title: 'Roof repair\u0301' }],
    ['a property called __proto__', JSON.parse(`{"__proto__":{"a":1},"title":"Roof repair"}`)],
  ])('%s is a different body', async ([, body]) => {
    const original = await create('a');
    const reused = await create('a', body);
    expectRefusal(reused, 'idempotency_key_reused');
    expectReplay(await create('a'), original);
    expect(await documentCount()).toBe(1);
  });

  test('numbers are equal by value', async () => {
    const turn = (text: string) =>
      draft(`{"title":"x","recipients":[{"name":"A","email":"a@b.co","sign_order":${text}}]}`);
    const original = await turn('10');
    expectReplay(await turn('10.0'), original);
    expectReplay(await turn('1e1'), original);
    expectRefusal(await turn('11'), 'idempotency_key_reused');
  });

  test('no body to send is the empty object', async () => {
    const id = await createDraft(app, company.key);
    const original = await send('a', id);
    expectReplay(await send('a', id, {}), original);
    expectRefusal(await send('a', id, { force: true }), 'idempotency_key_reused');
  });
});

describe('the key itself', () => {
  test('has at most 255 characters', async () => {
    expect((await create('x'.repeat(255))).status).toBe(201);
    expectRefusal(await create('x'.repeat(256)), 'invalid_idempotency_key');
    expectRefusal(await create('x'.repeat(5000)), 'invalid_idempotency_key');
    const id = await createDraft(app, company.key);
    expectRefusal(await send('x'.repeat(256), id), 'invalid_idempotency_key');
    expect((await send('x'.repeat(255), id)).status).toBe(200);
  });

  test('is counted in characters, not in bytes', async () => {
    const asHeader = (text: string) => Buffer.from(text).toString('latin1');
    expect((await create(asHeader('é'.repeat(255)))).status).toBe(201);
    expect((await create(asHeader('🏗'.repeat(255)))).status).toBe(201);
    expectRefusal(await create(asHeader('é'.repeat(256))), 'invalid_idempotency_key');
    expect((await create('\u00e9'.repeat(255))).status, 'latin1, which is no UTF-8').toBe(201);
  });

  test('that begins with U+FEFF is another key', async () => {
    const asHeader = (text: string) => Buffer.from(text).toString('latin1');
    const original = await create('a');
    const other = await create(asHeader('\ufeffa'));
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(original.body.id);
    expectReplay(await create(asHeader('\ufeffa')), other);
    expect((await create(asHeader(`\ufeff${'x'.repeat(254)}`))).status).toBe(201);
    expectRefusal(await create(asHeader(`\ufeff${'x'.repeat(255)}`)), 'invalid_idempotency_key');
  });

  test('that is empty counts as none', async () => {
    const answers = [await create(''), await create('')];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null]);
    expect(await documentCount()).toBe(2);
  });

  test('that is blank is a key', async () => {
    // Only spaces and tabs at the ends are not part of a header's value.
    for (const blank of ['\u00a0', '\u3000\u00a0']) {
      const key = Buffer.from(blank).toString('latin1');
      const original = await create(key);
      expectReplay(await create(key), original);
    }
    expect(await documentCount()).toBe(2);
  });

  test.for(['a b', 'a,b', '"quoted"', "' or 1=1 --", '%00', '{"json":1}', 'A'])('may be any text: %s', async (text) => {
    const original = await create(text);
    expect(original.status).toBe(201);
    expectReplay(await create(text), original);
  });

  test('is told apart by letter case', async () => {
    const lower = await create('key');
    const upper = await create('KEY');
    expect(upper.body.id).not.toBe(lower.body.id);
  });

  test('means nothing where nothing is written', async () => {
    const headers = once('x'.repeat(256));
    expect((await call(app, 'GET', '/account', { key: company.key, headers })).status).toBe(200);
    expect((await call(app, 'GET', '/documents', { key: company.key, headers })).status).toBe(200);
  });

  test('left out, every request writes', async () => {
    const answers = [await create('a'), await call(app, 'POST', '/documents', { key: company.key, body: aDraft })];
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(2);
  });
});

describe('the scope of a key', () => {
  test('is the account', async () => {
    const original = await create('a');
    const other = await createCompany(app);
    const foreign = await create('a', aDraft, other.key);
    expect(foreign.status).toBe(201);
    expect(foreign.body.id).not.toBe(original.body.id);
  });

  test('is the endpoint', async () => {
    const created = await create('a');
    const sent = await send('a', created.body.id, aDraft);
    expect({ status: sent.status, is: sent.body.status }).toEqual({ status: 200, is: 'sent' });
    expectReplay(await create('a'), created);
  });

  test('is the document in the path', async () => {
    const [one, other] = [await createDraft(app, company.key), await createDraft(app, company.key)];
    const sentOne = await send('a', one);
    const sentOther = await send('a', other);
    expect(sentOther.body).toMatchObject({ id: other, status: 'sent' });
    expectReplay(await send('a', one), sentOne);
    expectReplay(await send('a', one.toUpperCase()), sentOne);
  });
});

describe('only an answer of success is remembered:', () => {
  test('a refused body leaves its key free for the corrected one', async () => {
    expectRefusal(await create('a', { ...aDraft, title: '' }), 'invalid_title', 'title');
    expectRefusal(await create('a', [], company.key), 'invalid_body', 'body');
    const corrected = await create('a');
    expect(corrected.status).toBe(201);
    expectRefusal(await create('a', { ...aDraft, title: '' }), 'idempotency_key_reused');
  });

  test('a refused sending leaves its key free', async () => {
    const id = await createDraft(app, company.key, { recipients: [{ name: 'C', email: 'c@b.co', role: 'cc' }] });
    expectRefusal(await send('a', id), 'no_signers', 'recipients');
    await app.db.query({
      name: '',
      text: `update recipients set party_role = null where document_id = $1`,
      values: [id],
    });
    expect((await send('a', id)).status).toBe(200);
    expectRefusal(await send('b', id), 'document_not_sendable', 'status');
    expect((await send('a', id)).status).toBe(200);
  });

  test('a document that is not found leaves its key free', async () => {
    const other = await createCompany(app);
    const id = await createDraft(app, other.key);
    expectRefusal(await send('a', id), 'document_not_found');
    expect((await send('a', id, undefined, other.key)).status).toBe(200);
  });
});

describe('the time a key is remembered', () => {
  test('is 24 hours, to the second', async () => {
    const original = await create('a');
    app.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expectReplay(await create('a'), original);
    expectRefusal(await create('a', { ...aDraft, title: 'Other' }), 'idempotency_key_reused');
    app.clock.advance({ seconds: 1 });
    const fresh = await create('a', { ...aDraft, title: 'Other' });
    expect(fresh.status).toBe(201);
    expect(fresh.body.title).toBe('Other');
    expectReplay(await create('a', { ...aDraft, title: 'Other' }), fresh);
    expect(await documentCount()).toBe(2);
  });

  test('is not prolonged by a replay', async () => {
    const original = await create('a');
    app.clock.advance({ hours: 20 });
    expectReplay(await create('a'), original);
    app.clock.advance({ hours: 4 });
    expect((await create('a')).body.id).not.toBe(original.body.id);
  });

  test('is what IDEMPOTENCY_TTL_HOURS says', async () => {
    const forgetful = await startTestService({
      databaseUrl: app.databaseUrl,
      clock: app.clock,
      env: { IDEMPOTENCY_TTL_HOURS: '1' },
    });
    try {
      const original = await create('a', aDraft, company.key, forgetful);
      app.clock.advance({ minutes: 59 });
      expectReplay(await create('a', aDraft, company.key, forgetful), original);
      app.clock.advance({ minutes: 1 });
      expect((await create('a', aDraft, company.key, forgetful)).body.id).not.toBe(original.body.id);
    } finally {
      await forgetful.stop();
    }
  });
});

test('what has outlived its time is deleted, however much of it there is, and nothing else', async () => {
  await app.db.query({
    name: '',
    text: `insert into idempotency_records (account_id, endpoint, key, request_sha256, status, body, created_at)
           select $1, 'POST /documents', 'old ' || n, sha256(''), 201, '{}', $2 from generate_series(1, 2500) as n`,
    values: [company.id, app.clock.now()],
  });
  app.clock.advance({ seconds: 1 });
  const kept = await create('kept');
  const cutoff = new Date(app.clock.now().getTime() - 1000);
  for (const removed of [1000, 1000]) expect(await removeAnswers(app.db, cutoff, 1000)).toBe(removed);
  expect(await removeAnswers(app.db, cutoff, 1000)).toBeGreaterThanOrEqual(500);
  expectReplay(await create('kept'), kept);
  expect(await removeAnswers(app.db, cutoff, 1000)).toBe(0);
});

describe('while the first request is still running', () => {
  /** Locks rows, so that a write stops in the middle, until `during` is done. */
  async function whileLocked(sql: string, values: unknown[], during: () => Promise<void>): Promise<void> {
    await app.db.transaction(async (tx) => {
      await tx.query({ name: '', text: sql, values });
      await during();
    });
  }

  test('a twin gets 409 at once, and the original afterwards', async () => {
    let first: Promise<Answer> | undefined;
    await whileLocked('select 1 from accounts where id = $1 for update', [company.id], async () => {
      first = create('a');
      await untilBlocked(app);
      expectRefusal(await create('a'), 'idempotency_in_progress');
      expectRefusal(await create('a', aDraft, company.key, twin), 'idempotency_in_progress');
      // Another body is refused too. Another key is not affected.
      expectRefusal(await create('a', { ...aDraft, title: 'Other' }), 'idempotency_in_progress');
    });
    const original = (await first) as Answer;
    expect(original.status, original.text).toBe(201);
    expectReplay(await create('a'), original);
    expect(await documentCount()).toBe(1);
  });

  test('a twin of a sending gets 409 at once, and the original afterwards', async () => {
    const id = await createDraft(app, company.key);
    let first: Promise<Answer> | undefined;
    await whileLocked('select 1 from documents where id = $1 for update', [id], async () => {
      first = send('a', id);
      await untilBlocked(app);
      expectRefusal(await send('a', id), 'idempotency_in_progress');
      expectRefusal(await send('a', id, {}, company.key, twin), 'idempotency_in_progress');
    });
    const original = (await first) as Answer;
    expect(original.status, original.text).toBe(200);
    expectReplay(await send('a', id), original);
    expect(await eventCount(id)).toBe(1);
  });

  test('a client that hung up gets the answer with its retry', async () => {
    const id = await createDraft(app, company.key);
    await whileLocked('select 1 from documents where id = $1 for update', [id], async () => {
      const hangUp = new AbortController();
      const request = fetch(`${app.baseUrl}/documents/${id}/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${company.key}`, ...once('a') },
        signal: hangUp.signal,
      }).catch(() => null);
      await untilBlocked(app);
      hangUp.abort();
      expect(await request).toBeNull();
    });
    const answer = await eventually(
      () => send('a', id),
      ({ status }) => status !== 409,
    );
    expect(answer.body).toMatchObject({ id, status: 'sent' });
    expect(await eventCount(id)).toBe(1);
  });
});

describe('many twins at once, at two processes:', () => {
  /** All answers except the 409s are identical. */
  function expectOneWrite(answers: Answer[], status: number): Answer {
    const done = answers.filter((answer) => answer.status === status);
    for (const answer of answers) {
      if (answer.status !== status) expectRefusal(answer, 'idempotency_in_progress');
    }
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    return done[0] as Answer;
  }

  test('one creates, the others replay it or hear that it runs', async () => {
    for (let round = 0; round < 5; round++) {
      const key = `round ${round}`;
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) => create(key, aDraft, company.key, i % 2 === 0 ? app : twin)),
      );
      expectReplay(await create(key), expectOneWrite(answers, 201));
      expect(await documentCount()).toBe(round + 1);
    }
  });

  test('one sends, the others replay it or hear that it runs', async () => {
    const id = await createDraft(app, company.key);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => send('a', id, undefined, company.key, i % 2 === 0 ? app : twin)),
    );
    expectReplay(await send('a', id), expectOneWrite(answers, 200));
    expect(await eventCount(id)).toBe(1);
  });

  test('of two bodies under one key exactly one is written', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => create('a', { ...aDraft, title: i % 2 === 0 ? 'One' : 'Other' })),
    );
    const written = answers.filter(({ status }) => status === 201);
    expect(new Set(written.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409);
      expect(['idempotency_in_progress', 'idempotency_key_reused']).toContain(answer.body.error.code);
    }
    expect(await documentCount()).toBe(1);
  });

  test('without a key one sends, and the others find it sent', async () => {
    const id = await createDraft(app, company.key);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        call(i % 2 === 0 ? app : twin, 'POST', `/documents/${id}/send`, { key: company.key }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefusal(answer, 'document_not_sendable', 'status');
    }
    expect(await eventCount(id)).toBe(1);
  });
});
