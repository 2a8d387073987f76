import { expect, test } from 'vitest';
import { place } from './countersign.ts';

interface Entry {
  action: string;
  by: { kind: string };
  text: string;
}

test("a company's audit log is listed, narrowed, bounded and exported", async () => {
  const at = await place();
  const { id } = await at.json<{ id: string }>('account', 'create', '--name', 'Acme Ltd');
  const other = await at.json<{ id: string }>('account', 'create', '--name', 'Other');
  await at.json('account', 'set-plan', id, 'team');
  await at.json('account', 'set-plan', id, 'team');
  await at.json('account', 'add-credits', id, '7');
  await at.json('account', 'branding', id, '--accent', '#1d63d8');
  const list = (...options: string[]) => at.json<Entry[]>('account', 'audit', id, ...options);
  const actions = async (...options: string[]) => (await list(...options)).map(({ action }) => action);
  expect(await list()).toMatchObject([
    { action: 'brand_changed', by: { kind: 'operator' }, text: 'changed the branding: colour and sender, #1d63d8' },
    { action: 'credits_added', text: 'added credits: 7', detail: { amount: 7 } },
    { action: 'plan_changed', text: 'changed the plan: pro → team' },
  ]);
  expect(await actions('--action', 'plan_changed')).toEqual(['plan_changed']);
  expect(await actions('--person', 'OPERATOR', '--limit', '1')).toEqual(['brand_changed']);
  expect(await actions('--person', 'nobody@example.com')).toEqual([]);
  expect(await actions('--search', 'credits 7')).toEqual(['credits_added']);
  expect(await actions('--from', '2999-01-01T00:00:00Z')).toEqual([]);
  expect(await actions('--to', '1999-01-01T00:00:00+02:00')).toEqual([]);
  const csv = await at.run('account', 'audit', id, '--format', 'csv');
  expect(csv.stdout.toString().trimEnd().split('\r\n')).toHaveLength(4);
  const lines = await at.run('account', 'audit', id, '--format', 'json', '--action', 'credits_added');
  expect(JSON.parse(lines.stdout.toString())).toMatchObject({ text: 'added credits: 7' });
  expect((await at.run('account', 'audit', id)).stdout.toString()).toMatch(/Operator +changed the branding/);
  expect((await at.run('account', 'audit', other.id)).stdout.toString()).toBe('no entries\n');
  await at.json('account', 'remove', id);
  expect((await actions())[0]).toBe('account_removed');
  expect(await at.fails(1, 'account', 'audit', '01a1fb00-a7d3-7227-9385-744179ed3915')).toMatch(/no account/);
  expect(await at.fails(2, 'account', 'audit', id, '--action', 'lost')).toMatch(/key_created/);
  expect(await at.fails(2, 'account', 'audit', id, '--from', 'yesterday')).toMatch(/RFC 3339/);
  expect(await at.fails(2, 'account', 'audit', id, '--format', 'csv', '--json')).toMatch(/not both/);
});
