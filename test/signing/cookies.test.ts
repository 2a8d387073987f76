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
  verificationCookies,
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

test('a browser that is never closed keeps no more cookies than the server takes', () => {
  const others = Array.from({ length: 150 }, (_, index) => `${index}`.padStart(36, '0'));
  const of = (id: string) => `__Host-countersign_verified_${id}`;
  let sent: string[] = ['__Host-countersign_session=x'];
  for (const id of [...others, recipient]) {
    const [added = '', ...deleted] = verificationCookies(sent.join('; '), id, token, https, false);
    const names = deleted.map((cookie) => cookie.split('=')[0]);
    expect(deleted.every((cookie) => cookie.includes('Max-Age=0; Path=/'))).toBe(true);
    sent = [...sent.filter((pair) => !names.includes(pair.split('=')[0])), added.split(';')[0] ?? ''];
  }
  expect(sent.map((pair) => pair.split('=')[0])).toEqual([
    '__Host-countersign_session',
    ...others.slice(-20).map(of),
    of(recipient),
  ]);
  // The own cookie doesn't count, and each kind is deleted as it was set.
  expect(verificationCookies(sent.join('; '), recipient, token, https, false)).toHaveLength(1);
  const framed = others.slice(0, 21).map((id) => `__Host-countersign_framed_${id}=x`);
  expect(verificationCookies(framed.join('; '), recipient, token, https, true)).toEqual([
    expect.stringContaining(`__Host-countersign_framed_${recipient}=${token}`),
    expect.stringMatching(/^__Host-countersign_framed_0+=; Max-Age=0.*SameSite=None; Secure; Partitioned$/),
  ]);
});
