import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeAccount, setPlan } from '../../src/accounts/manage-accounts.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { Scope } from '../../src/keys/scopes.ts';
import {
  type Answer,
  aDraft,
  type Company,
  call,
  createCompany,
  createDraft,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { expectRefusal } from './refusal.ts';

let app: TestService;
let company: Company;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-plans-'));
  const plans = join(directory, 'plans.json');
  // One request a minute: a single GET exhausts it.
  writeFileSync(plans, JSON.stringify({ starter: { burst_per_minute: 1 } }));
  app = await startTestService({ env: { PLANS_FILE: plans } });
});
afterAll(async () => {
  await app.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  company = await createCompany(app);
});

const rateHeaderNames = [
  'x-ratelimit-limit-burst',
  'x-ratelimit-remaining-burst',
  'x-ratelimit-limit-daily',
  'x-ratelimit-remaining-daily',
  'x-ratelimit-reset',
];

function rateHeadersOf({ headers }: Answer): Array<string | null> {
  return rateHeaderNames.map((name) => headers.get(name));
}

function expectRateHeaders(answer: Answer): void {
  for (const value of rateHeadersOf(answer)) expect(value).toMatch(/^\d+$/);
}

describe('the six headers', () => {
  test('come with every successful response and tell the budget of the plan', async () => {
    const id = await createDraft(app, company.key);
    const answers = [
      await call(app, 'GET', '/account', { key: company.key }),
      await call(app, 'GET', '/documents', { key: company.key }),
      await call(app, 'POST', '/documents', { key: company.key, body: aDraft }),
      await call(app, 'GET', `/documents/${id}`, { key: company.key }),
      await call(app, 'GET', `/documents/${id}/recipients`, { key: company.key }),
      await call(app, 'POST', `/documents/${id}/send`, { key: company.key }),
      await call(app, 'GET', '/imports', { key: company.key }),
    ];
    // 12:00:10 stands still: the minute ends at 12:01:00. The draft before took the first unit.
    const reset = String(Date.UTC(2026, 2, 10, 12, 1, 0) / 1000);
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers.get('x-request-id')).toMatch(/^\S{8,}$/);
      expect(rateHeadersOf(answer)).toEqual(['1200', String(1198 - i), '1000000', String(999_998 - i), reset]);
    }
  });

  test('come with every failure once the account is known', async () => {
    const { key } = company;
    const narrow = await company.keyWith([]);
    const refused: Array<[Answer, ErrorCode, string?]> = [
      [await call(app, 'GET', '/documents', { key: narrow.key }), 'insufficient_scope', 'scopes'],
      [await call(app, 'GET', '/nothing', { key }), 'route_not_found'],
      [await call(app, 'DELETE', '/account', { key }), 'route_not_found'],
      [await call(app, 'GET', '/documents?limit=0', { key }), 'invalid_limit', 'limit'],
      [await call(app, 'GET', '/documents/x', { key }), 'document_not_found'],
      [await call(app, 'POST', '/documents', { key, raw: '{' }), 'invalid_json'],
      [await call(app, 'POST', '/documents', { key, raw: ' '.repeat(1_048_577) }), 'request_too_large'],
      [await call(app, 'POST', '/documents', { key, body: {} }), 'invalid_title', 'title'],
      [await call(app, 'POST', '/imports', { key, body: { source: 'esign_vendor' } }), 'esign_not_connected', 'source'],
    ];
    for (const [i, [answer, code, param]] of refused.entries()) {
      expectRefusal(answer, code, param);
      const used = i + 1;
      expect(rateHeadersOf(answer).slice(0, 4)).toEqual([
        '1200',
        String(1200 - used),
        '1000000',
        String(1_000_000 - used),
      ]);
    }
  });

  test('come with the refusal of the plan, of the company and of the budget itself', async () => {
    const free = await createCompany(app, 'free');
    const refusedPlan = await call(app, 'GET', '/account', { key: free.key });
    expectRefusal(refusedPlan, 'api_access_required');
    expect(rateHeadersOf(refusedPlan).slice(0, 4)).toEqual(['0', '0', '0', '0']);

    const gone = await createCompany(app);
    await app.db.transaction((tx) => removeAccount(app.world, tx, gone.id));
    const refusedCompany = await call(app, 'GET', '/account', { key: gone.key });
    expectRefusal(refusedCompany, 'key_company_unavailable');
    expectRateHeaders(refusedCompany);

    const small = await createCompany(app, 'starter');
    await call(app, 'GET', '/account', { key: small.key });
    const refusedBudget = await call(app, 'GET', '/account', { key: small.key });
    expectRefusal(refusedBudget, 'rate_limit_exceeded');
    expect(rateHeadersOf(refusedBudget).slice(0, 4)).toEqual(['1', '0', '5000', '4999']);
  });

  test('tell nothing before the account is known', async () => {
    for (const answer of [await call(app, 'GET', '/account'), await call(app, 'GET', '/account', { key: 'x' })]) {
      expect(answer.status).toBe(401);
      expect(rateHeadersOf(answer)).toEqual([null, null, null, null, null]);
      expect(answer.headers.get('x-request-id')).toMatch(/^\S{8,}$/);
    }
  });
});

