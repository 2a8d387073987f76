import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts what must be shown to a peer again, such as a webhook secret, with a key made from SECRET_KEY. What is sealed
 * for one purpose and row (`context`) opens for no other: swapping two rows of a stolen database yields nothing.
 */
export interface SecretBox {
  seal(plain: string, context: string): Buffer;
  /** Throws when it was sealed with another SECRET_KEY or for another context, or was altered. */
  open(sealed: Buffer, context: string): string;
}

const cipher = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export function createSecretBox(secretKey: Buffer, random: Random): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign secret box', 32));

  return {
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([encryption.update(plain, 'utf8'), encryption.final()]);
      return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), sealed]);
    },

    open(sealed, context) {
      if (sealed[0] !== version) throw new Error('not a secret that this version sealed');
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decryption = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
      return (
        decryption.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8')
      );
    },
  };
}
