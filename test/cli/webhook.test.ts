import { expect, test } from 'vitest';
import { execute as sql } from '../support/embedded.ts';
import { audited } from './audited.ts';
import { type Place, place } from './countersign.ts';

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';
const allEvents = [
  'document.sent',
  'document.viewed',
  'document.signed',
  'document.completed',
  'document.declined',
  'document.voided',
];
/** An address that needs no DNS lookup. */
const url = 'https://93.184.216.34/hook';

interface Endpoint {
  id: string;
  url: string;
  events: string[];
  created_at: string;
  paused_at: string | null;
  paused_by: string | null;
  failing_since: string | null;
  secret?: string;
}

async function company(at: Place, tier = 'team'): Promise<string> {
  return (await at.json<{ id: string }>('account', 'create', '--name', 'Acme', '--plan', tier)).id;
}

const create = (account: string, address = url, events = 'all') => [
  ...['webhook', 'create', '--account', account],
  ...['--url', address, '--events', events],
];

const list = (at: Place, account: string) => at.json<Endpoint[]>('webhook', 'list', '--account', account);

test('an endpoint has the fields that are promised, and its secret is shown once, at creation', async () => {
  const at = await place();
  const account = await company(at);
  const { secret, ...endpoint } = await at.json<Endpoint>(...create(account));
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url,
    events: allEvents,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    paused_at: null,
    paused_by: null,
    failing_since: null,
    rate_limit: null,
    payload_version: 1,
  });
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  expect(await list(at, account)).toEqual([endpoint]);
  expect(await at.json('webhook', 'remove', endpoint.id)).toEqual(endpoint);
  expect(await list(at, account)).toEqual([]);

  const [row] = (await sql(at.databaseUrl as string, 'select secret from webhook_endpoints')) as [{ secret: Buffer }];
  expect(row.secret.toString('latin1')).not.toContain(secret as string);
});

test('events are those asked for, in the order of the documentation and each once', async () => {
  const at = await place();
  const account = await company(at);
  const events = 'document.completed, document.sent,document.completed';
  expect((await at.json<Endpoint>(...create(account, url, events))).events).toEqual([
    'document.sent',
    'document.completed',
  ]);
});

test('an unknown event is wrong usage and named, as is what is missing', async () => {
  const at = await place();
  const unknown = create(unknownId, url, 'document.sent,document.sealed,all');
  expect(await at.fails(2, ...unknown)).toMatch(
    /--events must be all or a comma-separated list of .*; unknown: "document\.sealed", "all"$/,
  );
  expect(await at.fails(2, ...create(unknownId, url, ''))).toMatch(/unknown: ""$/);
  expect(await at.fails(2, 'webhook', 'create', '--account', unknownId, '--url', url)).toMatch(/--events/);
  expect(await at.fails(2, 'webhook', 'create', '--account', unknownId, '--events', 'all')).toMatch(/--url/);
  expect(await at.fails(2, 'webhook', 'list')).toMatch(/--account/);
  expect(await at.fails(2, 'webhook', 'deliveries', unknownId, '--status', 'lost')).toMatch(/pending, delivered, dead/);
  expect(await at.fails(2, 'webhook', 'deliveries', unknownId, '--limit', '0')).toMatch(/whole number/);
  expect(await at.fails(2, 'webhook', 'redeliver-failed', unknownId)).toMatch(/--since/);
  expect(await at.fails(2, 'webhook', 'redeliver-failed', unknownId, '--since', 'monday')).toMatch(/RFC 3339/);
  expect(await at.fails(2, 'webhook', 'test', unknownId, '--event', 'document.lost')).toMatch(/--event must be one of/);
});