test('WWW-Authenticate comes with every 401, and names an invalid key', async () => {
  const challengeOf = async (path: string, headers: Record<string, string>) =>
    (await call(app, 'GET', path, { headers })).headers.get('www-authenticate');
  for (const path of ['/account', '/nothing', '/events']) {
    expect(await challengeOf(path, {})).toBe('Bearer realm="Countersign"');
    expect(await challengeOf(path, { authorization: 'Bearer x' })).toBe(
      'Bearer realm="Countersign", error="invalid_token"',
    );
  }
  expect((await call(app, 'GET', '/account', { key: company.key })).headers.has('www-authenticate')).toBe(false);
  expect((await call(app, 'GET', '/nothing', { key: company.key })).headers.has('www-authenticate')).toBe(false);
});

test('X-Request-Id is unique, and the error names it', async () => {
  const { key } = company;
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => call(app, 'GET', i % 2 === 0 ? '/account' : '/documents/x', { key })),
  );
  expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(100);
  for (const answer of answers.filter(({ status }) => status === 404)) expectRefusal(answer, 'document_not_found');
});

test('a request id that the client brings is not taken over', async () => {
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
  const answer = await call(app, 'GET', '/account', { key: company.key, headers });
  expect(answer.headers.get('x-request-id')).not.toBe('mine');
});

test('doc_url leads to the section of the error type', async () => {
  const docs = `${app.service.origin}/docs`;
  const expected: Array<[Answer, string]> = [
    [await call(app, 'GET', '/account'), `${docs}#authentication_error`],
    [await call(app, 'GET', '/documents?limit=0', { key: company.key }), `${docs}#validation_error`],
    [await call(app, 'GET', '/documents/x', { key: company.key }), `${docs}#not_found`],
    [await call(app, 'GET', '/documents', { key: (await company.keyWith([])).key }), `${docs}#permission_error`],
  ];
  for (const [answer, url] of expected) expect(answer.body.error.doc_url).toBe(url);
});

/**
 * The order of checks in decisions.md: company, plan, budget, scope, idempotency key, body, rules. (IP guard and key come
 * before all of them, and are tested below and in rate.test.ts.) Each fault is added to the same request, so that any two
 * can be combined. The answer must be that of the earlier check.
 */
interface Attempt {
  company: Company;
  scopes: Scope[];
  path: string;
  raw: string;
  headers: Record<string, string>;
}

interface Fault {
  code: ErrorCode;
  param?: string;
  /** Adds a fault to the request. */
  spoil?: (attempt: Attempt) => void;
  /** Takes something away from the company right before the request. */
  limit?: (company: Company) => Promise<unknown>;
}

const faults: Fault[] = [
  { code: 'key_company_unavailable', limit: ({ id }) => app.db.transaction((tx) => removeAccount(app.world, tx, id)) },
  { code: 'api_access_required', limit: ({ id }) => setPlan(app.db, id, 'free') },
  { code: 'rate_limit_exceeded', limit: ({ key }) => call(app, 'GET', '/account', { key }) },
  {
    code: 'insufficient_scope',
    param: 'scopes',
    spoil: (attempt) => {
      attempt.scopes = ['documents:read', 'recipients:read', 'imports:read'];
    },
  },
  {
    code: 'invalid_idempotency_key',
    spoil: (attempt) => {
      attempt.headers['idempotency-key'] = 'x'.repeat(256);
    },
  },
  {
    code: 'invalid_json',
    spoil: (attempt) => {
      attempt.raw = `${attempt.raw.slice(0, -1)},`;
    },
  },
];

