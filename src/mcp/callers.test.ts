import { expect, test } from 'vitest';
import { Countersign } from '../../packages/client/src/index.ts';
import { createCallers } from './callers.ts';

let now = 0;
const clock = { now: () => new Date(now) };

/** Callers with an API that counts the requests of each key and refuses those of `bad…`. */
function callersOf() {
  const asked: string[] = [];
  const callers = createCallers(clock, (apiKey) => {
    const fetch = async () => {
      asked.push(apiKey);
      return Response.json({ object: 'account', mode: apiKey }, { status: apiKey.startsWith('bad') ? 401 : 200 });
    };
    return new Countersign({ baseUrl: 'http://127.0.0.1/api/v1', apiKey, fetch });
  });
  return { asked, callers };
}

test('a key is remembered for a minute', async () => {
  const { asked, callers } = callersOf();
  const [first, second] = await Promise.all([callers.find('one'), callers.find('one')]);
  expect(first).toBe(second);
  expect(first.id).toMatch(/^[0-9a-f]{64}$/);
  expect((await callers.find('two')).account.mode).toBe('two');
  now += 59_999;
  await callers.find('one');
  expect(asked).toEqual(['one', 'two']);
  now += 2;
  await callers.find('one');
  expect(asked).toEqual(['one', 'two', 'one']);
});

test('a refused key is asked for again, and the number of keys is limited', async () => {
  const { asked, callers } = callersOf();
  for (let i = 0; i < 2; i += 1) await expect(callers.find('bad')).rejects.toThrow();
  expect(asked).toEqual(['bad', 'bad']);
  await callers.find('first');
  for (let i = 0; i < 1000; i += 1) await callers.find(`key${i}`);
  asked.length = 0;
  await callers.find('key999');
  await callers.find('first');
  expect(asked).toEqual(['first']);
});
