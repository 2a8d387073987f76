import { expect, test } from 'vitest';
import { base32, codeAt, otpauthUri, stepOfCode } from './totp.ts';

const secret = base32(Buffer.from('12345678901234567890'));

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %i seconds the code is the one of RFC 6238', (seconds, code) => {
  expect(codeAt(secret, new Date(seconds * 1000))).toBe(code);
  expect(stepOfCode(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

test('a code holds a step before and a step after its own, and no longer', () => {
  const at = (seconds: number) => new Date(1_111_111_110_000 + seconds * 1000);
  const code = codeAt(secret, at(0));
  const step = stepOfCode(secret, code, at(0));
  expect([-30, -1, 29, 59].map((seconds) => stepOfCode(secret, code, at(seconds)))).toEqual([step, step, step, step]);
  expect([-31, 60].map((seconds) => stepOfCode(secret, code, at(seconds)))).toEqual([null, null]);
  expect(stepOfCode(secret, '', at(0))).toBeNull();
});

test('base 32 is that of RFC 4648', () => {
  const texts = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  const encoded = ['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  expect(texts.map((text) => base32(Buffer.from(text)))).toEqual(encoded);
});

test('the address names the service, the person and the secret', () => {
  const uri = new URL(otpauthUri(secret, 'ada+x@example.com'));
  expect(decodeURIComponent(uri.pathname)).toBe('/Countersign:ada+x@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Countersign',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
