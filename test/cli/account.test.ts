import { expect, test } from 'vitest';
import { audited } from './audited.ts';
import { type Place, place } from './countersign.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

interface Account {
  id: string;
  display_name: string;
  tier: string;
  created_at: string;
  removed_at: string | null;
  credits: number;
}

const create = (at: Place, ...args: string[]) => at.json<Account>('account', 'create', ...args);

test('an account has exactly the fields that are promised, whatever command shows it', async () => {
  const at = await place();
  const created = await create(at, '--name', 'Acme Ltd', '--plan', 'team');
  expect(created).toEqual({
    id: expect.stringMatching(uuid),
    display_name: 'Acme Ltd',
    tier: 'team',
    created_at: expect.stringMatching(timestamp),
    removed_at: null,
    credits: 1000,
  });
  const other = await create(at, '--name', 'Other');
  const shown = { ...created, credits_due: 1000, credit_entries: [] };
  expect(await at.json('account', 'show', created.id)).toEqual(shown);
  expect(await at.json('account', 'show', created.id.toUpperCase())).toEqual(shown);
  expect(await at.json('account', 'list')).toEqual([created, other]);
  expect(await at.json('account', 'set-plan', created.id, 'free')).toEqual({
    ...created,
    tier: 'free',
    credits: 0,
  });
  expect(await at.json('account', 'add-credits', created.id, '250')).toEqual({
    ...created,
    tier: 'free',
    credits: 250,
  });
});

test('document types are restricted, each once, and none again', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Acme Ltd');
  const restrict = (types: string) => at.json('account', 'restrict-types', id, '--types', types);
  expect(await restrict('check, w9,check')).toEqual({ id, restricted_types: ['w9', 'check'] });
  expect(await restrict('none')).toEqual({ id, restricted_types: [] });
  expect(await at.fails(2, 'account', 'restrict-types', id, '--types', 'w9,poem')).toMatch(/unknown: poem/);
  await at.fails(1, 'account', 'restrict-types', unknownId, '--types', 'w9');
  expect(await audited(at, id)).toEqual(['types_restricted', 'types_restricted']);
});

test('a plan that nobody named is one with the API', async () => {
  expect((await create(await place(), '--name', 'Newcomer')).tier).toBe('pro');
});

test('removing an account twice keeps the first time', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Gone');
  const removed = await at.json<Account>('account', 'remove', id);
  expect(removed.removed_at).toMatch(timestamp);
  expect(await at.json('account', 'remove', id)).toEqual(removed);
  expect(await at.json('account', 'list')).toEqual([removed]);
});

test('credits given by several at once all arrive', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Busy', '--plan', 'free');
  await Promise.all([1, 20, 300].map((amount) => at.json('account', 'add-credits', id, String(amount))));
  expect((await at.json<Account>('account', 'show', id)).credits).toBe(321);
});

test("what can be spent is shown with the plan's credits of the month", async () => {
  const at = await place();
  const created = await create(at, '--name', 'Acme', '--plan', 'pro');
  expect(created.credits).toBe(200);
  expect((await at.json<Account>('account', 'add-credits', created.id, '5')).credits).toBe(205);
  const upgraded = await at.json<Account>('account', 'set-plan', created.id, 'team');
  expect(upgraded.credits).toBe(1005);
  expect(await at.json('account', 'list')).toEqual([upgraded]);
  expect(await at.json('account', 'show', created.id)).toMatchObject({ credits: 1005, credits_due: 1000 });
});

test('the ledger says what was added, newest first', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Ledger', '--plan', 'free');
  for (const amount of ['5', '7']) await at.json('account', 'add-credits', id, amount);
  const entry = { reason: 'added by the operator', document_id: null, created_at: expect.stringMatching(timestamp) };
  expect(await at.json('account', 'show', id)).toMatchObject({
    credits: 12,
    credits_due: 0,
    credit_entries: [
      { amount: 7, balance: 12, ...entry },
      { amount: 5, balance: 5, ...entry },
    ],
  });
  expect((await at.run('account', 'show', id)).stdout.toString()).toMatch(/AMOUNT +BALANCE.*\n7 +12 /);
});

test('a name is kept as it was given', async () => {
  const at = await place();
  for (const name of ['🦉'.repeat(200), "'; drop table accounts; --", '日本 \u202egpj.exe']) {
    expect((await create(at, '--name', name)).display_name).toBe(name);
  }
});

test('a value that can never be right is wrong usage', async () => {
  const at = await place();
  expect(await at.fails(2, 'account', 'create')).toMatch(/--name/);
  expect(await at.fails(2, 'account', 'create', '--name', 'x'.repeat(100_000))).toMatch(/1 to 200 characters/);
  expect(await at.fails(2, 'account', 'create', '--name', 'x', '--plan', 'gold')).toMatch(/free, starter, pro/);
  expect(await at.fails(2, 'account', 'set-plan', unknownId, 'toString')).toMatch(/free, starter, pro/);
  expect(await at.fails(2, 'account', 'add-credits', unknownId, '1e3')).toMatch(/whole number/);
  await at.fails(2, 'account', 'add-credits', unknownId, '-5');
  await at.fails(2, 'account', 'add-credits', unknownId);
});

