import { createSecretKey, type KeyObject } from 'node:crypto';
import type { SecretBox } from '../platform/secret-box.ts';
import { secretContext } from './endpoint.ts';

const keptMax = 2000;

/**
 * Decrypts the secrets of endpoints and caches the keys. Decrypting one costs ten times as much as signing with it. A rolled
 * secret has its own entry.
 */
export function createSigningKeys(secretBox: SecretBox): (endpointId: string, sealed: Buffer) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (endpointId, sealed) => {
    const name = endpointId + sealed.toString('latin1');
    const found = kept.get(name);
    if (found !== undefined) return found;
    const key = createSecretKey(secretBox.decrypt(sealed, secretContext(endpointId)), 'utf8');
    if (kept.size >= keptMax) kept.clear();
    kept.set(name, key);
    return key;
  };
}