const writes: Array<[name: string, path: string, raw: string, rule: ErrorCode, param?: string]> = [
  ['POST /documents', '/documents', '{"title":""}', 'invalid_title', 'title'],
  ['POST /documents/{id}/send', '/documents/x/send', '{}', 'document_not_found'],
  ['POST /imports', '/imports', '{"source":"x"}', 'invalid_source', 'source'],
];

async function attemptWith(present: Fault[], path: string, raw: string): Promise<Answer> {
  const limited = await createCompany(app, 'starter');
  const attempt: Attempt = {
    company: limited,
    scopes: ['documents:write', 'documents:send', 'imports:write'],
    path,
    raw,
    headers: {},
  };
  for (const fault of present) fault.spoil?.(attempt);
  const { key } = await limited.keyWith(attempt.scopes);
  // The budget is spent before the plan is removed, and the company is removed last, because spending needs both.
  for (const fault of present.toReversed()) await fault.limit?.(limited);
  return call(app, 'POST', attempt.path, { key, raw: attempt.raw, headers: attempt.headers });
}

describe('the order of checks:', () => {
  for (const [name, path, raw, rule, ruleParam] of writes) {
    const all: Fault[] = [...faults, { code: rule, ...(ruleParam === undefined ? {} : { param: ruleParam }) }];
    test.for(all.slice(0, -1).map((fault, i) => [fault.code, i] as const))(
      `${name}: %s before all that follows`,
      async ([, i]) => {
        const first = all[i] as Fault;
        for (const second of all.slice(i + 1)) {
          expectRefusal(await attemptWith([first, second], path, raw), first.code, first.param);
        }
      },
    );

    test(`${name}: the rules come last`, async () => {
      expectRefusal(await attemptWith([], path, raw), rule, ruleParam);
    });

    test(`${name}: with every fault at once the first answers`, async () => {
      expectRefusal(await attemptWith(all, path, raw), 'key_company_unavailable');
    });
  }

  test('an unknown route is told apart only after the budget, and before anything of the request', async () => {
    const bad = { raw: '{', headers: { 'idempotency-key': 'x'.repeat(256) } };
    const limited = await createCompany(app, 'starter');
    const { key } = await limited.keyWith([]);
    expectRefusal(await call(app, 'POST', '/nothing', { key, ...bad }), 'route_not_found');
    expectRefusal(await call(app, 'POST', '/nothing', { key, ...bad }), 'rate_limit_exceeded');
    await setPlan(app.db, limited.id, 'free');
    expectRefusal(await call(app, 'POST', '/nothing', { key, ...bad }), 'api_access_required');
    await app.db.transaction((tx) => removeAccount(app.world, tx, limited.id));
    expectRefusal(await call(app, 'POST', '/nothing', { key, ...bad }), 'key_company_unavailable');
    expectRefusal(await call(app, 'POST', '/nothing', { key: 'x', ...bad }), 'invalid_api_key');
    expectRefusal(await call(app, 'POST', '/nothing', bad), 'missing_authorization');
  });

  test('a bad key is refused before anything else of the request is looked at', async () => {
    const bad = { raw: '{', headers: { 'idempotency-key': 'x'.repeat(256) } };
    for (const path of ['/documents', '/documents/x/send', '/imports', '/nothing']) {
      expectRefusal(await call(app, 'POST', path, { key: 'svc_live_x', ...bad }), 'invalid_api_key');
    }
  });

  test('an oversized body comes after the idempotency key and before the rules', async () => {
    const { key } = company;
    const raw = `{"title":"${'x'.repeat(1_048_576)}"}`;
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    expectRefusal(await call(app, 'POST', '/documents', { key, raw, headers }), 'invalid_idempotency_key');
    expectRefusal(await call(app, 'POST', '/documents', { key, raw }), 'request_too_large');
    expectRefusal(await call(app, 'POST', '/documents/x/send', { key, raw }), 'request_too_large');
    const narrow = await company.keyWith([]);
    expectRefusal(await call(app, 'POST', '/documents', { key: narrow.key, raw }), 'insufficient_scope', 'scopes');
  });

  test('on a list: scope before parameters', async () => {
    const narrow = await company.keyWith([]);
    expectRefusal(await call(app, 'GET', '/documents?limit=0', { key: narrow.key }), 'insufficient_scope', 'scopes');
    expectRefusal(await call(app, 'GET', '/documents/x', { key: narrow.key }), 'insufficient_scope', 'scopes');
  });
});
