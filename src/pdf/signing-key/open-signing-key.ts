import type { SigningKeySettings } from '../../config/settings.ts';
import { badSigningKey } from './bad-signing-key.ts';
import type { SigningKey } from './signing-key.ts';

type Open = (settings: SigningKeySettings) => SigningKey;

/** By scheme. The names are those of sigstore's cosign and of RFC 7512, which operators of keys know. */
const adapters: Record<string, () => Promise<Open>> = {
  'awskms:': async () => (await import('./aws-kms-key.ts')).openAwsKmsKey,
  'azurekms:': async () => (await import('./azure-key-vault-key.ts')).openAzureKey,
  'gcpkms:': async () => (await import('./google-kms-key.ts')).openGoogleKmsKey,
  'pkcs11:': async () => (await import('./pkcs11-key.ts')).openPkcs11Key,
};

/** Opens the key that `SIGNING_KEY` names. Asks nothing of it yet. Throws an `OperatorError` that names the bad setting. */
export async function openSigningKey(settings: SigningKeySettings): Promise<SigningKey> {
  const scheme = /^[a-z0-9]+:/i.exec(settings.uri)?.[0].toLowerCase() ?? '';
  const adapter = adapters[scheme];
  if (adapter === undefined) {
    throw badSigningKey(
      `must start with ${Object.keys(adapters)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1')}`,
    );
  }
  return (await adapter())(settings);
}
