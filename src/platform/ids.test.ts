import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { createNewId, firstIdAt, isUuid, madeAt } from './ids.ts';
import { systemRandom } from './random.ts';

test('ids are UUIDs of version 7 with the time of the clock', () => {
  const newId = createNewId({ now: () => new Date('2026-03-10T12:00:10.123Z') }, systemRandom);
  const id = newId();
  expect([validate(id), version(id), isUuid(id)]).toEqual([true, 7, true]);
  expect(madeAt(id)).toEqual(new Date('2026-03-10T12:00:10.123Z'));
  expect(id >= firstIdAt(new Date('2026-03-10T12:00:10.123Z'))).toBe(true);
});

test('ids of one process ascend within a millisecond, and when the clock goes back', () => {
  let now = 1_000_000;
  const newId = createNewId({ now: () => new Date(now) }, systemRandom);
  const ids: string[] = [];
  for (let count = 0; count < 20_000; count += 1) {
    if (count === 10_000) now -= 5000;
    ids.push(newId());
  }
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});
