import { drawToken, hashToken } from '../identity/token.ts';
import { storeAuthorization } from './authorization.ts';
import { openSecret, type SsoConnection } from './connection.ts';
import { callbackPath } from './json.ts';
import { openProvider } from './provider.ts';
import type { SsoDeps } from './sso-deps.ts';

export interface StartedSignIn {
  /** In a cookie of the browser that may complete it. */
  browserToken: string;
  /** Origin of our pages. */
  origin: string;
  /** A path of this service. */
  returnTo: string;
  /** For the provider's form. Empty: not known. */
  loginHint: string;
  /** Asks the provider to ask again who it is, also if the person is signed in there. */
  asksAgain: boolean;
}

/** Google knows no way to ask again, and doesn't say when it asked. */
export const issuerWithoutAge = 'https://accounts.google.com';

/**
 * Returns the address of the provider, for a redirect. The answer is accepted once, within ten minutes, and only in the browser with
 * `browserToken`. Throws a `ProviderError`.
 */
export async function startSignIn(
  { world, db, secretBox, ...deps }: SsoDeps,
  connection: SsoConnection,
  { browserToken, origin, returnTo, loginHint, asksAgain }: StartedSignIn,
): Promise<string> {
  const { issuer, client_id: clientId } = connection;
  const provider = await openProvider(deps, { issuer, clientId, clientSecret: openSecret(secretBox, connection) });
  const { client, configuration, metadata } = provider;
  const [state, nonce, codeVerifier] = [drawToken(world.random), drawToken(world.random), drawToken(world.random)];
  const held = { stateHash: hashToken(state), browserHash: hashToken(browserToken) };
  await storeAuthorization(world, db, secretBox, held, {
    accountId: connection.account_id,
    connectionVersion: connection.version,
    returnTo,
    codeVerifier,
    nonce,
    asksAgain,
  });
  const hasGroups = connection.role_claim !== null && metadata.scopes_supported?.includes('groups');
  const parameters = {
    redirect_uri: origin + callbackPath(connection.account_id),
    scope: hasGroups ? 'openid email profile groups' : 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(loginHint !== '' && { login_hint: loginHint }),
    ...(asksAgain && { prompt: issuer === issuerWithoutAge ? 'select_account' : 'login', max_age: '0' }),
  };
  return client.buildAuthorizationUrl(configuration, parameters).href;
}
