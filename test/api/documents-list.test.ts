import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemplate, restrictDocument, submitForReview } from '../../src/documents/document-actions.ts';
import { voidDocument } from '../../src/documents/void-document.ts';
import {
  type Answer,
  type Company,
  call,
  createCompany,
  createDraft,
  createSent,
  startTestService,
  type TestService,
} from '../support/service.ts';
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

const list = (query = '', key = company.key) => call(app, 'GET', `/documents${query}`, { key });

/** Newest first. */
async function createMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.unshift(await createDraft(app, company.key, { title: `Document ${i}` }));
  return ids;
}

const idsOf = (answer: Answer): string[] => answer.body.data.map((document: { id: string }) => document.id);

test('an account with no documents gets an empty list, never 404', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body).toStrictEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
});

test('documents come newest first, whole, and only those of the account', async () => {
  const other = await createCompany(app);
  await createDraft(app, other.key);
  const first = await call(app, 'GET', `/documents/${await createDraft(app, company.key)}`, { key: company.key });
  app.clock.advance({ seconds: 1 });
  const second = await call(app, 'GET', `/documents/${await createDraft(app, company.key)}`, { key: company.key });
  const { body } = await list();
  expect(body).toStrictEqual({ object: 'list', data: [second.body, first.body], has_more: false, next_cursor: null });
});

test('documents made within one millisecond keep the order in which they were made', async () => {
  const ids = await createMany(12);
  expect(idsOf(await list())).toEqual(ids);
});

