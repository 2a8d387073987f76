import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Encrypts what must be shown to a peer again, such as a webhook secret, with a key made from SECRET_KEY. What is sealed
 * for one purpose and row (`context`) opens for no other: swapping two rows of a stolen database yields nothing.
 */
export interface SecretBox {
  seal(plain: string, context: string): Buffer;
  /** Throws when it was sealed with neither SECRET_KEY nor the one before, for another context, or was altered. */
  open(sealed: Buffer, context: string): string;
  /** What was sealed with the key before, sealed anew. Null: there is no need to. Throws as `open` does. */
  reseal(sealed: Buffer, context: string): Buffer | null;
}

const cipher = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** `previousKey`: what SECRET_KEY was before, as long as anything may still be sealed with it. */
export function createSecretBox(secretKey: Buffer, random: Random, previousKey: Buffer | null = null): SecretBox {
  const key = derive(secretKey);
  const previous = previousKey === null ? null : derive(previousKey);
  const seal = (plain: string, context: string) => sealWith(key, random.bytes(nonceBytes), plain, context);

  return {
    seal,

    open(sealed, context) {
      if (previous === null) return openWith(key, sealed, context);
      try {
        return openWith(key, sealed, context);
      } catch {
        return openWith(previous, sealed, context);
      }
    },

    reseal(sealed, context) {
      try {
        openWith(key, sealed, context);
        return null;
      } catch (error) {
        if (previous === null) throw error;
        return seal(openWith(previous, sealed, context), context);
      }
    },
  };
}

function derive(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'countersign secret box', 32));
}

function sealWith(key: Buffer, nonce: Buffer, plain: string, context: string): Buffer {
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([encryption.update(plain, 'utf8'), encryption.final()]);
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), sealed]);
}

function openWith(key: Buffer, sealed: Buffer, context: string): string {
  if (sealed[0] !== version) throw new Error('not a secret that this version sealed');
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decryption = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  return decryption.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8');
}
