import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1), systemRandom);

test('an encrypted secret is unreadable until it is decrypted', () => {
  const encrypted = box.encrypt('whsec_Ünïcode', 'endpoint 1');
  expect(box.decrypt(encrypted, 'endpoint 1')).toBe('whsec_Ünïcode');
  expect(encrypted.toString('latin1')).not.toContain('whsec_');
});

test('encrypting the same secret twice gives different bytes', () => {
  expect(box.encrypt('whsec_a', 'e').equals(box.encrypt('whsec_a', 'e'))).toBe(false);
});

test('a secret does not decrypt for another row, with another key, or after any byte changed', () => {
  const encrypted = box.encrypt('whsec_a', 'endpoint 1');
  expect(() => box.decrypt(encrypted, 'endpoint 2')).toThrow();
  expect(() => createSecretBox(Buffer.alloc(32, 2), systemRandom).decrypt(encrypted, 'endpoint 1')).toThrow();
  for (let at = 0; at < encrypted.length; at++) {
    const altered = Buffer.from(encrypted);
    altered.writeUInt8((altered[at] as number) ^ 1, at);
    expect(() => box.decrypt(altered, 'endpoint 1')).toThrow();
  }
  expect(() => box.decrypt(Buffer.alloc(0), 'endpoint 1')).toThrow();
});

test('the previous key still decrypts, and reencrypt moves a secret to the current key', () => {
  const [before, today, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
  const encrypted = box.encrypt('whsec_a', 'endpoint 1');
  const rotated = createSecretBox(today, systemRandom, before);
  expect(rotated.decrypt(encrypted, 'endpoint 1')).toBe('whsec_a');
  expect(() => rotated.decrypt(encrypted, 'endpoint 2')).toThrow();
  const renewed = rotated.reencrypt(encrypted, 'endpoint 1') as Buffer;
  expect(createSecretBox(today, systemRandom).decrypt(renewed, 'endpoint 1')).toBe('whsec_a');
  expect(rotated.reencrypt(renewed, 'endpoint 1')).toBe(null);
  expect(() => box.decrypt(rotated.encrypt('b', 'endpoint 1'), 'endpoint 1')).toThrow();
  for (const wrong of [createSecretBox(today, systemRandom), createSecretBox(today, systemRandom, other)]) {
    expect(() => wrong.decrypt(encrypted, 'endpoint 1')).toThrow();
    expect(() => wrong.reencrypt(encrypted, 'endpoint 1')).toThrow();
  }
});
