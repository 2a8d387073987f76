import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { errorOf } from '../../packages/client/src/errors.ts';
import { Countersign } from '../../packages/client/src/index.ts';
import { createRetries } from '../../packages/client/src/retry.ts';
import { execute } from '../cli/countersign.ts';
import type { Operation } from './driver.ts';
import { drivers } from './drivers.ts';
import {
  type Answer,
  answers,
  breaksOff,
  cutsOff,
  refuses,
  type ScriptedServer,
  scriptedServer,
  staysSilent,
} from './scripted-server.ts';

const aDocument = { object: 'document', id: '0198f3c2-5b7e-7c41-9d2a-6f1e8b0c4a35' };
const aDraft = { title: 'Lease', recipients: [{ name: 'Ada', email: 'ada@example.com' }] };

let server: ScriptedServer;
afterEach(() => server?.stop());

const quick = { apiKey: 'svc_live_x', retryBaseMs: 1 };

describe.each(drivers)('$name', (driver) => {
  afterAll(() => driver.stop());

  async function ask(script: Answer[], operation: Operation, given: unknown[], settings: object = {}) {
    server = await scriptedServer(...script);
    return driver.call({ baseUrl: server.baseUrl, ...quick, ...settings }, operation, ...given);
  }

  test.each([
    ['500', refuses(500, 'api_error', 'document_create_failed')],
    ['502', refuses(502, 'api_error', 'import_not_started')],
    ['a page of a gateway', answers(503, 'Bad gateway', { 'content-type': 'text/html' })],
    ['an earlier request that still runs', refuses(409, 'idempotency_error', 'idempotency_in_progress')],
    ['a burst that is used up', refuses(429, 'rate_limit_error', 'rate_limit_exceeded', { 'retry-after': '0' })],
    ['a connection that breaks', breaksOff],
    ['an answer that is cut off', cutsOff],
  ])('a write is repeated with the same key and body after %s', async (_name, failure) => {
    const { result } = await ask([failure, failure, answers(201, aDocument)], 'documents.create', [aDraft]);
    expect(result).toEqual(aDocument);
    expect(server.asked).toHaveLength(3);
    const [first, ...others] = server.asked;
    expect(first?.method).toBe('POST');
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(first?.body ?? '')).toEqual(aDraft);
    for (const { headers, body } of others) {
      expect([headers['idempotency-key'], body]).toEqual([first?.headers['idempotency-key'], first?.body]);
    }
  });

  test('each write has a key of its own, and a read has none', async () => {
    await ask([answers(200, aDocument)], 'documents.create', [aDraft]);
    const settings = { baseUrl: server.baseUrl, ...quick };
    await driver.call(settings, 'documents.create', aDraft);
    await driver.call(settings, 'documents.send', aDocument.id, { idempotencyKey: 'mine' });
    await driver.call(settings, 'documents.get', aDocument.id);
    const [first, second, third, fourth] = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(second).not.toBe(first);
    expect([third, fourth]).toEqual(['mine', undefined]);
  });

  test.each(['', '  '])('the empty key %j is refused, because the server takes it for none', async (idempotencyKey) => {
    const { error } = await ask([answers(201, aDocument)], 'documents.create', [aDraft, { idempotencyKey }]);
    expect(error?.class).toMatch(/^(TypeError|ValueError)$/);
    expect(error?.message).toMatch(/is empty. Leave it out, or give 1 to 255 characters./);
    expect(server.asked).toEqual([]);
  });

  test.each(['a\nb', 'a\r\n b', 'a\n', 'a\u0000b', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\ud83d'])(
    'the key %j with a control character or half a character is refused before anything is sent',
    async (idempotencyKey) => {
      const { error } = await ask([answers(201, aDocument)], 'documents.create', [aDraft, { idempotencyKey }]);
      expect(error?.class).toMatch(/^(TypeError|ValueError)$/);
      expect(error?.message).toMatch(/has a control character, such as a line break/);
      expect(server.asked).toEqual([]);
    },
  );

  test.each(['Bestellung-€', 'Pão é 🖊'])('the key %j is sent as UTF-8', async (idempotencyKey) => {
    const { error } = await ask([answers(400, {})], 'documents.create', [aDraft, { idempotencyKey }]);
    expect(error?.idempotencyKey).toBe(idempotencyKey);
    const [sent] = server.asked.map(({ headers }) => Buffer.from(String(headers['idempotency-key']), 'latin1'));
    expect(sent?.toString()).toBe(idempotencyKey);
  });

  const reads: [Operation, unknown[]][] = [
    ['account', []],
    ['documents.page', [{}]],
    ['documents.get', ['x']],
    ['documents.recipients', ['x']],
    ['documents.pdf', ['x']],
    ['imports.list', [{}]],
    ['imports.get', ['x']],
    ['imports.items', ['x']],
  ];

  test.each([{ ok: true }, null, 7, [], { object: 'list', data: {} }])(
    'an answer of another service, %j, is an error of the client',
    async (body) => {
      server = await scriptedServer(answers(200, body));
      for (const [operation, given] of reads) {
        const { error } = await driver.call({ baseUrl: server.baseUrl, ...quick }, operation, ...given);
        expect(error, operation).toMatchObject({
          class: 'CountersignError',
          message: expect.stringMatching(/^The answer is not one of the API\. Check base_?[uU]rl\.$/),
        });
      }
      expect(server.asked).toHaveLength(reads.length);
    },
  );

  const runsStill = refuses(409, 'idempotency_error', 'idempotency_in_progress');
  const gatewayGaveUp = answers(504, 'Gateway time-out', { 'content-type': 'text/html' });

  test('a write that a gateway cut off waits for its first request, longer than there are retries', async () => {
    const script = [gatewayGaveUp, ...Array(6).fill(runsStill), answers(201, aDocument)];
    const { result } = await ask(script, 'imports.start', [{ source: 'esign_vendor' }], { retriesMax: 1 });
    expect(result).toMatchObject(aDocument);
    expect(server.asked).toHaveLength(8);
    expect(new Set(server.asked.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
  });

  test('waiting for an earlier request uses up no retries, and other failures still do', async () => {
    const failure = refuses(500, 'api_error', 'internal_error');
    const script = [runsStill, failure, runsStill, failure, runsStill, failure, answers(201, aDocument)];
    const options = { idempotencyKey: 'mine' };
    const { error } = await ask(script, 'documents.create', [aDraft, options], { retriesMax: 2 });
    expect(error).toMatchObject({ class: 'ServerError', code: 'internal_error', idempotencyKey: 'mine' });
    expect(server.asked).toHaveLength(6);
  });

  test('waiting ends, and the error has the key to repeat the request with', async () => {
    const { error } = await ask([runsStill], 'documents.create', [aDraft], { inProgressWaitMaxMs: 30 });
    expect(error).toMatchObject({ class: 'IdempotencyError', code: 'idempotency_in_progress' });
    expect(server.asked.length).toBeGreaterThan(1);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([error?.idempotencyKey]));
  });

  test.each([{ retriesMax: 0 }, { inProgressWaitMaxMs: 0 }])(
    'with %j, an earlier request that still runs is not waited for',
    async (settings) => {
      const { error } = await ask([runsStill], 'documents.send', ['x', { idempotencyKey: 'mine' }], settings);
      expect(error).toMatchObject({ code: 'idempotency_in_progress', idempotencyKey: 'mine' });
      expect(server.asked).toHaveLength(1);
    },
  );

  test.each<[string, Answer]>([
    ['a refusal', refuses(400, 'validation_error', 'invalid_title')],
    ['a failure', gatewayGaveUp],
    ['a broken connection', breaksOff],
    ['an answer that is not JSON', (response) => void response.writeHead(200).end('<html>')],
    ['an answer of another service', answers(200, { ok: true })],
    ['a redirect', answers(308, {}, { location: 'http://127.0.0.1:1/' })],
  ])('the error of a write has its key, and that of a read has none: %s', async (_name, answer) => {
    const settings = { retriesMax: 0 };
    const { error } = await ask([answer], 'documents.create', [aDraft], settings);
    expect(error?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(error?.idempotencyKey).toBe(server.asked[0]?.headers['idempotency-key']);
    const read = await driver.call({ baseUrl: server.baseUrl, ...quick, ...settings }, 'documents.get', 'x');
    expect(read.error?.idempotencyKey).toBeNull();
  });

  const tooMany = refuses(429, 'rate_limit_error', 'rate_limit_exceeded', { 'retry-after': '3600' });
  test.each<[string, boolean, Answer[]]>([
    ['a refusal', false, [refuses(400, 'validation_error', 'invalid_title')]],
    ['a key that was used for another write', false, [refuses(409, 'idempotency_error', 'idempotency_key_reused')]],
    ['a burst that is used up', false, [tooMany]],
    ['a failure of the server', true, [refuses(500, 'api_error', 'internal_error', { 'retry-after': '3600' })]],
    ['a page of a gateway', true, [gatewayGaveUp]],
    ['an error of a gateway', true, [refuses(504, 'gateway_timeout', 'upstream', { 'retry-after': '3600' })]],
    ['an earlier request that still runs', true, [runsStill]],
    ['a broken connection', true, [breaksOff]],
    ['an answer that is cut off', true, [cutsOff]],
    ['an answer that is not JSON', true, [(response) => void response.writeHead(200).end('<html>')]],
    ['a burst that is used up, after a broken connection', true, [breaksOff, tooMany]],
    ['a key that was revoked, after a failure', true, [gatewayGaveUp, refuses(401, 'authentication_error', 'revoked')]],
  ])('whether a failed write may have succeeded: %s: %s', async (_name, isOutcomeUnknown, script) => {
    const settings = { retriesMax: 1, inProgressWaitMaxMs: 0 };
    const { error } = await ask(script, 'documents.create', [aDraft], settings);
    expect(error?.isOutcomeUnknown).toBe(isOutcomeUnknown);
    const read = await driver.call({ baseUrl: server.baseUrl, ...quick, retriesMax: 0 }, 'documents.get', 'x');
    expect(read.error?.isOutcomeUnknown).toBe(false);
  });

  test.each([
    [400, 'validation_error', 'invalid_title', 'ValidationError'],
    [401, 'authentication_error', 'invalid_api_key', 'AuthenticationError'],
    [403, 'permission_error', 'insufficient_scope', 'PermissionError'],
    [404, 'not_found', 'document_not_found', 'NotFoundError'],
    [409, 'idempotency_error', 'idempotency_key_reused', 'IdempotencyError'],
    [409, 'idempotency_error', 'import_already_running', 'IdempotencyError'],
  ])('%d %s (%s) is not repeated', async (status, type, code, name) => {
    const { error } = await ask([refuses(status, type, code)], 'documents.create', [aDraft]);
    expect(error).toMatchObject({ class: name, status, type, code, param: null, requestId: 'req_1', message: 'No.' });
    expect(server.asked).toHaveLength(1);
  });

  test('retries end, and the last failure is thrown', async () => {
    const failure = refuses(500, 'api_error', 'internal_error');
    const { error } = await ask([failure], 'documents.get', [aDocument.id], { retriesMax: 2 });
    expect(error).toMatchObject({ class: 'ServerError', status: 500, code: 'internal_error' });
    expect(server.asked).toHaveLength(3);
  });

  test('Retry-After is waited for', async () => {
    const failure = refuses(429, 'rate_limit_error', 'rate_limit_exceeded', { 'retry-after': '1' });
    const { result } = await ask([failure, answers(200, aDocument)], 'documents.get', [aDocument.id]);
    expect(result).toEqual(aDocument);
    const [first, second] = server.asked.map(({ at }) => at);
    expect((second as number) - (first as number)).toBeGreaterThan(990);
  });

  test('the error of a download says what the server said', async () => {
    server = await scriptedServer(
      (response) => {
        const url = `${server.baseUrl}/files/x`;
        answers(200, { object: 'download', url, sha256: '' })(response);
      },
      refuses(404, 'not_found', 'download_expired'),
    );
    const { error } = await driver.call({ baseUrl: server.baseUrl, ...quick }, 'documents.pdf', 'x');
    expect(error).toMatchObject({ class: 'NotFoundError', code: 'download_expired', requestId: 'req_1' });
  });

  test('a PDF that takes longer than the time-out arrives while the server sends', async () => {
    const pdf = Buffer.alloc(600_000, '%PDF');
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    const trickles: Answer = async (response) => {
      response.writeHead(200, { 'content-length': pdf.length });
      for (let at = 0; at < pdf.length; at += 100_000) {
        response.write(pdf.subarray(at, at + 100_000));
        await pause(1000);
      }
      response.end();
    };
    server = await scriptedServer((response) => {
      answers(200, { object: 'document_download', url: `${server.baseUrl}/files/x`, sha256 })(response);
    }, trickles);
    const settings = { baseUrl: server.baseUrl, ...quick, timeoutMs: 4500, retriesMax: 0 };
    expect(await driver.call(settings, 'documents.pdf', 'x')).toEqual({ result: pdf.length });
  });

  test('a Retry-After that is longer than the longest wait time is thrown at once', async () => {
    const failure = refuses(429, 'rate_limit_error', 'rate_limit_exceeded', { 'retry-after': '3600' });
    const { error } = await ask([failure], 'documents.get', [aDocument.id]);
    expect(error).toMatchObject({ class: 'RateLimitError', retryAfterSeconds: 3600 });
    expect(server.asked).toHaveLength(1);
  });

  test('an unknown code is its type, and an unknown type is an ApiError', async () => {
    const known = await ask([refuses(400, 'validation_error', 'invalid_moon_phase')], 'documents.get', ['x']);
    expect(known.error).toMatchObject({ class: 'ValidationError', code: 'invalid_moon_phase' });
    await server.stop();
    const unknown = await ask([refuses(418, 'teapot_error', 'short')], 'documents.get', ['x']);
    expect(unknown.error).toMatchObject({ class: 'ApiError', type: 'teapot_error', status: 418 });
    await server.stop();
    const page = await ask([answers(502, 'x')], 'documents.get', ['x'], { retriesMax: 0 });
    expect(page.error).toMatchObject({ class: 'ServerError', type: 'api_error', code: 'api_error', status: 502 });
  });

  test('a write is repeated with the same key when the server is silent', async () => {
    const settings = { timeoutMs: 100, retriesMax: 50 };
    const { result } = await ask([staysSilent, answers(201, aDocument)], 'documents.create', [aDraft], settings);
    expect(result).toEqual(aDocument);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });

  test('silence ends with a TimeoutError', async () => {
    const { error } = await ask([staysSilent], 'documents.create', [aDraft], { timeoutMs: 50, retriesMax: 0 });
    expect(error?.class).toBe('TimeoutError');
  });

  // Wrappers pass on what they were given. JSON has no undefined, which Python has not either.
  const untold = driver.name === 'Python' ? null : undefined;

  test.each([[{}], [{ timeoutMs: untold }]])('an import has more time than other calls, given %j', async (options) => {
    const started = { object: 'import', source: 'cloud_files' };
    const late: Answer = (response) => void setTimeout(() => answers(201, started)(response), 300);
    const body = { source: 'cloud_files', files: [{ url: 'https://files.example/a.pdf' }] };
    const { result } = await ask([late], 'imports.start', [body, options], { timeoutMs: 50, retriesMax: 0 });
    expect(result).toEqual(started);
  });

  test('an import with a time-out of its own keeps it, and one of 0 is refused', async () => {
    const call = (timeoutMs: number) => ask([staysSilent], 'imports.start', [{}, { timeoutMs }], { retriesMax: 0 });
    expect((await call(50)).error?.class).toBe('TimeoutError');
    await server.stop();
    const { error } = await call(0);
    expect(error?.class).toMatch(/^(TypeError|ValueError)$/);
    expect(server.asked).toEqual([]);
  });

  test('a redirect is not followed, so that the key reaches no other host', async () => {
    const elsewhere = await scriptedServer(answers(200, aDocument));
    const moved = answers(308, {}, { location: `${elsewhere.baseUrl}/documents/x` });
    const { error } = await ask([moved], 'documents.get', ['x']);
    expect(error?.class).toBe('CountersignError');
    expect(error?.message).toContain(elsewhere.baseUrl);
    expect([server.asked.length, elsewhere.asked.length]).toEqual([1, 0]);
    await elsewhere.stop();
  });

  test('an answer that is not JSON is an error', async () => {
    const page: Answer = (response) => void response.writeHead(200).end('<html>');
    const { error } = await ask([page], 'documents.get', ['x']);
    expect(error?.class).toBe('CountersignError');
  });

  test('an import source that the client does not know is upload', async () => {
    const list = { object: 'list', data: [{ source: 'moon_base' }], has_more: false, next_cursor: null };
    const { result } = await ask(
      [answers(200, list), answers(200, { object: 'import', source: 'moon_base' })],
      'imports.list',
      [{}],
    );
    expect(result).toEqual([{ source: 'upload' }]);
    const one = await driver.call({ baseUrl: server.baseUrl, ...quick }, 'imports.get', 'x');
    expect(one.result).toEqual({ object: 'import', source: 'upload' });
  });

  test('a list goes on while has_more is true, even over an empty page', async () => {
    const page = (ids: string[], next: string | null) =>
      answers(200, { object: 'list', data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next });
    const script = [page(['a'], 'c1'), page([], 'c 2'), page(['b'], null)];
    const { result } = await ask(script, 'documents.list', [{ limit: 1, status: ['sent', 'completed'] }]);
    expect(result).toEqual([{ id: 'a' }, { id: 'b' }]);
    const queries = server.asked.map(({ url }) => Object.fromEntries(new URL(url, server.baseUrl).searchParams));
    const filter = { limit: '1', status: 'sent,completed' };
    expect(queries).toEqual([filter, { ...filter, starting_after: 'c1' }, { ...filter, starting_after: 'c 2' }]);
  });

  test.each(['', '.', '..'])('the id %j leads nowhere else', async (id) => {
    const { error } = await ask([answers(200, aDocument)], 'documents.get', [id]);
    expect(error?.class).toMatch(/^(TypeError|ValueError)$/);
    expect(server.asked).toHaveLength(0);
  });

  test('an id is escaped', async () => {
    await ask([answers(200, aDocument)], 'documents.get', ['a/../b?c#d é']);
    expect(server.asked[0]?.url).toBe('/api/v1/documents/a%2F..%2Fb%3Fc%23d%20%C3%A9');
  });

  test.each([
    { baseUrl: 'https://sign.example.com' },
    { baseUrl: 'ftp://sign.example.com/api/v1' },
    { apiKey: '' },
    { apiKey: 'svc_live_a\r\nx: y' },
    { timeoutMs: 0 },
    { retriesMax: -1 },
    { inProgressWaitMaxMs: -1 },
  ])('%j is refused', async (wrong) => {
    server = await scriptedServer(answers(200, {}));
    const { error } = await driver.call({ baseUrl: server.baseUrl, ...quick, ...wrong }, 'account');
    expect(error?.class).toMatch(/^(TypeError|ValueError)$/);
    expect(error?.message).not.toContain('svc_live_a');
    expect(server.asked).toHaveLength(0);
  });
});

test('a signal ends the wait for an earlier request with the same key', async () => {
  server = await scriptedServer(refuses(409, 'idempotency_error', 'idempotency_in_progress'));
  const controller = new AbortController();
  const client = new Countersign({ baseUrl: server.baseUrl, ...quick });
  const call = client.documents.send('x', { idempotencyKey: 'mine', signal: controller.signal });
  await expect.poll(() => server.asked.length).toBeGreaterThan(5);
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});

test('a signal ends a call while it waits for the server, and while it waits for a retry', async () => {
  server = await scriptedServer(staysSilent);
  const client = new Countersign({ baseUrl: server.baseUrl, apiKey: 'svc_live_x' });
  const controller = new AbortController();
  const call = client.documents.get('x', { signal: controller.signal });
  await expect.poll(() => server.asked.length).toBe(1);
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await expect(client.documents.get('x', { signal: controller.signal })).rejects.toThrow('enough');

  await server.stop();
  server = await scriptedServer(refuses(500, 'api_error', 'internal_error'));
  const waiting = new AbortController();
  const answered = Promise.withResolvers<void>();
  const other = new Countersign({
    baseUrl: server.baseUrl,
    apiKey: 'svc_live_x',
    retryBaseMs: 60_000,
    onAnswer: () => answered.resolve(),
  });
  const retried = other.account({ signal: waiting.signal });
  await answered.promise;
  waiting.abort(new Error('too long'));
  await expect(retried).rejects.toThrow('too long');
});

test('onAnswer sees every attempt, and the client does not show its key', async () => {
  const limits = { 'x-request-id': 'req_2', 'x-ratelimit-remaining-burst': '7', 'x-ratelimit-remaining-daily': '90' };
  server = await scriptedServer(
    refuses(500, 'api_error', 'internal_error'),
    answers(201, aDocument, { ...limits, 'idempotent-replayed': 'true' }),
  );
  const seen: unknown[] = [];
  const client = new Countersign({ ...quick, baseUrl: server.baseUrl, onAnswer: (answer) => seen.push(answer) });
  await client.documents.send('x');
  expect(seen).toMatchObject([
    { method: 'POST', path: '/documents/x/send', attempt: 1, status: 500, isReplayed: false },
    { attempt: 2, status: 201, requestId: 'req_2', isReplayed: true, remaining: { burst: 7, daily: 90 } },
  ]);
  expect(JSON.stringify(client)).not.toContain('svc_live_x');
});

/** The waits of each client after failures that all name the same `Retry-After`, of 2 seconds. */
const waits = {
  typescript: async () => {
    const settings = { retryBaseMs: 500, retryDelayMaxMs: 5000, inProgressWaitMaxMs: 0 };
    const nextDelayMs = createRetries(settings, 5);
    const error = errorOf(new Response(null, { status: 503, headers: { 'retry-after': '2' } }), undefined);
    return [1, 2, 3, 4, 5].map(() => (nextDelayMs(error) as number) / 1000);
  },
  python: async () => {
    const script = `
from countersign.errors import error_of
from countersign.retries import Retries, RetrySettings
retries = Retries(RetrySettings(5, 0.5, 5, 0))
print([retries.next_delay(error_of(503, {"Retry-After": "2"}, None)) for _ in range(5)])`;
    const env = { PATH: process.env.PATH ?? '', PYTHONPATH: resolve('packages/client-python') };
    const { stdout } = await execute('python3', ['-c', script], env, '.');
    return JSON.parse(stdout.toString()) as number[];
  },
};

test.each(Object.entries(waits))('waits grow after the same Retry-After, and differ: %s', async (_name, waitsOf) => {
  const [first, other] = [await waitsOf(), await waitsOf()];
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = first;
  expect(one).toBeGreaterThan(2);
  expect(two).toBeGreaterThanOrEqual(one);
  expect(three).toBeGreaterThan(two);
  expect(four).toBeGreaterThan(three);
  // The part of its own is 5 at most.
  expect(five).toBeLessThanOrEqual(7);
  expect(other[0]).not.toBe(one);
});

test('an error of onAnswer ends the call without a retry, and is thrown unchanged', async () => {
  server = await scriptedServer(answers(201, aDocument));
  const own = new Error('my log is full');
  const onAnswer = () => {
    throw own;
  };
  const client = new Countersign({ ...quick, baseUrl: server.baseUrl, onAnswer });
  await expect(client.documents.create(aDraft)).rejects.toBe(own);
  expect(server.asked).toHaveLength(1);
});

test.each([{ timeoutMs: 0 }, { timeoutMs: Number.POSITIVE_INFINITY }, { timeoutMs: Number.NaN }, { retriesMax: -1 }])(
  '%j is refused as an option of a call',
  async (wrong) => {
    server = await scriptedServer(answers(200, aDocument));
    const client = new Countersign({ ...quick, baseUrl: server.baseUrl });
    await expect(client.documents.get('x', wrong)).rejects.toThrow(TypeError);
    expect(server.asked).toHaveLength(0);
  },
);

test('a time-out that is too long for a timer does not end the call at once', async () => {
  server = await scriptedServer((response) => void setTimeout(() => answers(200, aDocument)(response), 100));
  const client = new Countersign({ ...quick, baseUrl: server.baseUrl, timeoutMs: 2 ** 31, retriesMax: 0 });
  expect(await client.documents.get('x')).toEqual(aDocument);
});
