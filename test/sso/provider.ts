import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createOauthStore } from '../esign/vendor/oauth-store.ts';

export const clientId = 'countersign-of-the-tests';
export const clientSecret = 'client secret of the tests';

/** Claims of someone at the provider, without `sub`. */
export type ProviderPerson = Record<string, unknown>;

export interface TestProvider {
  issuer: string;
  /** People by subject. */
  people: Map<string, ProviderPerson>;
  /** Who signs in when no page asks. */
  subject: string;
  /** Whether a page asks who signs in, as in a browser. */
  asks: boolean;
  /** Answers the consent with `access_denied`. */
  declines: boolean;
  /** Changes an answer before it is sent. Null: it stays. */
  change: ((path: string, body: string) => string | null) | null;
  /** The paths that were asked for, in order. */
  requests: string[];
  /** Makes an ID token of these claims, signed as `how` says. */
  token(claims: Record<string, unknown>, how?: 'ES256' | 'HS256' | 'none' | 'other_key'): string;
  /** The codes and tokens that were issued. */
  secrets(): string[];
  stop(): Promise<void>;
}

/** An OpenID Connect provider, a real one: it requires PKCE and a nonce. `inToken`: claims are in the ID token too. */
export async function startProvider({ inToken = true, path = '' } = {}): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const store = createOauthStore({ toleratesReuse: false });
  const test: TestProvider = {
    issuer,
    people: new Map(),
    subject: '',
    asks: false,
    declines: false,
    change: null,
    requests: [],
    token: (claims, how = 'ES256') => makeToken(claims, how, how === 'other_key' ? other : privateKey),
    secrets: () => ['AccessToken', 'AuthorizationCode'].flatMap((model) => store.everySeen(model)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = createProvider(test, privateKey, store.adapter, inToken);
  const answerOidc = provider.callback();
  server.on('request', (request, response) => {
    const asked = request.url?.split('?')[0] ?? '';
    test.requests.push(asked);
    if (test.change !== null) changeAnswer(test, asked, response);
    const answered = asked.startsWith('/interaction/') ? askWho(provider, test, request, response) : null;
    if (answered === null) answerOidc(request, response);
    else answered.catch(() => response.destroy());
  });
  return test;
}

function createProvider(
  test: TestProvider,
  privateKey: KeyObject,
  adapter: ReturnType<typeof createOauthStore>['adapter'],
  inToken: boolean,
) {
  const provider = new Provider(test.issuer, {
    adapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [`${test.issuer}/unused`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: keyId }] },
    cookies: { keys: ['a key of the tests'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub', 'auth_time', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups', 'realm_access'],
    },
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    findAccount: async (_ctx, accountId) => {
      const person = test.people.get(accountId);
      return person && { accountId, claims: async () => ({ sub: accountId, ...person }) };
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 120, IdToken: 600, Interaction: 3600, Session: 3600, Grant: 3600 },
  });
  // The service of a test listens on any free port.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    /^http:\/\/(127\.0\.0\.1|localhost):\d+\/sign-in\/sso\/callback\/[0-9a-f-]{36}$/.test(uri);
  return provider;
}

const keyId = 'key-1';

function makeToken(claims: Record<string, unknown>, how: string, key: KeyObject): string {
  const alg = how === 'other_key' ? 'ES256' : how;
  const head = [{ alg, typ: 'JWT', kid: keyId }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = Buffer.from(head.join('.'));
  if (how === 'none') return `${signed}.`;
  const signature =
    how === 'HS256'
      ? createHmac('sha256', clientSecret).update(signed).digest()
      : sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** Holds the answer back until it is complete, and changes it. */
function changeAnswer(test: TestProvider, path: string, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  const end = response.end.bind(response);
  response.write = ((chunk: string | Buffer) => {
    chunks.push(Buffer.from(chunk));
    return true;
  }) as never;
  response.end = ((chunk?: string | Buffer) => {
    if (chunk !== undefined && typeof chunk !== 'function') chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    const changed = test.change?.(path, body) ?? body;
    if (!response.headersSent) response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as never;
}

/** The page on which people say who they are. */
async function askWho(provider: Provider, test: TestProvider, request: IncomingMessage, response: ServerResponse) {
  const { params, prompt } = await provider.interactionDetails(request, response);
  const path = request.url?.split('?')[0] ?? '';
  if (test.declines || path.endsWith('/refuse')) {
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  }
  if (test.asks && request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Provider</title><h1>Sign in at the provider</h1>
<p>${String(params.login_hint ?? '')}</p><form method="post" action="${path}"><button>Sign in</button></form>
<form method="post" action="${path}/refuse"><button>Refuse</button></form>`);
    return;
  }
  const grant = new provider.Grant({ accountId: test.subject, clientId });
  grant.addOIDCScope(String(params.scope));
  const grantId = await grant.save();
  const login = { accountId: test.subject, amr: ['pwd', 'otp'] };
  const result = prompt.name === 'login' ? { login, consent: { grantId } } : { consent: { grantId } };
  return provider.interactionFinished(request, response, result);
}
