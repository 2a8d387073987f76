import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createNewId } from '../../src/platform/ids.ts';
import { createMailbox } from '../../src/platform/mailbox.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { type Place, placeOn } from './countersign.ts';

interface Message {
  to: string;
  subject: string | null;
}

/** A mailbox with three messages. The database cannot be reached, so the command must not need it. */
async function mailbox(): Promise<Place> {
  const at = placeOn({ DATABASE_URL: 'postgresql://127.0.0.1:1/nowhere' });
  const { mail, sms } = createMailbox({ dir: join(at.dataDir, 'mailbox') });
  const newId = createNewId(systemClock, systemRandom);
  const send = (address: string, subject: string, text: string) =>
    mail.send({ id: newId(), to: { name: 'Someone', address }, subject, text, html: `<p>${text}</p>` });
  await send('ada@example.com', 'First', 'Sign here: http://127.0.0.1:3000/sign/abc');
  await send('grace@example.com', 'Second\u001b[2J', 'two\nlines\u202e');
  await sms.send({ id: newId(), to: '+1 555 0100', text: 'Third' });
  return at;
}

test('messages are listed newest first with exactly the fields that are promised', async () => {
  const at = await mailbox();
  const messages = await at.json<Message[]>('mailbox', 'list');
  expect(messages.map(({ to }) => to)).toEqual(['+1 555 0100', 'grace@example.com', 'ada@example.com']);
  expect(messages[0]).toMatchObject({ channel: 'sms', subject: null, html: null, links: [] });
  expect(messages[2]).toEqual({
    id: expect.any(String),
    channel: 'email',
    to: 'ada@example.com',
    subject: 'First',
    text: 'Sign here: http://127.0.0.1:3000/sign/abc',
    html: '<p>Sign here: http://127.0.0.1:3000/sign/abc</p>',
    links: ['http://127.0.0.1:3000/sign/abc'],
    created_at: expect.any(String),
  });
});

test('they can be narrowed to an address and a number', async () => {
  const at = await mailbox();
  expect(await at.json<Message[]>('mailbox', 'list', '--to', 'ada@example.com')).toMatchObject([{ subject: 'First' }]);
  expect(await at.json<Message[]>('mailbox', 'list', '--limit', '2')).toHaveLength(2);
  expect(await at.json('mailbox', 'list', '--to', 'nobody@example.com')).toEqual([]);
  await at.fails(2, 'mailbox', 'list', '--limit', '-1');
});

test('people read the messages, and nothing in them reaches the terminal', async () => {
  const at = await mailbox();
  const text = (await at.run('mailbox', 'list')).stdout.toString();
  expect(text).toMatch(/ {2}email to ada@example\.com: First\n {2}Sign here: http/);
  expect(text).toContain('Second\\u{1b}[2J\n  two\n  lines\\u{202e}\n');
});

test('a mailbox that was never written to is empty', async () => {
  const at = placeOn({});
  expect(await at.json('mailbox', 'list')).toEqual([]);
  expect((await at.run('mailbox', 'list')).stdout.toString()).toBe('no messages\n');
});
