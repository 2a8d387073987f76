import { describe, expect, test } from 'vitest';
import { createOverloadGuard } from './overload-guard.ts';

function guardAt() {
  let now = 0;
  const enter = createOverloadGuard({ nowMs: () => now, inFlightMax: 4, patienceMs: 1000 });
  const pass = (ms: number) => {
    now += ms;
  };
  return { enter, pass };
}

function enterMany(enter: (key: string) => () => void, key: string, count: number): Array<() => void> {
  return Array.from({ length: count }, () => enter(key));
}

const busy = expect.objectContaining({ code: 'server_busy', retryAfterSeconds: 1 });

describe('the guard against overload', () => {
  test('lets a burst of any size in', () => {
    const { enter } = guardAt();
    expect(enterMany(enter, 'a', 1000)).toHaveLength(1000);
  });

  test('refuses what comes while the queue stays, and nothing once it is short again', () => {
    const { enter, pass } = guardAt();
    const leaves = enterMany(enter, 'a', 6);
    pass(1001);
    expect(() => enter('a')).toThrow(busy);
    for (const leave of leaves.slice(0, 3)) leave();
    expect(() => enter('a')).not.toThrow(); // three in flight: below the maximum
    expect(() => enter('a')).toThrow(busy);
    for (const leave of leaves) leave();
    expect(enterMany(enter, 'a', 10)).toHaveLength(10);
  });

  test('keeps a share for a key that has few requests in flight', () => {
    const { enter, pass } = guardAt();
    enterMany(enter, 'a', 100);
    enter('b');
    pass(1001);
    expect(() => enter('a')).toThrow(busy);
    enter('b');
    expect(() => enter('b')).toThrow(busy); // two keys, four requests: two each
    expect(() => enter('c')).not.toThrow();
  });

  test('lets no endless number of keys in', () => {
    const { enter, pass } = guardAt();
    enterMany(enter, 'a', 4);
    pass(1001);
    for (const key of ['b', 'c', 'd']) enter(key);
    expect(() => enter('e')).toThrow(busy);
  });

  test('counts a request out once', () => {
    const { enter, pass } = guardAt();
    const [leave] = enterMany(enter, 'a', 5);
    for (let i = 0; i < 5; i++) leave?.();
    pass(1001);
    expect(() => enter('a')).toThrow(busy);
  });
});
