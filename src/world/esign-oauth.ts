import type { Configuration } from 'openid-client';
import { type EsignProfile, readProfile } from './esign-profile.ts';

/** What the vendor's OAuth server gives for a consent, and again for each refresh token. The next one replaces it. */
export interface EsignTokens {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
}

/** `reason` is a code of the vendor's or of the network's, never a token. */
export type TokenOutcome =
  | { kind: 'issued'; tokens: EsignTokens }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type ProfileOutcome =
  | { kind: 'known'; profile: EsignProfile }
  | { kind: 'no_account' }
  | { kind: 'unavailable'; reason: string };

/** The OAuth server of the e-signature vendor: authorization code with PKCE, for a client that has a secret. */
export interface EsignOauth {
  /** The host that owners are sent to, to show it to them. */
  host: string;
  authorizationUrl(wish: { redirectUri: string; state: string; codeVerifier: string }): Promise<string>;
  /** `callback`: the whole address that the owner came back to. */
  exchange(callback: URL, expected: { state: string; codeVerifier: string }): Promise<TokenOutcome>;
  refresh(refreshToken: string): Promise<TokenOutcome>;
  profile(accessToken: string): Promise<ProfileOutcome>;
  /** Whether the vendor confirmed it. */
  revoke(refreshToken: string): Promise<boolean>;
}

export interface EsignOauthSettings {
  /** Such as `https://account.docusign.com/oauth`. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** The server is on this machine: http, and base URIs that are local too. Development and tests only. */
  allowsLocal: boolean;
}

/** To read envelopes, and to go on doing so without the owner. */
const scope = 'signature extended';
/** A process that stops waits for it, since tokens that nobody takes down are lost. */
const answerWithinSeconds = 8;

/** The library is loaded when it is first needed: most processes never connect anything. */
export function createEsignOauth(settings: EsignOauthSettings): EsignOauth {
  let opening: ReturnType<typeof open> | null = null;
  const opened = () => {
    opening ??= open(settings);
    return opening;
  };

  return {
    host: new URL(settings.url).host,

    async authorizationUrl({ redirectUri, state, codeVerifier }) {
      const { client, configuration } = await opened();
      const parameters = {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      };
      return client.buildAuthorizationUrl(configuration, parameters).href;
    },

    async exchange(callback, { state, codeVerifier }) {
      const { client, configuration } = await opened();
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      return tokenOutcome(client, () => client.authorizationCodeGrant(configuration, callback, checks));
    },

    async refresh(refreshToken) {
      const { client, configuration } = await opened();
      return tokenOutcome(client, () => client.refreshTokenGrant(configuration, refreshToken), refreshToken);
    },

    async profile(accessToken) {
      const { client, configuration } = await opened();
      try {
        const answer = await client.fetchUserInfo(configuration, accessToken, client.skipSubjectCheck);
        const profile = readProfile(answer, settings);
        return profile === null ? { kind: 'no_account' } : { kind: 'known', profile };
      } catch (error) {
        return { kind: 'unavailable', reason: reasonOf(client, error) };
      }
    },

    async revoke(refreshToken) {
      const { client, configuration } = await opened();
      return client.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }).then(
        () => true,
        () => false,
      );
    },
  };
}

type Client = typeof import('openid-client');

async function open(settings: EsignOauthSettings): Promise<{ client: Client; configuration: Configuration }> {
  const client = await import('openid-client');
  const { url, clientId, clientSecret, allowsLocal } = settings;
  const server = {
    issuer: new URL(url).origin,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    revocation_endpoint: `${url}/revoke`,
  };
  const configuration = new client.Configuration(server, clientId, {}, client.ClientSecretBasic(clientSecret));
  configuration.timeout = answerWithinSeconds;
  if (allowsLocal) client.allowInsecureRequests(configuration);
  return { client, configuration };
}

/** A vendor that sends no new refresh token means the one it had. */
async function tokenOutcome(
  client: Client,
  ask: () => ReturnType<Client['refreshTokenGrant']>,
  heldRefreshToken: string | null = null,
): Promise<TokenOutcome> {
  try {
    const { access_token, refresh_token, expires_in } = await ask();
    const refreshToken = refresh_token ?? heldRefreshToken;
    if (refreshToken === null || expires_in === undefined) return { kind: 'unavailable', reason: 'incomplete_answer' };
    return { kind: 'issued', tokens: { accessToken: access_token, refreshToken, expiresInSeconds: expires_in } };
  } catch (error) {
    const reason = reasonOf(client, error);
    return { kind: refusals.has(reason) ? 'refused' : 'unavailable', reason };
  }
}

/** What asking again changes nothing about. All else may be the network, or our own settings. */
const refusals = new Set(['invalid_grant', 'access_denied', 'consent_required', 'login_required']);

/** The error itself may hold the answer, and so a token: it goes no further. */
function reasonOf(client: Client, error: unknown): string {
  const isAnswer = error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError;
  const reason = isAnswer ? error.error : ((error as { code?: unknown }).code ?? (error as Error).name);
  return String(reason).slice(0, reasonLengthMax);
}

const reasonLengthMax = 60;
