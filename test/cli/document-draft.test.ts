import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Papers, papers } from './documents.ts';

interface Shown {
  id: string;
  status: string;
  sent_mode: string | null;
  recipients: { status: string }[];
  deliveries: { kind: string }[];
}

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

async function write(at: Papers, name: string, content: unknown): Promise<string> {
  await writeFile(join(at.cwd, name), JSON.stringify(content));
  return name;
}

const titles = async (at: Papers, ...options: string[]) =>
  (await at.json<{ title: string }[]>('document', 'list', '--account', at.accountId, ...options)).map(
    ({ title }) => title,
  );

test('a draft is created, found and sent for real, in the name of the operator', async () => {
  const at = await papers();
  const file = await write(at, 'lease.json', { title: 'House lease', type: 'form', recipients: [ada] });
  const created = await at.json<Shown>('document', 'create', file, '--account', at.accountId);
  expect(created).toMatchObject({ title: 'House lease', status: 'draft', account_id: at.accountId, file: null });

  const [listed] = await at.json<object[]>('document', 'list', '--account', at.accountId);
  expect(created).toMatchObject(listed as object);
  expect(listed).toMatchObject({ object: 'document', id: created.id, account_id: at.accountId });

  const sent = await at.json<Shown>('document', 'send', created.id);
  expect(sent).toMatchObject({ status: 'sent', sent_mode: 'live', recipients: [{ status: 'sent' }] });
  expect(sent.deliveries).toMatchObject([{ kind: 'signature_request' }]);
  expect(await at.json('document', 'show', created.id)).toEqual(sent);
  const trail = await at.json<{ action: string; actor: string }[]>('document', 'audit', created.id);
  expect(trail.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
    'operator created',
    'operator sent',
    'service requested',
  ]);
  expect(await at.fails(1, 'document', 'send', created.id)).toMatch(/draft or in_review can be sent/);
});

test('documents are listed by status and by words, the newest first, without those that are kept apart', async () => {
  const at = await papers();
  await at.draft({ title: 'Lease of house 1' });
  await at.draft({ title: 'Invoice', recipients: [{ name: 'Eve', email: 'eve@house.example' }] });
  await at.sent({ title: 'Lease of house 2' });
  await at.json('document', 'template', await at.draft({ title: 'House template' }));
  await at.json('document', 'restrict', await at.draft({ title: 'House secret' }), '--kind', 'other');

  expect(await titles(at)).toEqual(['Lease of house 2', 'Invoice', 'Lease of house 1']);
  expect(await titles(at, '--limit', '2')).toEqual(['Lease of house 2', 'Invoice']);
  expect(await titles(at, '--status', 'draft,voided')).toEqual(['Invoice', 'Lease of house 1']);
  expect(await titles(at, '--search', 'HOUSE')).toEqual(['Lease of house 2', 'Invoice', 'Lease of house 1']);
  expect(await titles(at, '--search', 'house  lease', '--status', 'draft')).toEqual(['Lease of house 1']);
  expect(await titles(at, '--search', 'boat')).toEqual([]);
  const kept = await at.json('account', 'restricted-papers', at.accountId);
  expect(kept).toMatchObject([{ title: 'House secret', restricted_kind: 'other', status: 'draft' }]);
  const { stdout } = await at.run('document', 'list', '--account', at.accountId, '--search', 'boat');
  expect(stdout.toString()).toBe('no documents\n');
});

test('what cannot be created, listed or sent is refused in one line, and all of it for a company that was removed', async () => {
  const at = await papers();
  const nobody = await write(at, 'nobody.json', { title: 'Lease', recipients: [{ name: 'Ada' }] });
  const create = ['document', 'create', nobody, '--account'];
  expect(await at.fails(1, ...create, at.accountId)).toMatch(/^recipients\[0\]\.email: /);
  expect(await at.fails(1, ...create, 'x')).toBe('there is no account with the id "x"');
  expect(await at.fails(1, 'document', 'list', '--account', 'x')).toBe('there is no account with the id "x"');
  expect(await at.fails(2, 'document', 'list', '--account', at.accountId, '--status', 'lost')).toContain('lost');
  expect(await at.fails(2, 'document', 'list')).toContain('--account');
  expect(await at.fails(1, 'document', 'send', 'x')).toBe('there is no document with the id "x"');
  const [template, draft, sent] = [await at.draft(), await at.draft(), await at.sent()];
  await at.json('document', 'template', template);
  expect(await at.fails(1, 'document', 'send', template)).toContain('template use');
  await at.json('account', 'remove', at.accountId);
  const somebody = await write(at, 'somebody.json', { title: 'Lease', recipients: [ada] });
  for (const command of [
    ['document', 'create', somebody, '--account', at.accountId],
    ['document', 'send', draft],
    ['document', 'remind', sent],
    ['template', 'create', somebody, '--account', at.accountId],
    ['template', 'use', template, somebody],
  ]) {
    expect(await at.fails(1, ...command)).toMatch(/^the account was removed/);
  }
});