test('endpoints need the Team plan; after a downgrade those there are go on and can be managed, on record', async () => {
  const at = await place();
  for (const tier of ['free', 'starter', 'pro']) {
    expect(await at.fails(1, ...create(await company(at, tier)))).toMatch(/need the Team plan or above/);
  }
  const account = await company(at, 'enterprise');
  const { secret, ...endpoint } = await at.json<Endpoint>(...create(account));
  await at.json('account', 'set-plan', account, 'pro');
  expect(await at.fails(1, ...create(account))).toMatch(/need the Team plan or above/);
  expect(await list(at, account)).toEqual([endpoint]);
  const events = ['document.sent', 'document.completed'];
  expect(await at.json('webhook', 'choose-events', endpoint.id, '--events', events.toReversed().join())).toEqual({
    ...endpoint,
    events,
  });
  expect((await at.json<Endpoint>('webhook', 'roll', endpoint.id)).secret).not.toBe(secret);
  await at.json('webhook', 'roll', endpoint.id);
  expect(await at.fails(1, 'webhook', 'roll', endpoint.id)).toMatch(/3 secrets are valid already\. You can roll again/);
  const limit = (perSecond: string) => at.json('webhook', 'limit', endpoint.id, '--per-second', perSecond);
  expect(await limit('1000')).toMatchObject({ id: endpoint.id, rate_limit: 1000 });
  expect(await limit('none')).toMatchObject({ rate_limit: null });
  for (const bad of ['0', '1001', '2.5', 'many']) {
    expect(await at.fails(2, 'webhook', 'limit', endpoint.id, '--per-second', bad)).toMatch(/none or a whole number/);
  }
  const choose = ['webhook', 'choose-payload', endpoint.id, '--payload'];
  expect(await at.json(...choose, '2')).toMatchObject({ id: endpoint.id, payload_version: 2 });
  for (const bad of ['0', '3', '1.0', 'thin']) expect(await at.fails(2, ...choose, bad)).toMatch(/must be 1 or 2/);
  await at.json('webhook', 'pause', endpoint.id);
  await at.json('webhook', 'resume', endpoint.id);
  await at.json('webhook', 'remove', endpoint.id);
  expect(await list(at, account)).toEqual([]);
  expect(await audited(at, account)).toEqual([
    'webhook_added',
    'plan_changed',
    'webhook_events_chosen',
    'webhook_secret_rolled',
    'webhook_secret_rolled',
    'webhook_limited',
    'webhook_limited',
    'webhook_payload_chosen',
    'webhook_paused',
    'webhook_resumed',
    'webhook_removed',
  ]);
});

test('an account has ten endpoints at most, however many are made at once, and a removed one leaves its place', async () => {
  const at = await place();
  const account = await company(at);
  const endings = await Promise.all(Array.from({ length: 12 }, () => at.run(...create(account))));
  expect(endings.map(({ code }) => code).sort()).toEqual([...Array(10).fill(0), 1, 1]);
  const endpoints = await list(at, account);
  expect(endpoints).toHaveLength(10);
  expect(await at.fails(1, ...create(account))).toMatch(/has 10 webhook endpoints, the most there can be/);
  await at.json('webhook', 'remove', endpoints[4]?.id as string);
  await at.json(...create(account));
  expect(await list(at, account)).toHaveLength(10);
});

test.each([
  ['plain http', 'http://93.184.216.34/hook', 'must start with https://'],
  ['a private network', 'https://10.1.2.3/hook', 'must have a public host'],
])('%s is no address for an endpoint', async (_, address, reason) => {
  const at = await place();
  expect(await at.fails(1, ...create(await company(at), address))).toContain(`the URL ${reason}`);
});

