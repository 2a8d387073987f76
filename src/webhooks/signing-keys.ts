import { createSecretKey, type KeyObject } from 'node:crypto';
import type { SecretBox } from '../world/secret-box.ts';
import { secretContext } from './endpoint.ts';

const keptMax = 2000;

/**
 * Opens the encrypted secrets of endpoints, and keeps the last ones open: decrypting one and preparing it for an HMAC
 * costs ten times what signing with it does. A rolled secret is another key of the map.
 */
export function createSigningKeys(secretBox: SecretBox): (endpointId: string, sealed: Buffer) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (endpointId, sealed) => {
    const name = endpointId + sealed.toString('latin1');
    const found = kept.get(name);
    if (found !== undefined) return found;
    const key = createSecretKey(secretBox.open(sealed, secretContext(endpointId)), 'utf8');
    if (kept.size >= keptMax) kept.clear();
    kept.set(name, key);
    return key;
  };
}
