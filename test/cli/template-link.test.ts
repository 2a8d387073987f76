import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Papers, papers } from './documents.ts';

interface Shown {
  id: string;
  template_id: string;
  url: string;
  name: string | null;
  documents_max: number;
  is_on: boolean;
  availability: string;
  obstacle: string | null;
}

async function templateOf(at: Papers, recipients: object[] = [{ name: 'Guest' }]): Promise<string> {
  await writeFile(join(at.cwd, 'template.json'), JSON.stringify({ title: 'Photo consent', recipients }));
  return (await at.json<{ id: string }>('template', 'create', 'template.json', '--account', at.accountId)).id;
}

const link = (at: Papers, ...args: string[]) => at.json<Shown>('template', 'link', ...args);

test('a link is made, listed, changed, switched off and on, and removed', async () => {
  const at = await papers({ PUBLIC_URL: 'https://sign.example.com' });
  const template = await templateOf(at);
  const made = await link(at, 'create', template, '--name', 'Summer party', '--max', '7', '--one-per-email', 'off');
  expect(made).toEqual({
    id: expect.any(String),
    template_id: template,
    name: 'Summer party',
    language: 'en',
    ends_at: null,
    documents_max: 7,
    documents: 0,
    one_per_email: false,
    is_on: true,
    created_at: expect.any(String),
    url: expect.stringMatching(/^https:\/\/sign\.example\.com\/link\/\w{22}$/),
    availability: 'open',
    obstacle: null,
    acts_for: 'operator',
  });
  const { id } = made;
  const end = ['--ends-at', '2099-01-31T12:00:00Z', '--language', 'es', '--name', ''];
  const changed = { ...made, name: null, language: 'es', ends_at: '2099-01-31T12:00:00.000Z' };
  expect(await link(at, 'change', id, ...end)).toEqual(changed);
  expect(await link(at, 'change', id, '--ends-at', 'never', '--one-per-email', 'on')).toEqual({
    ...changed,
    ends_at: null,
    one_per_email: true,
  });
  expect(await link(at, 'off', id)).toMatchObject({ is_on: false, availability: 'off' });
  expect(await link(at, 'on', id)).toMatchObject({ is_on: true, availability: 'open' });
  expect(await link(at, 'show', id)).toMatchObject({ id, url: made.url });
  expect(await at.json('template', 'link', 'list', template)).toMatchObject([{ id, url: made.url }]);
  expect(await at.json('template', 'link', 'documents', id)).toEqual([]);
  const table = await at.run('template', 'link', 'list', template);
  expect(table.stdout.toString()).toContain(made.url);
  expect(await link(at, 'remove', id)).toMatchObject({ id });
  const gone = await at.run('template', 'link', 'show', id);
  expect([gone.code, gone.stderr]).toEqual([1, `countersign: there is no public link with the id "${id}"\n`]);
  const entries = await at.sql<{ action: string; person_id: string | null }>(
    `select action, person_id from account_audit_entries where action like 'public_link%' order by id`,
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'public_link_created',
    'public_link_changed',
    'public_link_changed',
    'public_link_switched_off',
    'public_link_switched_on',
    'public_link_deleted',
  ]);
  expect(new Set(entries.map(({ person_id }) => person_id))).toEqual(new Set([null]));
});

test('what can’t be a link is refused with one line', async () => {
  const at = await papers();
  const template = await templateOf(at);
  const full = await templateOf(at, [{ name: 'Ada', email: 'ada@example.com' }]);
  const draft = await at.draft();
  const refused = async (...args: string[]) => {
    const { code, stderr } = await at.run('template', 'link', ...args);
    return [code, stderr.trim().replace('countersign: ', '')];
  };
  expect(await refused('create', full)).toEqual([1, expect.stringContaining('Leave one signer')]);
  expect(await refused('create', draft)).toEqual([1, `there is no template with the id "${draft}"`]);
  expect(await refused('list', draft)).toEqual([1, `there is no template with the id "${draft}"`]);
  expect(await refused('show', 'x')).toEqual([1, 'there is no public link with the id "x"']);
  expect(await refused('create', template, '--max', '0')).toEqual([2, '--max must be a whole number from 1 to 10000']);
  expect(await refused('create', template, '--max', '1e2')).toEqual([2, expect.stringContaining('--max')]);
  expect(await refused('create', template, '--name', 'a\nb')).toEqual([2, expect.stringContaining('--name')]);
  expect(await refused('create', template, '--language', 'fr')).toEqual([2, expect.stringContaining('--language')]);
  expect(await refused('create', template, '--ends-at', 'soon')).toEqual([2, expect.stringContaining('--ends-at')]);
  const past = ['--ends-at', '2020-01-01T00:00:00Z'];
  expect(await refused('create', template, ...past)).toEqual([1, 'Choose an end in the future.']);

  const { id } = await link(at, 'create', template);
  await at.json('account', 'remove', at.accountId);
  expect(await refused('on', id)).toEqual([1, expect.stringContaining('the account was removed')]);
  expect(await link(at, 'show', id)).toMatchObject({ availability: 'unavailable', obstacle: 'company_removed' });
});