test('a name that leads nowhere yet is accepted, with a remark beside the result', async () => {
  const at = await place();
  const account = await company(at);
  const { code, stdout, stderr } = await at.run(...create(account, 'https://hooks.countersign.invalid/'), '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout.toString()).url).toBe('https://hooks.countersign.invalid/');
  expect(stderr).toMatch(/^countersign: the name hooks\.countersign\.invalid [^\n]*\n/);
});

test('WEBHOOK_ALLOW_PRIVATE lets private and plain addresses in', async () => {
  const at = await place({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const account = await company(at);
  for (const address of ['http://127.0.0.1:8080/hook', 'http://localhost/hook']) {
    expect((await at.json<Endpoint>(...create(account, address))).url).toBe(address);
  }
});

test('pausing keeps the first time, resuming forgets it', async () => {
  const at = await place();
  const { secret: _, ...endpoint } = await at.json<Endpoint>(...create(await company(at)));
  const paused = await at.json<Endpoint>('webhook', 'pause', endpoint.id);
  expect(paused).toEqual({ ...endpoint, paused_at: expect.any(String), paused_by: 'operator' });
  expect(await at.json('webhook', 'pause', endpoint.id)).toEqual(paused);
  expect(await at.json('webhook', 'resume', endpoint.id)).toEqual(endpoint);
});

test('endpoints belong to an account that is there, and end with it', async () => {
  const at = await place();
  expect(await at.fails(1, ...create(unknownId))).toMatch(/no account/);
  expect(await at.fails(1, 'webhook', 'list', '--account', unknownId)).toMatch(/no account/);
  const account = await company(at);
  await at.json<Endpoint>(...create(account));
  await at.json('account', 'remove', account);
  expect(await at.fails(1, ...create(account))).toMatch(/does not exist or was removed/);
  expect(await list(at, account)).toEqual([]);
});

test('an id that leads nowhere is refused by every verb, as is a removed endpoint', async () => {
  const at = await place();
  const { id } = await at.json<Endpoint>(...create(await company(at)));
  await at.json('webhook', 'remove', id);
  const optionsOf: Record<string, string[]> = {
    'redeliver-failed': ['--since', '2020-01-01T00:00:00Z'],
    'choose-events': ['--events', 'all'],
    limit: ['--per-second', '5'],
  };
  for (const verb of [
    'remove',
    'pause',
    'resume',
    'choose-events',
    'roll',
    'redeliver-failed',
    'redeliver-matching',
    'attempts',
    'limit',
    'test',
  ]) {
    const rest = optionsOf[verb] ?? [];
    expect(await at.fails(1, 'webhook', verb, unknownId, ...rest)).toMatch(/^there is no webhook endpoint with the id/);
    expect(await at.fails(1, 'webhook', verb, id, ...rest)).toMatch(/^there is no webhook endpoint with the id/);
  }
  expect(await at.fails(1, 'webhook', 'deliveries', unknownId)).toMatch(/^there is no webhook endpoint with the id/);
  expect(await at.fails(1, 'webhook', 'redeliver', "'")).toMatch(/^there is no delivery with the id "'"$/);
});

test('people are told to keep the secret, how long the old one holds, and which endpoint is in trouble', async () => {
  const at = await place();
  const account = await company(at);
  const created = (await at.run(...create(account, url, 'document.sent'))).stdout.toString();
  expect(created).toMatch(
    /^id +\S{36}\nurl +https:.*\nevents +document\.sent\nstate +active\ncreated_at +\S+\nsecret +whsec_/,
  );
  expect(created).toMatch(/\n\nKeep the secret now: it is not shown again\.\n$/);
  const id = /^id +(\S+)/.exec(created)?.[1] as string;
  expect((await at.run('webhook', 'roll', id)).stdout.toString()).toMatch(
    /For 24 hours each delivery also\ncarries a signature made with the old secret/,
  );

  const shown = async () => (await at.run('webhook', 'list', '--account', account)).stdout.toString();
  expect(await shown()).toMatch(/^ID +CREATED_AT +EVENTS +STATE +URL\n.* document\.sent +active +https:\S+\n$/);
  await sql(
    at.databaseUrl as string,
    `update webhook_endpoints set failing_since = '2026-01-01', last_failed_at = '2026-01-05'`,
  );
  expect(await shown()).toMatch(/ failing since 2026-01-01T00:00:00\.000Z +https:/);
  await sql(at.databaseUrl as string, `update webhook_endpoints set paused_at = '2026-01-06', paused_by = 'failures'`);
  expect(await shown()).toMatch(/ paused 2026-01-06T00:00:00\.000Z: it failed for days +https:/);
  expect((await at.run('webhook', 'remove', id)).stdout.toString()).toBe(
    `removed: nothing more is delivered to ${url}\n`,
  );
  expect(await shown()).toBe('no webhook endpoints\n');
});

test('a secret key that is made for the occasion is remarked on: the service may have another', async () => {
  const at = await place();
  const account = await company(at);
  expect((await at.run(...create(account))).stderr).toMatch(
    /^countersign: made a new secret key in \S+: unless the service/,
  );
  expect((await at.run(...create(account))).stderr).toBe('');
});
