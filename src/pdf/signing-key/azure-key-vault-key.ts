import { isThisMachine } from '../../config/secure-url.ts';
import type { SigningKeySettings } from '../../config/settings.ts';
import { encodeEcdsaSignature } from '../signatures/ecdsa-signature.ts';
import { createAccessTokens, requestWithToken } from './access-tokens.ts';
import { type AzureCloud, azureCloudOf, vaultSuffixes } from './azure-cloud.ts';
import { chooseAzureCredentials } from './azure-token.ts';
import { badSigningKey } from './bad-signing-key.ts';
import { excerpt, type JsonAnswer, requestJson } from './request-json.ts';
import { type SignatureRequest, type SigningKey, SigningKeyError, signTimeoutMs } from './signing-key.ts';

interface AzureKeyLocation {
  /** Ends with the key and its version. The version is empty for the current one. */
  keyUrl: string;
  cloud: AzureCloud;
}

const provider = 'Azure Key Vault';
const apiVersion = '7.4';

/** A key of Azure Key Vault or of a managed HSM, by its Sign operation. */
export function openAzureKey(settings: SigningKeySettings): SigningKey {
  const { keyUrl, cloud } = parseAzureUri(settings.uri);
  const tokens = createAccessTokens(chooseAzureCredentials(settings, cloud));
  return {
    async sign(request) {
      const signal = AbortSignal.timeout(signTimeoutMs);
      const body = JSON.stringify({ alg: algorithmOf(request), value: request.digest.toString('base64url') });
      const answer = await requestWithToken(tokens, (token) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const url = `${keyUrl}/sign?api-version=${apiVersion}`;
        return requestJson(provider, url, { method: 'POST', headers, body, signal });
      });
      if (answer.status !== 200) throw new SigningKeyError(explainRefusal(answer));
      return readSignature(answer, keyUrl, request);
    },
  };
}

/** `azurekms://name.vault.azure.net/key` or `…/key/version`, as cosign writes it. A vault on this machine is for tests. */
function parseAzureUri(uri: string): AzureKeyLocation {
  const form = /^azurekms:\/\/([^/?#@\s]+)\/([A-Za-z0-9-]{1,127})(?:\/([0-9a-f]{32}))?$/i;
  const [, host, key, version = ''] = form.exec(uri) ?? [];
  if (host === undefined) throw badSigningKey('must look like azurekms://name.vault.azure.net/key or …/key/version');
  const { hostname } = URL.parse(`https://${host}`) ?? { hostname: '' };
  const isLocal = isThisMachine(hostname);
  const cloud = azureCloudOf(isLocal ? 'local.vault.azure.net' : host.toLowerCase());
  if (cloud === null) throw badSigningKey(`must name a vault: a host that ends with ${vaultSuffixes.join(', ')}`);
  return {
    keyUrl: `${isLocal ? 'http' : 'https'}://${host.toLowerCase()}/keys/${key}/${version.toLowerCase()}`,
    cloud,
  };
}

/** JSON Web Algorithms (RFC 7518, 3.1). */
function algorithmOf({ keyType, digestAlgorithm }: SignatureRequest): string {
  return (keyType === 'RSA' ? 'RS' : 'ES') + digestAlgorithm.slice('SHA-'.length);
}

/** Both halves of an ECDSA signature, as long as the order of the curve that fits the digest. */
const ecdsaBytes = { 'SHA-256': 64, 'SHA-384': 96, 'SHA-512': 132 };

function readSignature({ body }: JsonAnswer, keyUrl: string, { keyType, digestAlgorithm }: SignatureRequest): Buffer {
  if (typeof body.value !== 'string') throw new SigningKeyError(`${provider} answered without a signature`);
  if (!isOfKey(body.kid, keyUrl)) throw new SigningKeyError(`${provider} signed with another key`);
  const signature = Buffer.from(body.value, 'base64url');
  if (keyType === 'RSA') return signature;
  if (signature.length !== ecdsaBytes[digestAlgorithm]) {
    throw new SigningKeyError(`${provider} answered with a signature of another curve than the certificate's`);
  }
  const half = signature.length / 2;
  const [r, s] = [signature.subarray(0, half), signature.subarray(half)];
  return encodeEcdsaSignature(BigInt(`0x${r.toString('hex')}`), BigInt(`0x${s.toString('hex')}`));
}

/** Names of keys are the same in any case. */
function isOfKey(kid: unknown, keyUrl: string): boolean {
  const path = typeof kid === 'string' ? URL.parse(kid)?.pathname : undefined;
  return path?.toLowerCase().startsWith(new URL(keyUrl).pathname.toLowerCase()) ?? false;
}

/** By the HTTP status. Key Vault has one code for many reasons (BadParameter), and explains in the message. */
const refusals: Record<number, string> = {
  401: `${provider} does not accept the access token: are the vault and the credentials of one tenant?`,
  403: 'Azure denies access: these credentials need the permission keys/sign, and the key must be enabled and within its dates',
  404: `${provider} has no such key or version`,
  429: `the request limit of ${provider} is reached for now`,
};

function explainRefusal({ status, body }: JsonAnswer): string {
  const { code, message } = Object(body.error);
  const known = refusals[status];
  if (known !== undefined) return message ? `${known} (${excerpt(message)})` : known;
  return `${provider} answered ${status}${code ? ` ${excerpt(code)}` : ''}: ${excerpt(message)}`;
}
