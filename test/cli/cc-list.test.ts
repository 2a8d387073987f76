import { expect, test } from 'vitest';
import { papers } from './documents.ts';

test('a cc list is created, listed, changed and removed', async () => {
  const at = await papers();
  const account = ['--account', at.accountId];
  const people = ['--person', 'Ada Lovelace <ada@example.com>', '--person', 'ben@example.com'];
  const made = await at.json<{ id: string }>('cc-list', 'create', ' Legal ', ...account, ...people, '--default');
  expect(made).toMatchObject({
    account_id: at.accountId,
    name: 'Legal',
    is_default: true,
    people: [
      { name: 'Ada Lovelace', email: 'ada@example.com' },
      { name: 'ben@example.com', email: 'ben@example.com' },
    ],
  });
  const { id } = made;
  expect(await at.json('cc-list', 'list', ...account)).toEqual([made]);
  expect(await at.json('cc-list', 'change', id, '--default', 'off')).toMatchObject({
    name: 'Legal',
    is_default: false,
  });
  const changed = ['change', id, '--name', 'Board', '--person', 'Grace <grace@example.com>'];
  expect(await at.json('cc-list', ...changed)).toMatchObject({
    name: 'Board',
    people: [{ name: 'Grace', email: 'grace@example.com' }],
  });
  expect(await at.json('cc-list', 'remove', id)).toMatchObject({ id });
  expect(await at.json('cc-list', 'list', ...account)).toEqual([]);
  expect(await at.fails(1, 'cc-list', 'change', id, '--name', 'Gone')).toContain('there is no cc list');
});

test('someone who is erased leaves all cc lists', async () => {
  const at = await papers();
  const account = ['--account', at.accountId];
  await at.json('cc-list', 'create', 'Legal', ...account, '--person', 'Ada@Example.com', '--person', 'ben@example.com');
  await at.json('cc-list', 'create', 'Board', ...account, '--person', 'ada@example.com');
  await at.json('recipient', 'erase', '--email', 'ada@example.com', '--files', 'keep', '--confirm');
  expect(await at.json('cc-list', 'list', ...account)).toMatchObject([
    { name: 'Board', people: [] },
    { name: 'Legal', people: [{ email: 'ben@example.com' }] },
  ]);
});

test('wrong input is explained', async () => {
  const at = await papers();
  const create = (...args: string[]) => ['cc-list', 'create', ...args, '--account', at.accountId];
  expect(await at.fails(2, ...create(' ', '--person', 'ada@example.com'))).toContain('1 to 80 visible characters');
  expect(await at.fails(2, ...create('Legal', '--person', 'Ada'))).toContain('write a person as');
  await at.json(...create('Legal', '--person', 'ada@example.com'));
  expect(await at.fails(1, ...create('LEGAL', '--person', 'ada@example.com'))).toContain('exists already');
});
