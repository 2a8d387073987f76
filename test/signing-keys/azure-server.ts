import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fromBER, type Integer, type Sequence } from 'asn1js';
import { type ProviderAnswer, type ProviderServer, signDigest, startProvider } from './provider-server.ts';

export interface AzureServer extends ProviderServer {
  /** The answer to the next calls of Sign, in place of a signature. */
  fault: ProviderAnswer | null;
  tokens: number;
  signCalls: number;
  /** Invalidates every token issued so far. */
  endTokens(): void;
}

export const tenant = '7ec1dd0e-0000-4000-8000-000000000001';
export const client = 'c11e0000-0000-4000-8000-000000000002';
export const secret = 'a secret&with=signs~';
export const assertion = 'header.claims.signature';
export const identityHeader = 'header-of-app-service';
export const version = '9885aa558e8d448789683188f8c194b0';

/**
 * Azure Key Vault, Microsoft Entra ID and the managed identity endpoints on loopback, as far as their references document
 * Sign and tokens. It signs for real, with the private keys given by their name.
 */
export async function startAzure(keys: Record<string, KeyObject>): Promise<AzureServer> {
  const valid = new Set<string>();
  const grant = (lifetime: object): ProviderAnswer => {
    state.tokens += 1;
    valid.add(`token-${state.tokens}`);
    return { status: 200, body: { access_token: `token-${state.tokens}`, token_type: 'Bearer', ...lifetime } };
  };
  const server = await startProvider((request, body) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname.endsWith('/oauth2/v2.0/token')) {
      return refuseClient(request, url, body) ?? grant({ expires_in: 3599, ext_expires_in: 3599 });
    }
    const endsAt = String(Math.floor(Date.now() / 1000) + 86_400);
    if (url.pathname === '/metadata/identity/oauth2/token') {
      return refuseIdentity(request, url, 'metadata', 'true') ?? grant({ expires_in: '86399', expires_on: endsAt });
    }
    if (url.pathname === '/msi/token') {
      return refuseIdentity(request, url, 'x-identity-header', identityHeader) ?? grant({ expires_on: endsAt });
    }
    state.signCalls += 1;
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!valid.has(token)) return refusal(401, 'Unauthorized', 'AKV10000: Request is missing a Bearer or PoP token.');
    return state.fault ?? sign(request, url, JSON.parse(body), keys, state.url);
  });
  const state: AzureServer = { ...server, fault: null, tokens: 0, signCalls: 0, endTokens: () => valid.clear() };
  return state;
}

export function refusal(status: number, code: string, message: string): ProviderAnswer {
  return { status, body: { error: { code, message } } };
}

/** Follows "OAuth 2.0 client credentials flow on the Microsoft identity platform". Returns null if the client is known. */
function refuseClient({ method, headers }: IncomingMessage, url: URL, body: string): ProviderAnswer | null {
  const form = Object.fromEntries(new URLSearchParams(body));
  const isForm = method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded';
  const refuse = (error: string, description: string) => ({
    status: 401,
    body: { error, error_description: `${description}\r\nTrace ID: 0` },
  });
  if (!isForm || form.grant_type !== 'client_credentials') return refuse('unsupported_grant_type', 'AADSTS70003');
  if (url.pathname !== `/${tenant}/oauth2/v2.0/token`) return refuse('invalid_request', 'AADSTS90002: no such tenant');
  if (form.scope !== 'https://vault.azure.net/.default') return refuse('invalid_scope', 'AADSTS70011');
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const isProven =
    form.client_secret === secret || (form.client_assertion_type === type && form.client_assertion === assertion);
  const isKnown = form.client_id === client && isProven;
  return isKnown ? null : refuse('invalid_client', 'AADSTS7000215: Invalid client secret provided.');
}

function refuseIdentity(
  { method, headers }: IncomingMessage,
  { searchParams }: URL,
  header: string,
  value: string,
): ProviderAnswer | null {
  const { 'api-version': api, resource, client_id: id = client } = Object.fromEntries(searchParams);
  const isKnown = api === (header === 'metadata' ? '2018-02-01' : '2019-08-01') && id === client;
  const isRight = method === 'GET' && headers[header] === value && resource === 'https://vault.azure.net';
  if (isRight && isKnown) return null;
  return { status: 400, body: { error: 'invalid_request', error_description: 'Identity not found' } };
}

/** Sign, API version 7.4. Without a version in the path, the current one signs. */
function sign(
  { method, headers }: IncomingMessage,
  { pathname, search }: URL,
  { alg, value }: { alg?: string; value?: string },
  keys: Record<string, KeyObject>,
  vault: string,
): ProviderAnswer {
  const [, name = '', wanted] = /^\/keys\/([^/]+)\/([0-9a-f]*)\/sign$/.exec(pathname) ?? [];
  const key = keys[name];
  if (method !== 'POST' || search !== '?api-version=7.4' || headers['content-type'] !== 'application/json') {
    return refusal(400, 'BadParameter', 'bad request');
  }
  if (key === undefined || (wanted !== '' && wanted !== version)) return refusal(404, 'KeyNotFound', 'no such key');
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  const [algorithm, digestBytes] = { secp384r1: ['ES384', 48], prime256v1: ['ES256', 32] }[curve] ?? ['RS256', 32];
  const digest = Buffer.from(value ?? '', 'base64url');
  if (alg !== algorithm || digest.length !== digestBytes || /[+/=]/.test(value ?? '')) {
    return refusal(400, 'BadParameter', `Key and signing algorithm are incompatible: ${alg}`);
  }
  const signature = signDigest(key, digest);
  const made = algorithm === 'RS256' ? signature : rawOf(signature, Number(digestBytes));
  return { status: 200, body: { kid: `${vault}/keys/${name}/${version}`, value: made.toString('base64url') } };
}

/** Returns both halves of an ECDSA signature at full length, as in JSON Web Algorithms. */
function rawOf(der: Buffer, halfBytes: number): Buffer {
  const { value } = (fromBER(der).result as Sequence).valueBlock;
  return Buffer.concat(
    (value as Integer[]).map((half) => {
      const hex = half.toBigInt().toString(16);
      return Buffer.from(hex.padStart(halfBytes * 2, '0'), 'hex');
    }),
  );
}
