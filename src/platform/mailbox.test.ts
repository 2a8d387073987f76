import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNewId } from './ids.ts';
import type { MailMessage } from './mail.ts';
import { createMailbox, findMailboxMessage, linksOf, listMailbox } from './mailbox.ts';
import { systemRandom } from './random.ts';

let dir: string;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'mailbox-')), 'mailbox');
});
afterEach(() => rm(join(dir, '..'), { recursive: true, force: true }));

let now = new Date('2026-03-01T09:30:00.000Z');
const newId = createNewId({ now: () => now }, systemRandom);

const mailTo = (address: string, over: Partial<MailMessage> = {}): MailMessage => ({
  id: newId(),
  to: { name: 'Ada', address },
  subject: 'Please sign',
  text: `Sign here: https://sign.example.com/sign/abc.`,
  html: '<p><a href="https://sign.example.com/sign/abc">Sign</a></p>',
  ...over,
});

test('holds sent messages, newest first, with links and creation time', async () => {
  const { mail, sms } = createMailbox({ dir });
  const letter = mailTo('ada@example.org');
  expect(await mail.send(letter)).toEqual({ kind: 'accepted', providerId: null });
  now = new Date('2026-03-01T09:31:00.000Z');
  const text = { id: newId(), to: '+1 555 765 4321', text: 'Sign: https://sign.example.com/sign/def' };
  await sms.send(text);
  expect(await listMailbox(dir)).toEqual([
    {
      id: text.id,
      channel: 'sms',
      to: '+1 555 765 4321',
      subject: null,
      text: text.text,
      html: null,
      links: ['https://sign.example.com/sign/def'],
      created_at: '2026-03-01T09:31:00.000Z',
    },
    {
      id: letter.id,
      channel: 'email',
      to: 'ada@example.org',
      subject: 'Please sign',
      text: letter.text,
      html: letter.html,
      links: ['https://sign.example.com/sign/abc'],
      created_at: '2026-03-01T09:30:00.000Z',
    },
  ]);
  expect(await findMailboxMessage(dir, letter.id)).toMatchObject({ id: letter.id });
});

test('a repeated delivery is one message, also when concurrent', async () => {
  const letter = mailTo('ada@example.org');
  const one = createMailbox({ dir });
  const other = createMailbox({ dir });
  await Promise.all([one, other, one, other, one].map(({ mail }) => mail.send(letter)));
  expect((await listMailbox(dir)).length).toBe(1);
  expect((await readdir(dir)).sort()).toEqual(['.tmp', `${letter.id}.json`]);
});

test('concurrent writers and readers see every message complete', async () => {
  const mailboxes = Array.from({ length: 4 }, () => createMailbox({ dir }));
  const letters = Array.from({ length: 120 }, (_, index) =>
    mailTo(`ada+${index}@example.org`, { text: 'x'.repeat(20_000) }),
  );
  let isWriting = true;
  const reading = (async () => {
    while (isWriting) for (const message of await listMailbox(dir)) expect(message.text.length).toBe(20_000);
  })();
  await Promise.all(letters.map((letter, index) => mailboxes[index % 4]?.mail.send(letter)));
  isWriting = false;
  await reading;
  expect((await listMailbox(dir)).map(({ id }) => id)).toEqual(letters.map(({ id }) => id).reverse());
});

