import { expect, test } from 'vitest';
import { createDownloadSlots } from './download-slots.ts';
import { inParallel } from './in-parallel.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('so many at once and no more, answered in order', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 4, 3, 2, 1, 0], 3, async (turns, index) => {
    running += 1;
    most = Math.max(most, running);
    for (let i = 0; i < turns; i += 1) await turn();
    running -= 1;
    return index * 10;
  });
  expect(results).toEqual([0, 10, 20, 30, 40, 50]);
  expect(most).toBe(3);
  expect(await inParallel([], 3, async () => 1)).toEqual([]);
});

test('after a failure nothing more is begun, and what runs is waited for', async () => {
  const begun: number[] = [];
  let ended = 0;
  const work = inParallel([0, 1, 2, 3], 2, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('no');
    await turn();
    ended += 1;
  });
  await expect(work).rejects.toThrow('no');
  expect(begun).toEqual([0, 1]);
  expect(ended).toBe(1);
});

test('slots are given in turn, and who gives up waiting takes none', async () => {
  const slots = createDownloadSlots(1, 1);
  const order: string[] = [];
  const stop = new AbortController();
  const live = new AbortController().signal;
  let letGo = () => {};
  const first = slots.use('acme', live, () => new Promise<void>((resolve) => (letGo = resolve)));
  const waiting = ['a', 'b'].map((name) => slots.use('acme', live, async () => order.push(name)));
  const impatient = slots.use('acme', stop.signal, async () => order.push('impatient'));
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  letGo();
  await Promise.all([first, ...waiting]);
  expect(order).toEqual(['a', 'b']);
  await slots.use('acme', live, async () => order.push('c'));
  await expect(slots.use('acme', stop.signal, async () => 1)).rejects.toThrow('enough');
  expect(order).toEqual(['a', 'b', 'c']);
});

test('an account that holds its share waits, and leaves room to the others', async () => {
  const slots = createDownloadSlots(3, 2);
  const live = new AbortController().signal;
  const letGo: Array<() => void> = [];
  const order: string[] = [];
  const hold = (account: string, name: string) =>
    slots.use(account, live, () => {
      order.push(name);
      return new Promise<void>((resolve) => letGo.push(resolve));
    });
  const held = ['a1', 'a2', 'a3'].map((name) => hold('acme', name));
  held.push(hold('other', 'b1'), hold('other', 'b2'));
  await new Promise(setImmediate);
  expect(order).toEqual(['a1', 'a2', 'b1']);
  while (letGo.length > 0) {
    letGo.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(held);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});
