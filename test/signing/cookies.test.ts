import { expect, test } from 'vitest';
import {
  browserCookie,
  expiredSessionCookie,
  readBrowserCookie,
  sessionCookie,
} from '../../src/identity/session-cookie.ts';
import {
  expiredVerificationCookies,
  readVerificationCookies,
  verificationCookie,
} from '../../src/signing/verification-cookie.ts';

const https = 'https://sign.example.com';
const http = 'http://127.0.0.1:3000';
const token = 'A'.repeat(43);
const recipient = '01a1fb00-a7d3-7227-9385-744179ed3915';

const cookieHeader = (origin: string, kind: string, value = token) =>
  `${origin === https ? '__Host-' : ''}countersign_${kind}_${recipient}=${value}`;

const all = (origin: string) => [
  sessionCookie('open', token, origin, 60),
  sessionCookie('second_factor', token, origin, 60),
  expiredSessionCookie('open', origin),
  browserCookie(token, origin),
  verificationCookie(recipient, token, origin, false),
  ...expiredVerificationCookies(cookieHeader(origin, 'verified'), recipient, origin),
];

test('with https every cookie has the __Host- prefix and what browsers ask of it', () => {
  for (const cookie of all(https)) {
    expect(cookie).toMatch(/^__Host-[\w-]+=/);
    const attributes = cookie.split('; ').slice(1);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure']));
    expect(cookie).not.toContain('Domain');
  }
  for (const cookie of all(http)) expect(cookie).not.toMatch(/__Host-|Secure/);
});

test('with https a cookie without the prefix counts for nothing: another host of the domain may have set it', () => {
  const planted = `countersign_verified_${recipient}=${token}; countersign_browser=${token}`;
  expect(readVerificationCookies(planted, recipient, https)).toEqual([]);
  expect(readBrowserCookie(planted, https)).toBeNull();
  expect(readVerificationCookies(planted, recipient, http)).toEqual([token]);
  expect(readVerificationCookies(cookieHeader(https, 'verified'), recipient, https)).toEqual([token]);
});

test('a cookie for frames is one of its own, and counts next to the other', () => {
  const framed = verificationCookie(recipient, token, http, true);
  expect(framed).toMatch(/^countersign_framed_.*; SameSite=None; Secure; Partitioned$/);
  const both = `${cookieHeader(https, 'verified', 'old')}; ${cookieHeader(https, 'framed')}`;
  expect(readVerificationCookies(both, recipient, https)).toEqual(['old', token]);
  expect(expiredVerificationCookies(both, recipient, https)).toEqual([
    expect.stringMatching(/^__Host-countersign_verified_.*=; Max-Age=0.*SameSite=Strict/),
    expect.stringMatching(/^__Host-countersign_framed_.*=; Max-Age=0.*Partitioned$/),
  ]);
  expect(expiredVerificationCookies(undefined, recipient, https)).toEqual([]);
});