describe('limit', () => {
  test('is 20 when left out', async () => {
    const ids = await createMany(21);
    const page = await list();
    expect(idsOf(page)).toEqual(ids.slice(0, 20));
    expect(page.body.has_more).toBe(true);
  });

  test('has_more is false, and next_cursor null, on a page that holds the rest exactly', async () => {
    const ids = await createMany(3);
    for (const limit of [3, 4, 100]) {
      const page = await list(`?limit=${limit}`);
      expect(idsOf(page)).toEqual(ids);
      expect(page.body).toMatchObject({ has_more: false, next_cursor: null });
    }
    expect((await list('?limit=2')).body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(idsOf(await list('?limit=1'))).toEqual(ids.slice(0, 1));
  });

  test('may be 100, and then a page holds 100', async () => {
    const ids = await createMany(101);
    const page = await list('?limit=100');
    expect(idsOf(page)).toEqual(ids.slice(0, 100));
    expect(page.body.has_more).toBe(true);
  });

  test.for([
    '0',
    '101',
    '-1',
    '1000000000000',
    '',
    'x',
    '1.0',
    '1e1',
    '0x10',
    '+5',
    '%205',
    '5%20',
    '5%00',
    '%D9%A5',
    'null',
    '20&limit=20',
    '[20]',
    '%zz',
  ])('limit=%s is refused, never clamped', async (value) => {
    expectRefusal(await list(`?limit=${value}`), 'invalid_limit', 'limit');
  });
});

describe('cursors', () => {
  test('starting_after walks through everything once, whatever the page size', async () => {
    const ids = await createMany(7);
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const pages: string[][] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const { status, body } = await list(query);
        expect(status).toBe(200);
        pages.push(body.data.map((document: { id: string }) => document.id));
        expect(body.next_cursor === null).toBe(!body.has_more);
        if (!body.has_more) break;
        query = `?limit=${limit}&starting_after=${body.next_cursor}`;
      }
      expect(pages.flat()).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(7 / limit));
    }
  });

  test('ending_before gives the page that ends at the position, in normal order', async () => {
    const ids = await createMany(6);
    const first = (await list('?limit=2')).body.next_cursor;
    const second = (await list(`?limit=2&starting_after=${first}`)).body.next_cursor;

    expect(idsOf(await list(`?limit=2&ending_before=${second}`))).toEqual(ids.slice(2, 4));
    expect(idsOf(await list(`?limit=3&ending_before=${second}`))).toEqual(ids.slice(1, 4));
    expect(idsOf(await list(`?limit=1&ending_before=${second}`))).toEqual(ids.slice(3, 4));
    expect(idsOf(await list(`?ending_before=${second}`))).toEqual(ids.slice(0, 4));
    expect(idsOf(await list(`?limit=2&ending_before=${first}`))).toEqual(ids.slice(0, 2));
  });

  test('has_more tells in both directions whether documents follow the page', async () => {
    await createMany(4);
    const middle = (await list('?limit=2')).body.next_cursor;
    const backwards = await list(`?limit=1&ending_before=${middle}`);
    expect(backwards.body).toMatchObject({ has_more: true, next_cursor: middle });

    // Nothing follows once the older documents are hidden.
    for (const id of idsOf(await list(`?starting_after=${middle}`))) {
      await operate(app, id, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'other'));
    }
    expect((await list(`?limit=1&ending_before=${middle}`)).body).toMatchObject({ has_more: false, next_cursor: null });
    expect((await list(`?starting_after=${middle}`)).body).toStrictEqual({
      object: 'list',
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  test('a page before which nothing is left is empty, and still tells what follows', async () => {
    const ids = await createMany(3);
    const cursor = (await list('?limit=1')).body.next_cursor;
    await operate(app, ids[0] as string, (tx, document) => makeTemplate(app.world, tx, document, 'operator'));
    const page = await list(`?ending_before=${cursor}`);
    expect(page.body).toMatchObject({ data: [], has_more: true, next_cursor: cursor });
    expect(idsOf(await list(`?starting_after=${page.body.next_cursor}`))).toEqual(ids.slice(1));
  });

  test('a cursor keeps its place while documents come and go around it', async () => {
    const ids = await createMany(4);
    const cursor = (await list('?limit=2')).body.next_cursor;
    const [newest] = await createMany(1);
    await operate(app, ids[1] as string, (tx, document) =>
      restrictDocument(app.world, tx, document, 'operator', 'tax'),
    );
    expect(idsOf(await list(`?starting_after=${cursor}`))).toEqual(ids.slice(2));
    expect(idsOf(await list(`?ending_before=${cursor}`))).toEqual([newest, ids[0]]);
  });

  test('a cursor works with another limit, another filter and another key of the account', async () => {
    const ids = await createMany(4);
    const cursor = (await list('?limit=1')).body.next_cursor;
    expect(idsOf(await list(`?limit=3&starting_after=${cursor}`))).toEqual(ids.slice(1));
    expect(idsOf(await list(`?status=draft&starting_after=${cursor}`, company.testKey))).toEqual(ids.slice(1));
    expect(idsOf(await list(`?status=sent&starting_after=${cursor}`))).toEqual([]);
  });

  test('both at once are refused, even when neither is any good', async () => {
    await createMany(2);
    const cursor = (await list('?limit=1')).body.next_cursor;
    for (const query of [
      `?starting_after=${cursor}&ending_before=${cursor}`,
      '?starting_after=x&ending_before=y',
      '?starting_after=&ending_before=',
    ]) {
      expectRefusal(await list(query), 'conflicting_cursors', 'starting_after');
    }
  });

  test('a cursor that this service did not issue for this list is refused', async () => {
    const ids = await createMany(2);
    const cursor: string = (await list('?limit=1')).body.next_cursor;
    const other = await createCompany(app);
    await createDraft(app, other.key);
    await createDraft(app, other.key);
    const foreign = (await list('?limit=1', other.key)).body.next_cursor;

    const tampered = Array.from(
      cursor,
      (character, i) => cursor.slice(0, i) + (character === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
    );
    const wrong = [
      '',
      'x',
      'null',
      ids[0] as string,
      foreign,
      ...tampered,
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}%20`,
      `%20${cursor}`,
      `${cursor}%00`,
      `${cursor}%0A`,
      cursor.toUpperCase(),
      `${cursor}${cursor}`,
      'A'.repeat(cursor.length),
      'A'.repeat(5000),
      '%F0%9F%8F%97',
      '%ff',
    ];
    for (const value of wrong) {
      expectRefusal(await list(`?starting_after=${value}`), 'invalid_cursor', 'starting_after');
    }
    for (const value of wrong.slice(0, 8)) {
      expectRefusal(await list(`?ending_before=${value}`), 'invalid_cursor', 'ending_before');
    }
  });

  test('a cursor of this list is refused by another', async () => {
    await createMany(2);
    const cursor = (await list('?limit=1')).body.next_cursor;
    const { key } = company;
    expectRefusal(
      await call(app, 'GET', `/imports?starting_after=${cursor}`, { key }),
      'invalid_cursor',
      'starting_after',
    );
    expectRefusal(
      await call(app, 'GET', `/imports?ending_before=${cursor}`, { key }),
      'invalid_cursor',
      'ending_before',
    );
  });

  test('a cursor holds on every process that shares the secret, and on no other', async () => {
    const ids = await createMany(2);
    const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
    const shared = { databaseUrl: app.databaseUrl, clock: app.clock };
    const others = await Promise.all([
      startTestService({ ...shared, env: { SECRET_KEY } }),
      startTestService({ ...shared, env: { SECRET_KEY } }),
    ]);
    try {
      const ask = (service: TestService, query: string) =>
        call(service, 'GET', `/documents${query}`, { key: company.key });
      const cursor = (await ask(others[0], '?limit=1')).body.next_cursor;
      expect(idsOf(await ask(others[1], `?starting_after=${cursor}`))).toEqual(ids.slice(1));
      expectRefusal(await ask(app, `?starting_after=${cursor}`), 'invalid_cursor', 'starting_after');
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
  });

  test('a repeated parameter is the parameter at fault', async () => {
    await createMany(2);
    const cursor = (await list('?limit=1')).body.next_cursor;
    const twice = (name: string, value: string) => list(`?${name}=${value}&${name}=${value}`);
    expectRefusal(await twice('starting_after', cursor), 'invalid_cursor', 'starting_after');
    expectRefusal(await twice('ending_before', cursor), 'invalid_cursor', 'ending_before');
    expectRefusal(await twice('limit', '5'), 'invalid_limit', 'limit');
    expectRefusal(await twice('status', 'draft'), 'invalid_status', 'status');
  });
});

describe('status', () => {
  test('filters by one status or several, newest first', async () => {
    const draft = await createDraft(app, company.key);
    const sent = await createSent(app, company.key);
    const reviewed = await createDraft(app, company.key);
    await operate(app, reviewed, (tx, document) => submitForReview(app.world, tx, document, 'operator'));
    const voided = await createSent(app, company.key);
    await operate(app, voided, (tx, document, queue) =>
      voidDocument(app.world, tx, queue, document, 'operator', 'Wrong price'),
    );

    expect(idsOf(await list('?status=draft'))).toEqual([draft]);
    expect(idsOf(await list('?status=sent'))).toEqual([sent]);
    expect(idsOf(await list('?status=in_review'))).toEqual([reviewed]);
    expect(idsOf(await list('?status=voided'))).toEqual([voided]);
    expect(idsOf(await list('?status=completed,declined,expired,partially_signed'))).toEqual([]);
    expect(idsOf(await list('?status=draft,voided'))).toEqual([voided, draft]);
    expect(idsOf(await list('?status=voided%2Cdraft'))).toEqual([voided, draft]);
    const every = 'draft,sent,partially_signed,completed,voided,declined,expired,in_review';
    expect(idsOf(await list(`?status=${every}`))).toEqual([voided, reviewed, sent, draft]);
    expect(idsOf(await list('?status=draft,draft,draft'))).toEqual([draft]);
  });

  test('pages through a filtered list in both directions', async () => {
    const drafts: string[] = [];
    for (let i = 0; i < 5; i++) {
      drafts.unshift(await createDraft(app, company.key));
      await createSent(app, company.key);
    }
    const first = await list('?status=draft,completed&limit=2');
    expect(idsOf(first)).toEqual(drafts.slice(0, 2));
    const second = await list(`?status=draft,completed&limit=2&starting_after=${first.body.next_cursor}`);
    expect(idsOf(second)).toEqual(drafts.slice(2, 4));
    const third = await list(`?status=draft,completed&limit=2&starting_after=${second.body.next_cursor}`);
    expect(idsOf(third)).toEqual(drafts.slice(4));
    expect(third.body).toMatchObject({ has_more: false, next_cursor: null });
    const back = await list(`?status=draft,completed&limit=2&ending_before=${second.body.next_cursor}`);
    expect(back.body).toStrictEqual(second.body);
  });

  test.for([
    '',
    'unknown',
    'Draft',
    'draft,unknown',
    'unknown,draft',
    'draft,',
    ',draft',
    'draft,,sent',
    'draft,%20sent',
    'draft%20',
    'draft;sent',
    'constructor',
    'draft%00',
    '%ff',
  ])('status=%s refuses the whole request', async (value) => {
    expectRefusal(await list(`?status=${value}`), 'invalid_status', 'status');
  });
});

test('templates and sensitive papers are in no list, under no filter', async () => {
  const ids = await createMany(3);
  const [sensitive, template, plain] = ids as [string, string, string];
  await operate(app, sensitive, (tx, document) => restrictDocument(app.world, tx, document, 'operator', 'health'));
  await operate(app, template, (tx, document) => makeTemplate(app.world, tx, document, 'operator'));
  expect(idsOf(await list())).toEqual([plain]);
  expect(idsOf(await list('?status=draft'))).toEqual([plain]);
  expect((await list('?limit=1')).body).toMatchObject({ has_more: false, next_cursor: null });
});

test('parameters that no list knows are ignored', async () => {
  const ids = await createMany(1);
  const { status, body } = await list('?type=contract&order=asc&__proto__=x&constructor=y&=&&%zz=1');
  expect({ status, ids: body.data.map((document: { id: string }) => document.id) }).toEqual({ status: 200, ids });
});
