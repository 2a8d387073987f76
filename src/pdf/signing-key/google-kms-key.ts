import { secureUrl } from '../../config/secure-url.ts';
import { badSetting } from '../../config/setting-reader.ts';
import type { SigningKeySettings } from '../../config/settings.ts';
import { createAccessTokens, requestWithToken } from './access-tokens.ts';
import { badSigningKey } from './bad-signing-key.ts';
import { crc32c } from './crc32c.ts';
import { fetchGoogleToken } from './google-token.ts';
import { excerpt, type JsonAnswer, requestJson } from './request-json.ts';
import { type SigningKey, SigningKeyError, signTimeoutMs } from './signing-key.ts';

const provider = 'Google Cloud KMS';

/** A key version of Google Cloud KMS, by its method asymmetricSign. */
export function openGoogleKmsKey(settings: SigningKeySettings): SigningKey {
  const name = parseGoogleKmsUri(settings.uri);
  const endpoint = readEndpoint(settings.environment);
  const tokens = createAccessTokens(() => fetchGoogleToken(settings));
  return {
    async sign(request) {
      const signal = AbortSignal.timeout(signTimeoutMs);
      const body = JSON.stringify({
        digest: { [request.digestAlgorithm.replace('-', '').toLowerCase()]: request.digest.toString('base64') },
        digestCrc32c: String(crc32c(request.digest)),
      });
      const answer = await requestWithToken(tokens, (token) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        return requestJson(provider, `${endpoint}/v1/${name}:asymmetricSign`, {
          method: 'POST',
          headers,
          body,
          signal,
        });
      });
      if (answer.status !== 200) throw new SigningKeyError(explainRefusal(answer));
      return readSignature(answer, name);
    },
  };
}

/** Returns the resource name. `versions` is short for `cryptoKeyVersions`, as in cosign. */
function parseGoogleKmsUri(uri: string): string {
  const segment = '[A-Za-z0-9_-]+';
  // The id of a project may start with its domain: example.com:project.
  const form = new RegExp(
    `^gcpkms://(projects/[A-Za-z0-9_.:-]+/locations/${segment}/keyRings/${segment}/cryptoKeys/${segment})/(?:cryptoKeyVersions|versions)/(\\d+)$`,
    'i',
  );
  const [, key, version] = form.exec(uri) ?? [];
  if (key === undefined) {
    throw badSigningKey(
      'must look like gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/1, with the version',
    );
  }
  return `${key}/cryptoKeyVersions/${version}`;
}

/** By the variable that gcloud reads, such as for Private Service Connect. */
function readEndpoint(environment: SigningKeySettings['environment']): string {
  const setting = 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS';
  const url = secureUrl(environment[setting] || 'https://cloudkms.googleapis.com/');
  if (url === null) throw badSetting(setting, 'must start with https: unless it is on this machine');
  return url.href.replace(/\/+$/, '');
}

/** Checks what Google's data integrity guidelines ask for. A later try may succeed. */
function readSignature({ body }: JsonAnswer, name: string): Buffer {
  if (typeof body.signature !== 'string') throw new SigningKeyError(`${provider} answered without a signature`);
  if (body.name !== name) throw new SigningKeyError(`${provider} signed with another key`);
  const signature = Buffer.from(body.signature, 'base64');
  const isIntact = body.verifiedDigestCrc32c === true && body.signatureCrc32c === String(crc32c(signature));
  if (!isIntact) throw new SigningKeyError(`the request or the answer of ${provider} was damaged on its way`);
  return signature;
}

/** By the status of the error (google.rpc.Code). */
const refusals = new Map<unknown, string>([
  ['UNAUTHENTICATED', 'Google does not accept the access token of these credentials'],
  [
    'PERMISSION_DENIED',
    'Google denies access: the service account needs cloudkms.cryptoKeyVersions.useToSign on the key (role Cloud KMS CryptoKey Signer)',
  ],
  ['NOT_FOUND', `${provider} has no such key version`],
  ['RESOURCE_EXHAUSTED', `the quota of ${provider} is used up for now`],
]);

function explainRefusal({ status, body }: JsonAnswer): string {
  const { status: code, message } = Object(body.error);
  const known = refusals.get(code);
  return known ?? `${provider} answered ${status}${code ? ` ${excerpt(code)}` : ''}: ${excerpt(message)}`;
}
