import { expect, test } from 'vitest';
import { systemRandom } from '../platform/random.ts';
import { hashPassword, matchesPassword } from './password.ts';

test('a password matches its own hash alone, however its letters are composed', async () => {
  const hash = await hashPassword(systemRandom, 'contraseña larga');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await matchesPassword(hash, 'contrasen\u0303a larga')).toBe(true);
  expect(await matchesPassword(hash, 'contrasena larga')).toBe(false);
  expect(await hashPassword(systemRandom, 'contraseña larga')).not.toBe(hash);
});

test('a hash of other costs, as another program wrote it, is still compared', async () => {
  // printf 'password' | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 (the reference implementation's own test vector)
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await matchesPassword(hash, 'password')).toBe(true);
  expect(await matchesPassword(hash, 'Password')).toBe(false);
});

test('nothing matches where there is no password, or what is kept is none', async () => {
  for (const hash of [null, '', '$argon2id$v=19$m=1$x', 'correct horse']) {
    expect(await matchesPassword(hash, 'correct horse')).toBe(false);
  }
});
