import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1), systemRandom);

test('what was sealed opens again, and is not readable meanwhile', () => {
  const sealed = box.seal('whsec_Ünïcode', 'endpoint 1');
  expect(box.open(sealed, 'endpoint 1')).toBe('whsec_Ünïcode');
  expect(sealed.toString('latin1')).not.toContain('whsec_');
});

test('the same secret sealed twice looks different', () => {
  expect(box.seal('whsec_a', 'e').equals(box.seal('whsec_a', 'e'))).toBe(false);
});

test('it opens neither for another row, nor with another key, nor altered in any byte', () => {
  const sealed = box.seal('whsec_a', 'endpoint 1');
  expect(() => box.open(sealed, 'endpoint 2')).toThrow();
  expect(() => createSecretBox(Buffer.alloc(32, 2), systemRandom).open(sealed, 'endpoint 1')).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered.writeUInt8((altered[at] as number) ^ 1, at);
    expect(() => box.open(altered, 'endpoint 1')).toThrow();
  }
  expect(() => box.open(Buffer.alloc(0), 'endpoint 1')).toThrow();
});

test('what the key before sealed is read, and sealed anew with the one of today; no other key is', () => {
  const [before, today, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
  const sealed = box.seal('whsec_a', 'endpoint 1');
  const rotated = createSecretBox(today, systemRandom, before);
  expect(rotated.open(sealed, 'endpoint 1')).toBe('whsec_a');
  expect(() => rotated.open(sealed, 'endpoint 2')).toThrow();
  const anew = rotated.reseal(sealed, 'endpoint 1') as Buffer;
  expect(createSecretBox(today, systemRandom).open(anew, 'endpoint 1')).toBe('whsec_a');
  expect(rotated.reseal(anew, 'endpoint 1')).toBe(null);
  expect(() => box.open(rotated.seal('b', 'endpoint 1'), 'endpoint 1')).toThrow();
  for (const wrong of [createSecretBox(today, systemRandom), createSecretBox(today, systemRandom, other)]) {
    expect(() => wrong.open(sealed, 'endpoint 1')).toThrow();
    expect(() => wrong.reseal(sealed, 'endpoint 1')).toThrow();
  }
});
