import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { execute as sql } from '../support/embedded.ts';
import { sampleJpeg, samplePng } from '../support/sample-logo.ts';
import { audited } from './audited.ts';
import { bin, execute, type Place, place } from './countersign.ts';

/** How a company looks to recipients, on the command line. */
let at: Place;
let id: string;

const unknownId = '01a1fb00-a7d3-7227-9385-744179ed3915';

beforeEach(async () => {
  at = await place();
  id = (await at.json<{ id: string }>('account', 'create', '--name', 'Acme Ltd')).id;
});

interface Brand {
  version: number;
  logo: object | null;
}

interface Texts {
  kind: string;
  language: string;
  subject: string | null;
  introduction: string | null;
}

const branding = (...options: string[]) => at.json<Brand>('account', 'branding', id, ...options);
const refuses = (...options: string[]) => at.fails(1, 'account', 'branding', id, ...options);
const texts = (...options: string[]) => at.json<Texts[]>('account', 'email-texts', id, ...options);
const one = ['--kind', 'request', '--language', 'es'];

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(at.cwd, name), content);
  return name;
}

test('branding is shown, changed in parts, and recorded as in the console', async () => {
  const plain = { id, version: 0, accent: null, sender_name: null, reply_to: null, always_reply_to: false, logo: null };
  expect(await branding()).toEqual(plain);
  expect(await audited(at, id)).toEqual([]);
  const logo = await file('logo.png', samplePng());
  expect(await branding('--accent', '#1D63D8', '--sender-name', ' Zoë 👩‍👩‍👧 ', '--logo', logo)).toEqual({
    ...plain,
    version: 2,
    accent: '#1d63d8',
    sender_name: 'Zoë 👩‍👩‍👧',
    logo: { type: 'png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), width: 120, height: 40 },
  });
  const answers = await branding('--reply-to', 'office@example.com', '--always-reply-to', 'on');
  expect(answers).toMatchObject({
    version: 3,
    accent: '#1d63d8',
    reply_to: 'office@example.com',
    logo: { width: 120 },
  });
  expect(await branding('--logo', await file('logo.jpg', sampleJpeg))).toMatchObject({ logo: { type: 'jpeg' } });
  const cleared = await branding('--accent', '', '--reply-to', '', '--always-reply-to', 'off', '--remove-logo');
  expect(cleared).toEqual({ ...plain, version: 6, sender_name: 'Zoë 👩‍👩‍👧' });
  const entries = (await sql(
    at.databaseUrl as string,
    `select detail->>'changed' as changed from account_audit_entries where account_id = '${id}' and action = 'brand_changed' order by id`,
  )) as { changed: string }[];
  expect(entries.map(({ changed }) => changed)).toEqual(['settings', 'logo', 'settings', 'logo', 'settings', 'logo']);
});

test('branding that the console refuses is refused, and nothing of the command is saved', async () => {
  expect(await refuses('--accent', 'blue')).toMatch(/colour such as #1d63d8/);
  expect(await refuses('--sender-name', 'a'.repeat(61))).toMatch(/at most 60/);
  for (const name of ['Acme <a@b.example>', 'Acme\u202e', '\u3164', 'Acme＠b.example']) {
    expect(await refuses('--sender-name', name), name).toMatch(/sender name/);
  }
  expect(await refuses('--reply-to', 'nobody')).toMatch(/e-mail address/);
  expect(await refuses('--always-reply-to', 'on')).toMatch(/needs one/);
  const logos: [string, RegExp][] = [
    [await file('empty.png', ''), /is not a PNG/],
    [await file('words.png', 'GIF89a <svg onload=alert(1)>'), /is not a PNG/],
    [await file('cut.jpg', sampleJpeg.subarray(0, -2)), /is not a PNG/],
    [await file('wide.png', samplePng({ width: 1001, height: 2 })), /1000 × 500/],
    [await file('huge.png', Buffer.alloc(512 * 1024 + 1)), /larger than 512 KB/],
    ['missing.png', /there is no file missing.png/],
    ['.', /is not a file/],
  ];
  for (const [path, reason] of logos) expect(await refuses('--accent', '#1d63d8', '--logo', path)).toMatch(reason);
  expect(await at.fails(2, 'account', 'branding', id, '--logo', 'logo.png', '--remove-logo')).toMatch(/not both/);
  expect(await at.fails(2, 'account', 'branding', id, '--always-reply-to', 'maybe')).toMatch(/on, off/);
  expect(await branding()).toMatchObject({ version: 0, accent: null });
  expect(await audited(at, id)).toEqual([]);
});

test('a text that nobody can see is refused', async () => {
  for (const subject of ['\u200b', '\u2060', '\u3164', '\u115f', 'a\u200bb', 'a\u202eb']) {
    const change = ['--kind', 'copy', '--language', 'en', '--subject', subject];
    expect(await at.fails(1, 'account', 'email-texts', id, ...change), JSON.stringify(subject)).toMatch(/invisible/);
  }
  expect((await texts()).every(({ subject }) => subject === null)).toBe(true);
});

test('texts are changed one by one or from the file that was printed', async () => {
  const all = await texts();
  expect(all.map(({ kind, language }) => `${kind} ${language}`)).toEqual(
    ['request', 'reminder', 'copy'].flatMap((kind) => [`${kind} en`, `${kind} es`]),
  );
  expect(all.every(({ subject, introduction }) => subject === null && introduction === null)).toBe(true);
  await texts(...one, '--subject', 'Firme {{document_title}}');
  const changed = await texts(...one, '--introduction', 'Hola:\r\nadjunto.');
  expect(changed[1]).toMatchObject({ subject: 'Firme {{document_title}}', introduction: 'Hola:\nadjunto.' });

  const other = await at.json<{ id: string }>('account', 'create', '--name', 'Other');
  const printed = await at.run('account', 'email-texts', id, '--json');
  const path = await file('texts.json', printed.stdout);
  expect(await at.json('account', 'email-texts', other.id, '--file', path)).toEqual(changed);
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: at.dataDir, DATABASE_URL: at.databaseUrl as string };
  const again = await execute(
    bin,
    ['account', 'email-texts', other.id, '--file', '-'],
    env,
    at.cwd,
    '[{"kind":"request","language":"es","subject":null,"introduction":""}]',
  );
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(await at.json('account', 'email-texts', other.id)).toEqual(all);
  expect((await texts(...one, '--subject', '', '--introduction', ''))[1]).toMatchObject({ subject: null });
  expect((await audited(at, id)).length).toBe(3);
});

test('texts that cannot be saved are refused, and a file is saved whole or not at all', async () => {
  const fails = (...options: string[]) => at.fails(1, 'account', 'email-texts', id, ...options);
  expect(await fails(...one, '--subject', '{{password}}')).toMatch(/subject has "\{\{password\}\}"/);
  expect(await fails(...one, '--introduction', 'a {{document_title')).toMatch(/introduction has/);
  expect(await fails(...one, '--subject', 'x'.repeat(151))).toMatch(/150/);
  expect(await fails(...one, '--introduction', 'x'.repeat(601))).toMatch(/600/);
  expect(await fails(...one, '--subject', 'Sign\u202e me')).toMatch(/invisible/);
  const good = { kind: 'copy', language: 'en', subject: 'Done', introduction: null };
  for (const [name, content, reason] of [
    ['empty.json', '', /not JSON/],
    ['none.json', '[]', /array of objects/],
    ['object.json', '{}', /array of objects/],
    ['kind.json', JSON.stringify([{ ...good, kind: 'void' }]), /array of objects/],
    ['type.json', JSON.stringify([{ ...good, subject: 1 }]), /array of objects/],
    ['twice.json', JSON.stringify([good, good]), /twice/],
    ['nul.json', JSON.stringify([good, { ...good, language: 'es', subject: 'a\u0000\ud800' }]), /invisible/],
    ['huge.json', `["${'x'.repeat(1_000_001)}"]`, /larger than 1 MB/],
  ] as const) {
    expect(await fails('--file', await file(name, content)), name).toMatch(reason);
  }
  expect(await at.fails(2, 'account', 'email-texts', id, '--kind', 'copy')).toMatch(/--language/);
  expect(await at.fails(2, 'account', 'email-texts', id, ...one, '--file', 'x.json')).toMatch(/alone/);
  expect((await texts()).every(({ subject }) => subject === null)).toBe(true);
});

test('an e-mail is previewed and sent as a test, with the brand', async () => {
  await branding(
    '--sender-name',
    'Acme Roofing',
    '--reply-to',
    'office@example.com',
    '--logo',
    await file('logo.png', samplePng()),
  );
  await texts(...one, '--subject', 'Firme {{document_title}}');
  const preview = await at.json<{ text: string }>('account', 'preview-email', id, ...one, '--out', 'request.html');
  const subject = 'Firme Contrato de alquiler, calle Mayor 12';
  expect(preview).toMatchObject({ from: 'Acme Roofing via Countersign', reply_to: 'office@example.com', subject });
  expect(preview.text).toContain('/settings/branding');
  expect(await readFile(join(at.cwd, 'request.html'), 'utf8')).toContain('data:image/png;base64,');
  expect(await at.fails(1, 'account', 'preview-email', id, ...one, '--out', 'request.html')).toMatch(/--force/);

  expect(await at.json('account', 'test-email', id, ...one, '--to', 'ada@example.com')).toEqual({
    to: 'ada@example.com',
  });
  const [kept] = await at.json<object[]>('mailbox', 'list', '--to', 'ada@example.com');
  expect(kept).toMatchObject({ subject });
  expect(await at.fails(2, 'account', 'test-email', id, ...one, '--to', 'ada')).toMatch(/e-mail address/);
  expect(await at.fails(2, 'account', 'test-email', id, ...one)).toMatch(/--to/);
});

test('an unknown company has no branding, and that of a removed one is only shown', async () => {
  const accent = ['--accent', '#1d63d8'];
  await branding(...accent);
  await at.json('account', 'remove', id);
  expect(await branding()).toMatchObject({ accent: '#1d63d8', version: 1 });
  expect(await texts()).toHaveLength(6);
  for (const command of [
    ['branding', id, '--accent', ''],
    ['email-texts', id, ...one, '--subject', 'x'],
    ['test-email', id, ...one, '--to', 'ada@example.com'],
    ['sending', id, '--expires-in', '3'],
    ['notices', id, '--kinds', 'none'],
  ]) {
    expect(await at.fails(1, 'account', ...command), command[0] as string).toMatch(/^the account was removed/);
  }
  for (const command of [
    ['branding'],
    ['branding', ...accent],
    ['email-texts'],
    ['preview-email', ...one],
    ['sending'],
    ['sending', '--expires-in', '3'],
    ['notices'],
    ['notices', '--kinds', 'all'],
  ]) {
    const [verb = '', ...options] = command;
    expect(await at.fails(1, 'account', verb, unknownId, ...options)).toMatch(/no account/);
    expect(await at.fails(1, 'account', verb, '../x', ...options)).toMatch(/no account/);
  }
});

test('two commands at once both change the branding, or one says that it came too late', async () => {
  const outcomes = await Promise.all([
    at.run('account', 'branding', id, '--accent', '#1d63d8'),
    at.run('account', 'branding', id, '--sender-name', 'Acme Roofing'),
  ]);
  const done = outcomes.filter(({ code }) => code === 0).length;
  for (const { code, stderr } of outcomes) if (code !== 0) expect(stderr).toMatch(/at the same time: try again/);
  expect(done).toBeGreaterThan(0);
  expect(await branding()).toMatchObject({ version: done });
});
