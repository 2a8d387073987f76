import { expect, test } from 'vitest';
import {
  browserCookie,
  expiredSessionCookie,
  readBrowserCookie,
  sessionCookie,
} from '../../src/identity/session-cookie.ts';
import {
  expiredVerificationCookie,
  readVerificationCookie,
  verificationCookie,
} from '../../src/signing/verification-cookie.ts';

const https = 'https://sign.example.com';
const http = 'http://127.0.0.1:3000';
const token = 'A'.repeat(43);
const recipient = '01a1fb00-a7d3-7227-9385-744179ed3915';

const all = (origin: string) => [
  sessionCookie('open', token, origin, 60),
  sessionCookie('second_factor', token, origin, 60),
  expiredSessionCookie('open', origin),
  browserCookie(token, origin),
  verificationCookie(recipient, token, origin),
  expiredVerificationCookie(recipient, origin),
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
  expect(readVerificationCookie(planted, recipient, https)).toBeNull();
  expect(readBrowserCookie(planted, https)).toBeNull();
  expect(readVerificationCookie(planted, recipient, http)).toBe(token);
  expect(readVerificationCookie(`__Host-countersign_verified_${recipient}=${token}`, recipient, https)).toBe(token);
});
