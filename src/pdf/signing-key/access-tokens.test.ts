import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccessTokens, readAccessToken } from './access-tokens.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function tokensWith(lifetimeMs: number) {
  let count = 0;
  return createAccessTokens(async () => ({ value: `token-${++count}`, lifetimeMs }));
}

test('renews a token five minutes before it ends, and a short one after half of its lifetime', async () => {
  for (const [lifetimeMs, usableMs] of [
    [3_600_000, 3_300_000],
    [60_000, 30_000],
  ] as const) {
    const tokens = tokensWith(lifetimeMs);
    expect(await tokens.get()).toBe('token-1');
    vi.advanceTimersByTime(usableMs - 1);
    expect(await tokens.get()).toBe('token-1');
    vi.advanceTimersByTime(1);
    expect(await tokens.get()).toBe('token-2');
  }
});

test('a clock that is set does not make a token last longer', async () => {
  const tokens = tokensWith(60_000);
  await tokens.get();
  vi.setSystemTime(Date.now() - 600_000);
  vi.advanceTimersByTime(30_000);
  expect(await tokens.get()).toBe('token-2');
});

test('forgets a failed request, and a refused token only while it is the current one', async () => {
  let count = 0;
  const tokens = createAccessTokens(async () => {
    count += 1;
    if (count === 1) throw new Error('no');
    return { value: `token-${count}`, lifetimeMs: 3_600_000 };
  });
  await expect(Promise.all([tokens.get(), tokens.get()])).rejects.toThrow('no');
  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['token-2', 'token-2']);
  tokens.drop('token-1');
  expect(await tokens.get()).toBe('token-2');
  tokens.drop('token-2');
  expect(await tokens.get()).toBe('token-3');
});

test('reads lifetimes as seconds or as an end, and refuses what does not fit into a header', () => {
  const read = (body: Record<string, unknown>) => readAccessToken('It', { status: 200, body });
  expect(read({ access_token: 'a', expires_in: '60' })).toEqual({ value: 'a', lifetimeMs: 60_000 });
  const endsAt = String(Math.ceil(Date.now() / 1000) + 60);
  expect(read({ access_token: 'a', expires_on: endsAt }).lifetimeMs).toBeGreaterThanOrEqual(60_000);
  expect(read({ access_token: 'a' }).lifetimeMs).toBe(0);
  expect(read({ access_token: 'a', expires_in: { toString: 1, valueOf: 1 } }).lifetimeMs).toBe(0);
  expect(read({ access_token: 'a', expires_in: -1 }).lifetimeMs).toBe(0);
  for (const value of [undefined, '', 7, 'a\nb', 'ä']) {
    expect(() => read({ access_token: value })).toThrow('It answered without an access token');
  }
});
