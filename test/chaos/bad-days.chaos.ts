import { afterEach, expect, test } from 'vitest';
import { type Ground, prepareGround } from '../support/process.ts';
import { badDays } from './bad-days/days.ts';
import { survive } from './bad-days/load.ts';

const seconds = Number(process.env.CHAOS_FAULT_SECONDS ?? 60);

let ground: Ground;
afterEach(() => ground.clear());

test.for(badDays)(`$name, for ${seconds} s: nothing is lost`, async (day) => {
  ground = await prepareGround();
  const documents = await survive(ground, [day], seconds * 1000);
  if (documents === null) return;
  console.log(`${documents} documents`);
  expect(documents).toBeGreaterThan(0);
});
