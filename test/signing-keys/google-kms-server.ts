import { type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { crc32c } from '../../src/pdf/signing-key/crc32c.ts';
import { type ProviderAnswer, type ProviderServer, signDigest, startProvider } from './provider-server.ts';

export interface GoogleKmsServer extends ProviderServer {
  /** The answer to the next calls of asymmetricSign, in place of a signature. */
  fault: ProviderAnswer | null;
  /** Changes the answers of the next signatures. */
  tamper: (answer: Record<string, unknown>) => Record<string, unknown>;
  /** Google's time, in milliseconds. Null: the time of this machine. */
  now: number | null;
  tokens: number;
  signCalls: number;
  /** Invalidates every token issued so far. */
  endTokens(): void;
}

export const keyRing = 'projects/example.com:acme/locations/europe-west1/keyRings/seals/cryptoKeys';
export const account = 'countersign@acme.iam.gserviceaccount.com';

/**
 * Google Cloud KMS, its token service and the metadata server on loopback, as far as their references document
 * asymmetricSign and tokens. It signs for real, with the private keys given by the name of their crypto key.
 */
export async function startGoogleKms(keys: Record<string, KeyObject>, accountKey: KeyObject): Promise<GoogleKmsServer> {
  const valid = new Set<string>();
  const grant = (): ProviderAnswer => {
    state.tokens += 1;
    valid.add(`ya29.${state.tokens}`);
    return { status: 200, body: { access_token: `ya29.${state.tokens}`, expires_in: 3599, token_type: 'Bearer' } };
  };
  const server = await startProvider((request, body) => {
    if (request.url === '/token')
      return refuseAssertion(request, body, accountKey, `${state.url}/token`, state.now ?? Date.now()) ?? grant();
    if (request.url === '/computeMetadata/v1/instance/service-accounts/default/token') {
      return request.headers['metadata-flavor'] === 'Google' ? grant() : { status: 403, body: 'Forbidden' };
    }
    state.signCalls += 1;
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!valid.has(token)) return refusal(401, 'UNAUTHENTICATED');
    const answer = state.fault ?? asymmetricSign(request, JSON.parse(body), keys);
    return answer.status === 200 ? { status: 200, body: state.tamper(Object(answer.body)) } : answer;
  });
  const state: GoogleKmsServer = {
    ...server,
    fault: null,
    tamper: (answer) => answer,
    now: null,
    tokens: 0,
    signCalls: 0,
    endTokens: () => valid.clear(),
  };
  return state;
}

export function refusal(code: number, status: string, message = 'no'): ProviderAnswer {
  return { status: code, body: { error: { code, message, status } } };
}

/** Follows "Using OAuth 2.0 for server to server applications". Returns null if the assertion is valid. */
function refuseAssertion(
  { method, headers }: IncomingMessage,
  body: string,
  key: KeyObject,
  audience: string,
  now: number,
): ProviderAnswer | null {
  const form = new URLSearchParams(body);
  const isForm = method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded';
  if (!isForm || form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  }
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const holds = verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'));
  const [{ alg, typ }, { iss, scope, aud, iat, exp }] = [head, claims].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')),
  );
  const invalid = (description: string) => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: description },
  });
  if (!holds || alg !== 'RS256' || typ !== 'JWT') return invalid('Invalid JWT Signature.');
  if (iss !== account || aud !== audience) return invalid('Invalid issuer or audience.');
  if (Math.abs(iat - now / 1000) > 300 || exp - iat > 3600) return invalid('Invalid JWT: check iat and exp.');
  const isForKms = scope === 'https://www.googleapis.com/auth/cloudkms';
  return isForKms ? null : { status: 400, body: { error: 'invalid_scope' } };
}

/** The digest that each type of key takes: RSA_SIGN_PKCS1_2048_SHA256, EC_SIGN_P256_SHA256, EC_SIGN_P384_SHA384. */
function digestOf(key: KeyObject): 'sha256' | 'sha384' {
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'sha384' : 'sha256';
}

function asymmetricSign(
  { method, url, headers }: IncomingMessage,
  body: { digest?: Record<string, string>; digestCrc32c?: string },
  keys: Record<string, KeyObject>,
): ProviderAnswer {
  const [, name = '', id = ''] =
    /^\/v1\/(projects\/.+\/cryptoKeys\/([^/]+)\/cryptoKeyVersions\/\d+):asymmetricSign$/.exec(url ?? '') ?? [];
  const key = keys[id];
  if (method !== 'POST' || key === undefined || name !== `${keyRing}/${id}/cryptoKeyVersions/1`) {
    return refusal(404, 'NOT_FOUND');
  }
  const digest = Buffer.from(body.digest?.[digestOf(key)] ?? '', 'base64');
  const isJson = headers['content-type'] === 'application/json';
  if (!isJson || digest.length !== { sha256: 32, sha384: 48 }[digestOf(key)]) {
    return refusal(400, 'INVALID_ARGUMENT', 'the digest does not fit the algorithm of the key');
  }
  if (body.digestCrc32c !== String(crc32c(digest))) return refusal(400, 'INVALID_ARGUMENT', 'digest_crc32c');
  const signature = signDigest(key, digest);
  return {
    status: 200,
    body: {
      signature: signature.toString('base64'),
      signatureCrc32c: String(crc32c(signature)),
      verifiedDigestCrc32c: true,
      name,
      protectionLevel: 'HSM',
    },
  };
}
