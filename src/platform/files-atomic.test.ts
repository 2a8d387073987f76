import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listMailbox } from './mailbox.ts';

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** Stores files one by one and prints the key of each one that is durable. */
const fileWriter = (dir: string) => `
  import { createHash, randomBytes } from 'node:crypto';
  import { createFileStore } from ${here('./files.ts')};
  const store = createFileStore(${JSON.stringify(`file:${dir}`)}, {});
  for (;;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * 400_000));
    const hex = createHash('sha256').update(bytes).digest('hex');
    const key = 'sha256/' + hex.slice(0, 2) + '/' + hex.slice(2);
    await store.put(key, bytes);
    process.stdout.write(key + '\\n');
  }`;

/** Stores messages, repeating every other one. */
const mailboxWriter = (dir: string) => `
  import { systemClock } from ${here('./clock.ts')};
  import { createNewId } from ${here('./ids.ts')};
  import { createMailbox } from ${here('./mailbox.ts')};
  import { systemRandom } from ${here('./random.ts')};
  const newId = createNewId(systemClock, systemRandom);
  const { mail } = createMailbox({ dir: ${JSON.stringify(dir)} });
  for (;;) {
    const id = newId();
    const message = { id, to: { name: '', address: 'a@b.example' }, subject: 's', text: 'x'.repeat(200_000), html: 'h' };
    await Promise.all([mail.send(message), mail.send(message)]);
    process.stdout.write(id + '\\n');
  }`;

/** Runs a writer and kills it with SIGKILL somewhere between its first word and 60 ms later. Returns what it had acknowledged. */
async function killed(code: string): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    if (said === '') void sleep(randomInt(60)).then(() => child.kill('SIGKILL'));
    said += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return said.split('\n').slice(0, -1);
}

const rounds = 8;

test('kill -9 leaves no half file in the store, and every file that was acknowledged', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'crash-'));
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await Promise.all([killed(fileWriter(dir)), killed(fileWriter(dir))])).flat());
  }
  const entries = await readdir(join(dir, 'sha256'), { recursive: true, withFileTypes: true });
  const keys = new Set<string>();
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const hex = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    expect(path).toBe(join(dir, 'sha256', hex.slice(0, 2), hex.slice(2)));
    keys.add(`sha256/${hex.slice(0, 2)}/${hex.slice(2)}`);
  }
  expect(acknowledged.length).toBeGreaterThan(rounds);
  expect(acknowledged.filter((key) => !keys.has(key))).toEqual([]);
  await rm(dir, { recursive: true });
});

test('kill -9 leaves no half message in the mailbox, and every message that was acknowledged', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'crash-'));
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await Promise.all([killed(mailboxWriter(dir)), killed(mailboxWriter(dir))])).flat());
  }
  const messages = await listMailbox(dir);
  const files = (await readdir(dir)).filter((name) => name !== '.tmp');
  expect(messages.length).toBe(files.length);
  expect(messages.every(({ text }) => text.length === 200_000)).toBe(true);
  const ids = new Set(messages.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  await rm(dir, { recursive: true });
});
