import type { Configuration } from 'openid-client';
import { type EsignProfile, readProfile } from './profile.ts';

/** Tokens of the vendor's OAuth server, from a consent or a refresh. Each refresh replaces them. */
export interface EsignTokens {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
}

/** Result of a token request. `reason` is a code of the vendor or the network, never a token. */
export type TokenOutcome =
  | { kind: 'issued'; tokens: EsignTokens }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

export type ProfileOutcome =
  | { kind: 'known'; profile: EsignProfile }
  | { kind: 'no_account' }
  | { kind: 'unavailable'; reason: string };

/** Client of the e-signature vendor's OAuth server: authorization code with PKCE, with a client secret. */
export interface EsignOauth {
  /** Host that owners are sent to, for display. */
  host: string;
  authorizationUrl(request: { redirectUri: string; state: string; codeVerifier: string }): Promise<string>;
  /** Exchanges the code for tokens. `callback` is the full URL that the owner returned to. */
  exchange(callback: URL, expected: { state: string; codeVerifier: string }): Promise<TokenOutcome>;
  refresh(refreshToken: string): Promise<TokenOutcome>;
  profile(accessToken: string): Promise<ProfileOutcome>;
  /** Revokes the consent. Returns whether the vendor confirmed it. */
  revoke(refreshToken: string): Promise<boolean>;
}

export interface EsignOauthSettings {
  /** For example `https://account.docusign.com/oauth`. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Allows http and a local server with local base URIs. For development and tests only. */
  allowsLocal: boolean;
}

/** Scope to read envelopes, with refresh tokens that work without the owner. */
const scope = 'signature extended';
/** A stopping process waits for the answer, because tokens that are not stored are lost. */
const answerWithinSeconds = 8;

/** Loads the library at first use, because most processes never connect a vendor. */
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

/** Keeps the old refresh token if the vendor sends no new one. */
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

/** Errors that a retry cannot fix. All others may be caused by the network or our settings. */
const refusals = new Set(['invalid_grant', 'access_denied', 'consent_required', 'login_required']);

/** Returns a code for an error. The error itself may contain a token, so it is not passed on. */
function reasonOf(client: Client, error: unknown): string {
  const isAnswer = error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError;
  const reason = isAnswer ? error.error : ((error as { code?: unknown }).code ?? (error as Error).name);
  return String(reason).slice(0, reasonLengthMax);
}

const reasonLengthMax = 60;
