import { afterEach, expect, test } from 'vitest';
import { badDays } from '../chaos/bad-days/days.ts';
import { survive } from '../chaos/bad-days/load.ts';
import { type Ground, prepareGround } from '../support/process.ts';

let ground: Ground;
afterEach(() => ground.clear());

/** The short form of what `npm run chaos` does: there each fault lasts a minute. */
test('nothing is lost on a day on which everything fails once', async () => {
  ground = await prepareGround();
  // A disk that is full and a remote store exclude each other.
  const days = badDays.filter(({ name }) => name !== 'the file store is out');
  expect(await survive(ground, days, 500)).toBeGreaterThan(0);
});
