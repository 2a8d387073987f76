import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts secrets that must be readable again, such as webhook secrets, with a key derived from SECRET_KEY.
 * Each value is bound to one purpose and row (`context`), so values swapped between rows of a stolen database
 * don't decrypt.
 */
export interface SecretBox {
  encrypt(plain: string, context: string): Buffer;
  /**
   * Decrypts with SECRET_KEY or the previous key. Throws if neither key fits, the context differs or the bytes were
   * altered.
   */
  decrypt(encrypted: Buffer, context: string): string;
  /** Encrypts with SECRET_KEY a value of the previous key. Null if it already uses SECRET_KEY. Throws like `decrypt`. */
  reencrypt(encrypted: Buffer, context: string): Buffer | null;
}

const cipher = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Creates a `SecretBox`. `previousKey` is the former SECRET_KEY, as long as stored values may still use it. */
export function createSecretBox(secretKey: Buffer, random: Random, previousKey: Buffer | null = null): SecretBox {
  const key = derive(secretKey);
  const previous = previousKey === null ? null : derive(previousKey);
  const encrypt = (plain: string, context: string) => encryptWith(key, random.bytes(nonceBytes), plain, context);

  return {
    encrypt,

    decrypt(encrypted, context) {
      if (previous === null) return decryptWith(key, encrypted, context);
      try {
        return decryptWith(key, encrypted, context);
      } catch {
        return decryptWith(previous, encrypted, context);
      }
    },

    reencrypt(encrypted, context) {
      try {
        decryptWith(key, encrypted, context);
        return null;
      } catch (error) {
        if (previous === null) throw error;
        return encrypt(decryptWith(previous, encrypted, context), context);
      }
    },
  };
}

function derive(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign secret box', 32));
}

/** Stored format: version (1 byte), nonce, authentication tag, ciphertext. */
function encryptWith(key: Buffer, nonce: Buffer, plain: string, context: string): Buffer {
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([encryption.update(plain, 'utf8'), encryption.final()]);
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), ciphertext]);
}

function decryptWith(key: Buffer, encrypted: Buffer, context: string): string {
  if (encrypted[0] !== version) throw new Error('the secret has an unknown format version');
  const nonce = encrypted.subarray(1, 1 + nonceBytes);
  const tag = encrypted.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decryption = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  return decryption.update(encrypted.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8');
}
