import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readVendorLimits } from './limits.ts';

const date = 'Tue, 10 Mar 2026 12:00:00 GMT';
const nowSeconds = Date.parse(date) / 1000;
const limitsOf = (headers: Record<string, string>, code?: string) =>
  readVendorLimits({ status: 200, headers: { date, ...headers }, body: Readable.from([]) }, code);

test('reads the calls left and the reset time by the clock of the vendor', () => {
  const headers = { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': String(nowSeconds + 90) };
  expect(limitsOf({ ...headers, 'x-burstlimit-remaining': '499' })).toEqual({
    retryMs: 0,
    callsLeft: 12,
    renewalMs: 90_000,
    burstCallsLeft: 499,
  });
  expect(limitsOf({ 'x-ratelimit-reset': String(nowSeconds - 90) }).renewalMs).toBe(0);
  expect(limitsOf({ 'x-ratelimit-reset': String(nowSeconds + 90_000) }).renewalMs).toBe(3_600_000);
  expect(limitsOf({ 'x-ratelimit-reset': String(nowSeconds + 90), date: 'today' }).renewalMs).toBe(60_000);
});

test.for([
  ['7', 7000],
  ['Tue, 10 Mar 2026 12:00:30 GMT', 30_000],
  ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ['7200', 7_200_000],
  ['999999', 86_400_000],
  ['Sat, 14 Mar 2026 12:00:00 GMT', 86_400_000],
  ['soon', 0],
  ['-1', 0],
] as const)('Retry-After: %s is %i ms', ([value, ms]) => {
  expect(limitsOf({ 'retry-after': value }).retryMs).toBe(ms);
});

test('waits after a refusal for limits, with or without a stated delay', () => {
  expect(limitsOf({ 'retry-after': '0' }, '').retryMs).toBe(250);
  expect(limitsOf({}, '').retryMs).toBe(5000);
  expect(limitsOf({}, 'BURST_APIINVOCATION_LIMIT_EXCEEDED').retryMs).toBe(30_000);
  expect(limitsOf({}, 'HOURLY_APIINVOCATION_LIMIT_EXCEEDED').retryMs).toBe(60_000);
  const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(nowSeconds + 90) };
  expect(limitsOf(spent, 'HOURLY_APIINVOCATION_LIMIT_EXCEEDED').retryMs).toBe(90_000);
});
