import { expect, test } from 'vitest';
import { createFileOrder, type FilePlace } from './file-order.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function isWaiting(place: FilePlace, bytes: number): Promise<boolean> {
  let isWaiting = true;
  void place.waitForEarlier(bytes).then(() => {
    isWaiting = false;
  });
  await turn();
  return isWaiting;
}

test('a file waits for earlier ones that may have its bytes, and for no others', async () => {
  const [first, second, third] = createFileOrder(3) as [FilePlace, FilePlace, FilePlace];
  expect(await isWaiting(first, 10)).toBe(false);
  expect(await isWaiting(second, 10)).toBe(true);
  first.declare(11);
  expect(await isWaiting(second, 10)).toBe(false);
  expect(await isWaiting(second, 11)).toBe(true);
  second.declare(null);
  expect(await isWaiting(third, 10)).toBe(true);
  second.end();
  expect(await isWaiting(third, 10)).toBe(false);
  expect(await isWaiting(third, 11)).toBe(true);
  first.end();
  expect(await isWaiting(third, 11)).toBe(false);
});

test('all files together wait for a slow one for a few seconds only', async () => {
  const [, second, third] = createFileOrder(3) as [FilePlace, FilePlace, FilePlace];
  second.end();
  const startedAt = performance.now();
  await second.waitForEarlier(10);
  await third.waitForEarlier(10);
  const waitedMs = performance.now() - startedAt;
  expect(waitedMs).toBeGreaterThan(4900);
  expect(await isWaiting(third, 10)).toBe(false);
}, 20_000);
