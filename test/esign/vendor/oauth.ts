import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createOauthStore } from './oauth-store.ts';

/** An account at the vendor, as in userinfo. */
export interface VendorAccount {
  account_id: string;
  account_name: string;
  is_default: boolean;
  base_uri: string;
}

export interface VendorOauth {
  /** The value of ESIGN_OAUTH_URL. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** The settings of a service that is registered here. */
  env: Record<string, string>;
  /** The answer of userinfo. Tests may change it. */
  accounts: VendorAccount[];
  isValid(accessToken: string): Promise<boolean>;
  /** Invalidates all access tokens. Refresh tokens stay valid. */
  expireAccessTokens(): void;
  /** Invalidates all tokens, as when the person withdraws consent. */
  revokeAll(): void;
  /** The valid refresh tokens. */
  refreshTokens(): number;
  /** All tokens and codes ever issued. */
  secrets(): string[];
  /** Number of refresh token exchanges. */
  refreshes(): number;
  /** With true, everything is answered 503. With false, it works again. */
  goDown(isDown: boolean): void;
  /** Called with the path of each request before the answer. */
  onRequest: (path: string) => void | Promise<void>;
  stop(): Promise<void>;
}

export interface VendorOauthOptions {
  accessTokenSeconds?: number;
  baseUri?: string;
  /** See `createOauthStore`. */
  toleratesReuse?: boolean;
}

const clientId = 'countersign-of-the-tests';
const clientSecret = 'vendor client secret of the tests';
export const vendorUser = { name: 'Vera Vendor', email: 'vera@vendor.example' };

/** The vendor's OAuth server, a real one: it requires PKCE, rotates refresh tokens and knows one client. */
export async function startVendorOauth({
  accessTokenSeconds = 28_800,
  baseUri = 'http://127.0.0.1:1',
  toleratesReuse = false,
}: VendorOauthOptions = {}): Promise<VendorOauth> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = createOauthStore({ toleratesReuse });
  const provider = createProvider(origin, store.adapter, accessTokenSeconds);
  let refreshes = 0;
  let isDown = false;
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.params?.grant_type === 'refresh_token') refreshes++;
  });

  const vendor: VendorOauth = {
    url: origin,
    clientId,
    clientSecret,
    env: { ESIGN_OAUTH_URL: origin, ESIGN_CLIENT_ID: clientId, ESIGN_CLIENT_SECRET: clientSecret },
    accounts: [{ account_id: 'vendor-account-1', account_name: 'Vendor & Sons', is_default: true, base_uri: baseUri }],
    isValid: async (accessToken) => (await provider.AccessToken.find(accessToken)) !== undefined,
    expireAccessTokens: () => store.forget('AccessToken'),
    revokeAll() {
      store.forget('AccessToken');
      store.forget('RefreshToken');
    },
    refreshTokens: () => store.count('RefreshToken'),
    secrets: () => ['AccessToken', 'RefreshToken', 'AuthorizationCode'].flatMap((model) => store.everySeen(model)),
    refreshes: () => refreshes,
    goDown(down) {
      isDown = down;
    },
    onRequest: () => {},
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  const answerOauth = provider.callback();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? '';
    await vendor.onRequest(path);
    if (isDown) response.writeHead(503).end('down for maintenance');
    else if (path === '/oauth/userinfo') await answerUserinfo(vendor, request, response);
    else if (path.startsWith('/consent/')) await askConsent(provider, path, request, response);
    else await answerOauth(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return vendor;
}

function createProvider(origin: string, adapter: ReturnType<typeof createOauthStore>['adapter'], seconds: number) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(origin, {
    adapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${origin}/unused`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['a key of the tests'] },
    scopes: ['signature', 'extended'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, _client, code) => code.scopes.has('extended'),
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      userinfo: { enabled: false },
    },
    interactions: { url: (_ctx, { uid }) => `/consent/${uid}` },
    routes: { authorization: '/oauth/auth', token: '/oauth/token', revocation: '/oauth/revoke' },
    ttl: {
      AccessToken: seconds,
      RefreshToken: 30 * 86_400,
      AuthorizationCode: 120,
      Interaction: 3600,
      Session: 3600,
      Grant: 30 * 86_400,
    },
  });
  // The service of a test listens on any free port.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    /^http:\/\/(127\.0\.0\.1|localhost):\d+\/console\/connections\/callback$/.test(uri);
  return provider;
}

async function answerUserinfo(vendor: VendorOauth, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const isValid = await vendor.isValid(token);
  response.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isValid ? { sub: 'vera', ...vendorUser, accounts: vendor.accounts } : { error: 'nope' }));
}

/** The page on which the person agrees or declines. */
async function askConsent(provider: Provider, path: string, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Vendor</title><h1>Allow Countersign to read your envelopes?</h1>
<form method="post" action="${path}/allow"><button>Allow</button></form>
<form method="post" action="${path}/refuse"><button>Refuse</button></form>`);
  } else if (path.endsWith('/refuse')) {
    await provider.interactionFinished(request, response, { error: 'access_denied' });
  } else {
    const grant = new provider.Grant({ accountId: 'vera', clientId });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { login: { accountId: 'vera' }, consent: { grantId } });
  }
}