test('an id that leads nowhere is refused, whatever it looks like', async () => {
  const at = await place();
  for (const id of [unknownId, '', "' or 1=1 --", `${unknownId}\n`, 'é'.repeat(50_000), '\u001b[2J']) {
    expect(await at.fails(1, 'account', 'show', id)).toMatch(/^there is no account with the id/);
  }
  await at.fails(1, 'account', 'set-plan', unknownId, 'pro');
  await at.fails(1, 'account', 'remove', unknownId);
  await at.fails(1, 'account', 'add-credits', unknownId, '5');
});

test('a balance too large to be kept exactly is refused', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Rich');
  const most = String(Number.MAX_SAFE_INTEGER);
  await at.json('account', 'add-credits', id, most);
  expect(await at.fails(1, 'account', 'add-credits', id, most)).toMatch(/too large/);
  expect((await at.json<Account>('account', 'show', id)).credits).toBe(Number.MAX_SAFE_INTEGER);
});

test('people read a table and a card in which a hostile name does nothing to the terminal', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Evil\u001b[2J\u202eLtd\nand\u009b31m');
  const list = (await at.run('account', 'list')).stdout.toString();
  const card = (await at.run('account', 'show', id)).stdout.toString();
  for (const text of [list, card]) {
    expect(text).toContain('Evil\\u{1b}[2J\\u{202e}Ltd\\nand\\u{9b}31m');
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  }
  expect(list.split('\n')[0]).toMatch(/^ID +TIER +CREATED_AT +REMOVED_AT +CREDITS +DISPLAY_NAME$/);
});

test('no accounts are an empty array, and words for people', async () => {
  const at = await place();
  expect(await at.json('account', 'list')).toEqual([]);
  expect((await at.run('account', 'list')).stdout.toString()).toBe('no accounts\n');
});

test('the sites that may show signing pages are set, and shown', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Acme Ltd');
  const embedding = (...args: string[]) => at.json('account', 'embedding', id, ...args);
  expect(await embedding()).toEqual({ id, embed_origins: [] });
  const listed = { id, embed_origins: ['https://app.example.com', 'http://localhost:5173'] };
  const sites = 'https://app.example.com, http://localhost:5173,https://APP.example.com/';
  expect(await embedding('--sites', sites)).toEqual(listed);
  expect(await embedding()).toEqual(listed);
  for (const given of ['*', 'http://app.example.com', 'https://app.example.com/path', 'https://a.example;x']) {
    expect(await at.fails(2, 'account', 'embedding', id, '--sites', given)).toContain('--sites must have');
  }
  const many = Array.from({ length: 21 }, (_, number) => `https://app${number}.example.com`).join(',');
  expect(await at.fails(2, 'account', 'embedding', id, '--sites', many)).toContain('at most 20');
  expect(await embedding()).toEqual(listed);
  expect(await embedding('--sites', '')).toEqual({ id, embed_origins: [] });
  expect(await audited(at, id)).toEqual(Array(2).fill('embed_origins_set'));
  await at.fails(1, 'account', 'embedding', unknownId);
});

test('what recipients agree to and what sealed PDFs show is set in parts, and shown', async () => {
  const at = await place();
  const { id } = await create(at, '--name', 'Acme Ltd');
  const signing = (...args: string[]) => at.json('account', 'signing', id, ...args);
  const unset = {
    id,
    asks_consent: false,
    copies_contact: null,
    copies_cost: null,
    prints_document_id: false,
    allows_delegation: false,
    allows_comments: true,
    masks_contacts: false,
    shows_devices: false,
  };
  expect(await signing()).toEqual(unset);
  const asked = { ...unset, asks_consent: true, copies_contact: 'records@acme.example', copies_cost: '$5 a page' };
  expect(
    await signing('--ask-consent', 'on', '--copies-contact', ' records@acme.example ', '--copies-cost', '$5 a page'),
  ).toEqual(asked);
  expect(await signing('--print-id', 'on')).toEqual({ ...asked, prints_document_id: true });
  expect(await signing('--delegation', 'on')).toMatchObject({ prints_document_id: true, allows_delegation: true });
  expect(await signing('--contacts', 'masked', '--devices', 'shown')).toMatchObject({
    masks_contacts: true,
    shows_devices: true,
  });
  await signing('--contacts', 'full', '--devices', 'hidden');
  expect(await signing('--delegation', 'off')).toEqual({ ...asked, prints_document_id: true });
  expect(await signing('--comments', 'off')).toEqual({ ...asked, prints_document_id: true, allows_comments: false });
  expect(await signing('--comments', 'on')).toEqual({ ...asked, prints_document_id: true });
  expect(
    await signing('--ask-consent', 'off', '--copies-contact', '', '--copies-cost', '', '--print-id', 'off'),
  ).toEqual(unset);
  expect(await audited(at, id)).toEqual(Array(9).fill('signing_settings_set'));
  for (const given of ['x'.repeat(201), 'a\nb', 'a\u202eb', '\u200d']) {
    expect(await at.fails(2, 'account', 'signing', id, '--copies-cost', given)).toContain('--copies-cost must be');
  }
  await at.fails(2, 'account', 'signing', id, '--ask-consent', 'yes');
  await at.fails(2, 'account', 'signing', id, '--delegation', 'yes');
  await at.fails(2, 'account', 'signing', id, '--comments', 'yes');
  await at.fails(1, 'account', 'signing', unknownId);
  await at.json('account', 'remove', id);
  await at.fails(1, 'account', 'signing', id, '--print-id', 'on');
  expect(await signing()).toEqual(unset);
});
