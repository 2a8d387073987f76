import { expect, test } from 'vitest';
import type { Job } from '../messages/job-queue.ts';
import { createPlaces } from './places.ts';

/** Places over a clock that is set by hand, and what waits in the queues. */
function scene(waiting: string[] | Error = ['seal-document']) {
  let now = Date.UTC(2026, 5, 1, 12);
  const scene = { waiting, looks: 0 };
  const places = createPlaces({ now: () => new Date(now) }, async () => {
    scene.looks += 1;
    if (scene.waiting instanceof Error) throw scene.waiting;
    return new Set(scene.waiting);
  });
  const first = -places.next('seal-document', null);
  return Object.assign(scene, {
    /** In seconds from the start. */
    place: (accountId: string | null, queue: Job['name'] = 'seal-document') => -places.next(queue, accountId) - first,
    pass(seconds: number) {
      now += seconds * 1000;
    },
  });
}

test('the jobs of a company are a second apart, and those of others go between them', () => {
  const at = scene();
  expect([at.place('a'), at.place('a'), at.place('a')]).toEqual([0, 1, 2]);
  expect([at.place('b'), at.place('b')]).toEqual([0, 1]);
  expect(at.place('a', 'unlock-document')).toBe(0);
  expect(at.place('a', 'unlock-document')).toBe(30);
  expect([at.place(null), at.place(null)]).toEqual([0, 0]);
  at.pass(1);
  expect([at.place('b'), at.place('c'), at.place('a')]).toEqual([2, 1, 3]);
});

test('places in the future are forgotten once nothing waits', async () => {
  const at = scene();
  for (let n = 0; n < 100; n++) at.place('a');
  at.pass(6);
  expect(at.place('a')).toBe(100);
  await Promise.resolve();
  expect(at.place('a')).toBe(101);
  at.waiting = [];
  at.pass(6);
  at.place('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(at.place('a')).toBe(12);
});

test('nobody looks more than once in five seconds, or when no place is in the future', async () => {
  const at = scene();
  for (let n = 0; n < 100; n++) at.place('a');
  expect(at.looks).toBe(0);
  at.pass(6);
  for (let n = 0; n < 100; n++) at.place('a');
  expect(at.looks).toBe(1);
  at.pass(1000);
  at.place('a');
  expect(at.looks).toBe(1);
});

test('without an answer, and after a clock was put back, places only order', async () => {
  const at = scene(new Error('the database is away'));
  at.place('a');
  at.place('a');
  at.pass(-3600);
  expect(at.place('a')).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(at.place('a')).toBe(3);
  expect(at.place('b')).toBe(-3600);
});
