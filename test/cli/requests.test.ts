import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { createRequestLog } from '../../src/usage/request-log.ts';
import { place } from './countersign.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

test('the API requests of an account are listed, narrowed and bounded', async () => {
  const at = await place();
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme Ltd');
  const key = await at.json<{ id: string; hint: string }>(
    ...['key', 'create', '--account', id, '--mode', 'test', '--scopes', 'all', '--name', 'Nightly'],
  );
  const log = createLog('error');
  const db = openDatabase({ url: at.databaseUrl as string, connectionsMax: 1, log });
  onTestFinished(() => db.close());
  const newId = createNewId(systemClock, systemRandom);
  const requests = createRequestLog({ clock: systemClock, random: systemRandom, newId, log }, db, () => {});
  const common = { accountId: id, keyId: key.id, durationMs: 1.25, replayOf: null };
  const note = (requestId: string, method: string, url: string, status: number, code: string | null) =>
    requests.note({ ...common, requestId, method, url, status, code });
  note('req_1', 'POST', '/api/v1/documents', 201, null);
  await requests.flush();
  note('req_2', 'GET', '/api/v1/documents?limit=0', 400, 'invalid_limit');
  note('req_3', 'GET', '/api/v1/account', 200, null);
  await requests.flush();

  const list = (...options: string[]) => at.json<{ request_id: string }[]>(...['account', 'requests', id, ...options]);
  const found = async (...options: string[]) => (await list(...options)).map(({ request_id }) => request_id);
  const [newest] = await list();
  expect(newest).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    request_id: 'req_3',
    method: 'GET',
    path: '/account',
    status: 200,
    code: null,
    duration_ms: 1.25,
    replay_of: null,
    key: { hint: key.hint, name: 'Nightly' },
  });
  expect(await found()).toEqual(['req_3', 'req_2', 'req_1']);
  expect(await found('--limit', '2')).toEqual(['req_3', 'req_2']);
  expect(await found('--method', 'POST')).toEqual(['req_1']);
  expect(await found('--status', '4xx')).toEqual(['req_2']);
  expect(await found('--search', 'invalid_limit')).toEqual(['req_2']);
  expect(await found('--key', key.id, '--search', '/documents')).toEqual(['req_2', 'req_1']);
  expect(await found('--key', unknownId)).toEqual([]);
  const text = (await at.run('account', 'requests', id)).stdout.toString();
  expect(text).toMatch(/req_2 +GET +400 +invalid_limit/);
  expect(await at.fails(1, 'account', 'requests', unknownId)).toMatch(/no account/);
  expect(await at.fails(2, 'account', 'requests', id, '--status', '3xx')).toMatch(/2xx, 4xx, 5xx/);
});
