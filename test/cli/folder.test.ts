import { expect, test } from 'vitest';
import { type Papers, papers } from './documents.ts';

interface Folder {
  id: string;
  name: string;
  is_open: boolean;
}

const folder = (at: Papers, ...args: string[]) => at.json<Folder>('folder', ...args);

async function member(at: Papers, email: string, role = 'member'): Promise<string> {
  const made = await at.json<{ id: string }>(
    'user',
    'create',
    '--account',
    at.accountId,
    '--email',
    email,
    '--role',
    role,
  );
  return made.id;
}

test('a folder is created, listed, renamed, opened, closed and removed', async () => {
  const at = await papers();
  const made = await folder(at, 'create', ' Personnel ', '--account', at.accountId);
  expect(made).toEqual({
    id: expect.any(String),
    account_id: at.accountId,
    name: 'Personnel',
    is_open: false,
    created_at: expect.any(String),
  });
  const { id } = made;
  expect(await at.fails(1, 'folder', 'create', 'PERSONNEL', '--account', at.accountId)).toContain('exists already');
  expect(await at.fails(2, 'folder', 'create', ' \u200b', '--account', at.accountId)).toContain('1 to 80');
  expect(await folder(at, 'rename', id, 'People')).toEqual({ ...made, name: 'People' });
  expect(await folder(at, 'open', id)).toMatchObject({ is_open: true });
  expect(await folder(at, 'close', id)).toMatchObject({ is_open: false });
  await folder(at, 'create', 'Everyone', '--account', at.accountId, '--open');
  expect(await at.json('folder', 'list', '--account', at.accountId)).toMatchObject([
    { name: 'Everyone', is_open: true },
    { id, name: 'People' },
  ]);
  expect(await folder(at, 'remove', id)).toMatchObject({ id });
  expect(await at.fails(1, 'folder', 'rename', id, 'Gone')).toContain('there is no folder');
});

test('members of a folder are set, listed and removed', async () => {
  const at = await papers();
  const { id } = await folder(at, 'create', 'Personnel', '--account', at.accountId);
  const ruth = await member(at, 'ruth@example.com');
  const admin = await member(at, 'mary@example.com', 'admin');
  expect(await at.json('folder', 'set-member', id, ruth, '--role', 'viewer')).toEqual({
    id: ruth,
    email: 'ruth@example.com',
    role: 'viewer',
  });
  await at.json('folder', 'set-member', id, ruth, '--role', 'editor');
  expect(await at.json('folder', 'members', id)).toEqual([{ id: ruth, email: 'ruth@example.com', role: 'editor' }]);
  expect(await at.fails(1, 'folder', 'set-member', id, admin, '--role', 'viewer')).toContain('see every folder');
  expect(await at.fails(1, 'folder', 'set-member', id, id, '--role', 'viewer')).toContain('there is no member');
  expect(await at.fails(2, 'folder', 'set-member', id, ruth, '--role', 'owner')).toContain('viewer, editor');
  await at.json('folder', 'remove-member', id, ruth);
  expect(await at.json('folder', 'members', id)).toEqual([]);
  expect(await at.fails(1, 'folder', 'remove-member', id, ruth)).toContain('there is no member');
});

test('documents are moved and listed by folder, and need a confirmation to be everyone’s', async () => {
  const at = await papers();
  const { id } = await folder(at, 'create', 'Personnel', '--account', at.accountId);
  const { id: open } = await folder(at, 'create', 'Everyone', '--account', at.accountId, '--open');
  const [one, two] = [await at.draft({ title: 'One' }), await at.draft({ title: 'Two' })];
  const moved = await at.json<Array<{ id: string; folder_id: string | null }>>(
    'document',
    'move',
    one,
    two,
    '--to',
    id,
  );
  expect(moved.map(({ folder_id }) => folder_id)).toEqual([id, id]);
  const listed = async (which: string) =>
    (await at.json<Array<{ title: string }>>('document', 'list', '--account', at.accountId, '--folder', which)).map(
      ({ title }) => title,
    );
  expect(await listed(id)).toEqual(['Two', 'One']);
  expect(await listed('none')).toEqual([]);
  expect(await at.json('document', 'show', one)).toMatchObject({ folder_id: id });
  expect(await at.json('template', 'list', '--account', at.accountId, '--folder', id)).toEqual([]);
  for (const target of [['--out'], ['--to', open]]) {
    expect(await at.fails(1, 'document', 'move', one, ...target)).toContain('--show-everyone');
  }
  await at.json('document', 'move', one, '--to', open, '--show-everyone');
  await at.json('document', 'move', one, '--out');
  expect(await listed('none')).toEqual(['One']);
  expect(await at.fails(1, 'folder', 'remove', id)).toContain('Move the folder’s documents');
  await at.fails(2, 'document', 'move', one);
  await at.fails(2, 'document', 'move', one, '--out', '--to', id);
  await at.fails(2, 'document', 'list', '--account', at.accountId, '--folder', 'Personnel');
  expect(await at.fails(1, 'document', 'move', one, '--to', one)).toContain('there is no folder');
});