describe('listing', () => {
  test('of a missing mailbox is empty', async () => {
    expect(await listMailbox(dir)).toEqual([]);
    expect(await findMailboxMessage(dir, newId())).toBeNull();
  });

  test('by address and number in any notation, up to the limit', async () => {
    const { mail, sms } = createMailbox({ dir });
    for (const address of ['ada@example.org', 'bo@example.org', 'ada@example.org', 'xada@example.org'])
      await mail.send(mailTo(address));
    await sms.send({ id: newId(), to: '+1 (555) 765-4321', text: 'hi' });
    expect((await listMailbox(dir, { to: 'Ada@Example.org' })).map(({ to }) => to)).toEqual([
      'ada@example.org',
      'ada@example.org',
    ]);
    expect((await listMailbox(dir, { to: 'ada@example.org', limit: 1 })).length).toBe(1);
    expect((await listMailbox(dir, { to: '+15557654321' })).length).toBe(1);
    expect((await listMailbox(dir, { to: 'nobody@example.org' })).length).toBe(0);
    expect((await listMailbox(dir, { limit: 2 })).length).toBe(2);
    expect((await listMailbox(dir, { limit: 0 })).length).toBe(0);
  });

  test('skips truncated, foreign and too large files and directories', async () => {
    const { mail } = createMailbox({ dir });
    const letters = [mailTo('a@example.org'), mailTo('b@example.org'), mailTo('c@example.org')];
    for (const letter of letters) await mail.send(letter);
    await truncate(join(dir, `${letters[1]?.id}.json`), 100);
    await writeFile(join(dir, `${newId()}.json`), '');
    await writeFile(join(dir, `${newId()}.json`), '{"id":"x"}');
    await writeFile(join(dir, `${newId()}.json`), Buffer.alloc(1_100_000));
    await writeFile(join(dir, `${newId()}.json~`), 'backup');
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await mkdir(join(dir, `${newId()}.json`));
    await symlink('/dev/zero', join(dir, `${newId()}.json`));
    expect((await listMailbox(dir)).map(({ to }) => to)).toEqual(['c@example.org', 'a@example.org']);
    expect(await findMailboxMessage(dir, letters[1]?.id ?? '')).toBeNull();
    expect(await findMailboxMessage(dir, '../../etc/passwd')).toBeNull();
  });
});

test('keeps the newest messages and deletes the others', async () => {
  const { mail } = createMailbox({ dir, messagesMax: 30 });
  const letters = Array.from({ length: 101 }, () => mailTo('ada@example.org'));
  for (const letter of letters) await mail.send(letter);
  expect((await listMailbox(dir)).map(({ id }) => id)).toEqual(
    letters
      .slice(-30)
      .map(({ id }) => id)
      .reverse(),
  );
});

test('is readable only by its own user', async () => {
  const letter = mailTo('ada@example.org');
  await createMailbox({ dir }).mail.send(letter);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dir, `${letter.id}.json`))).mode & 0o777).toBe(0o600);
});

test('a mailbox that cannot be written is unavailable, not an exception', async () => {
  await writeFile(dir, 'a file where the directory should be');
  const outcome = await createMailbox({ dir }).mail.send(mailTo('ada@example.org'));
  expect(outcome).toEqual({ kind: 'unavailable', reason: expect.stringMatching(/could not be written \(\w+\)/) });
  expect(await listMailbox(dir)).toEqual([]);
});

test.runIf(process.getuid?.() !== 0)('a mailbox of another user reads as empty', async () => {
  await createMailbox({ dir }).mail.send(mailTo('ada@example.org'));
  await chmod(dir, 0o000);
  expect(await listMailbox(dir)).toEqual([]);
  await chmod(dir, 0o700);
});

test('throws for an id that is not a UUIDv7', async () => {
  await expect(createMailbox({ dir }).mail.send(mailTo('a@example.org', { id: '../x' }))).rejects.toThrow(TypeError);
});

test('a file holds readable JSON', async () => {
  const letter = mailTo('ada@example.org');
  await createMailbox({ dir }).mail.send(letter);
  expect(await readFile(join(dir, `${letter.id}.json`), 'utf8')).toContain('\n  "channel": "email",\n');
});

test.each([
  [
    { text: 'See https://a.example/x, and (http://b.example/y).', html: null },
    ['https://a.example/x', 'http://b.example/y'],
  ],
  [{ text: '«https://a.example/x» https://a.example/x', html: null }, ['https://a.example/x']],
  [
    {
      text: 'Message: https://evil.example/ Sign: https://ours.example/?a=1&b=2',
      html: '<a class="x" href="https://ours.example/?a=1&amp;b=2">Sign</a>',
    },
    ['https://ours.example/?a=1&b=2', 'https://evil.example/'],
  ],
  [{ text: 'nothing', html: '<a href="javascript:alert(1)">x</a>' }, []],
  [{ text: 'https://ours.example/sign/ab_-', html: null }, ['https://ours.example/sign/ab_-']],
])('links of %j', (message, links) => {
  expect(linksOf(message)).toEqual(links);
});
