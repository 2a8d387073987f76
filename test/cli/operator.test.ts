import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test } from 'vitest';
import { type Place, place } from './countersign.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

async function sqlAt(at: Place, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: at.databaseUrl as string });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}

test('operators are members with a factor, who are added, listed and removed', async () => {
  const at = await place();
  const email = 'ada@service.example';
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme Ltd');
  expect(await at.fails(1, 'operator', 'add', '--email', email)).toMatch(/member of a company/);
  await at.json('user', 'create', '--account', id, '--email', email, '--role', 'member');
  expect(await at.fails(1, 'operator', 'add', '--email', email)).toMatch(/neither an authenticator nor a passkey/);
  await sqlAt(at, `update people set totp_secret = 'x', totp_confirmed_at = now() where email = $1`, [email]);
  const added = await at.json<{ person_id: string }>('operator', 'add', '--email', 'ADA@service.example');
  expect(added).toMatchObject({ email, added_at: expect.any(String) });
  await at.json('operator', 'add', '--email', email);
  const listed = await at.json<{ person_id: string }[]>('operator', 'list');
  expect(listed.map(({ person_id }) => person_id)).toEqual([added.person_id]);
  expect((await at.run('operator', 'list')).stdout.toString()).toMatch(/^PERSON_ID.*\n.*ada@service\.example\n$/);

  await at.json('account', 'set-plan', id, 'team');
  await at.json('account', 'set-plan', id, 'team');
  await at.json('account', 'add-credits', id, '25');
  await at.json('operator', 'remove', '--email', email);
  expect(await at.fails(1, 'operator', 'remove', '--email', email)).toMatch(/nobody with this e-mail address/);
  expect(await at.json('operator', 'list')).toEqual([]);
  const log = await at.json<{ action: string; is_command_line: boolean; about_email: string | null }[]>(
    'operator',
    'log',
  );
  expect(log.map(({ action }) => action)).toEqual([
    ...['operator_removed', 'credits_added', 'plan_changed', 'operator_added', 'operator_added'],
  ]);
  expect(log.every(({ is_command_line }) => is_command_line)).toBe(true);
  expect(log[0]?.about_email).toBe(email);
  expect((await at.run('operator', 'log', '--limit', '1')).stdout.toString()).toMatch(/command line/);
  expect(await at.json('operator', 'storage')).toMatchObject({ totals: null, companies: [] });
  for (const wrong of [['add'], ['add', '--email', 'x'], ['log', '--limit', '0']])
    await at.fails(2, 'operator', ...wrong);
});

test('failed jobs are listed, and retried once', async () => {
  const at = await place();
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme Ltd');
  expect((await at.json<{ queue: string }[]>('job', 'list')).length).toBeGreaterThan(10);
  const url = at.databaseUrl as string;
  const boss = new PgBoss({ connectionString: url, schema: 'jobs', migrate: false, supervise: false, max: 1 });
  boss.on('error', () => {});
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  const failOne = async (name: string, message: string): Promise<string> => {
    await boss.send(name, { name, accountId: id, memberId: unknownId, documentId: unknownId }, { retryLimit: 0 });
    const [job] = await boss.fetch<object>(name);
    await boss.fail(name, job?.id as string, new Error(message));
    return job?.id as string;
  };
  const older = await failOne('ask-owner', 'no answer for ada@example.com');
  const newer = await failOne('ask-owner', 'the disk is full');
  const other = await failOne('tell-of-export', 'the disk is full');

  type Row = { id: string; error: string; account_id: string };
  const list = async (...options: string[]) => (await at.json<Row[]>('job', 'list', '--failed', ...options)) as Row[];
  expect((await list()).map((job) => job.id)).toEqual([other, newer, older]);
  expect((await list('--limit', '1')).map((job) => job.id)).toEqual([other]);
  const found = await list('--queue', 'ask-owner');
  expect(found.map((job) => [job.id, job.error, job.account_id])).toEqual([
    [newer, 'the disk is full', id],
    [older, 'no answer for [address]', id],
  ]);
  expect((await at.run('job', 'list', '--failed')).stdout.toString()).not.toContain('ada@');

  expect(await at.json('job', 'retry', older)).toEqual({ retried: 1 });
  expect(await at.fails(1, 'job', 'retry', older)).toMatch(/no failed job/);
  expect(await at.json('job', 'retry', '--queue', 'ask-owner')).toEqual({ retried: 1 });
  expect(await at.json('job', 'retry', '--queue', 'ask-owner')).toEqual({ retried: 0 });
  expect((await list()).map((job) => job.id)).toEqual([other]);
  const states = await boss.findJobs<object>('ask-owner');
  expect(states.map(({ state }) => state)).toEqual(['retry', 'retry']);

  for (const wrong of [['retry'], ['retry', older, '--queue', 'ask-owner'], ['list', '--queue', 'constructor']]) {
    await at.fails(2, 'job', ...wrong);
  }
  for (const wrong of ['x', unknownId]) expect(await at.fails(1, 'job', 'retry', wrong)).toMatch(/no failed job/);
});
