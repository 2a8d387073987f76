import type { SsoAuthorization } from './authorization.ts';
import { openSecret, type SsoConnection } from './connection.ts';
import { asProviderError, openProvider, ProviderError } from './provider.ts';
import type { SsoDeps } from './sso-deps.ts';

/** What a provider says of a person. */
export interface ProvenClaims {
  issuer: string;
  subject: string;
  /** Null: it names no address. */
  email: string | null;
  /** Null: the provider doesn't say. */
  isEmailVerified: boolean | null;
  /** The values of the group claim. Null: the provider leaves them out, because there are too many. */
  groups: string[] | null;
  /** How many seconds before its answer the provider asked who it is. Null: it does not say. */
  ageSeconds: number | null;
  /** How the person proved who they are there, such as `pwd` and `otp`, for the audit. */
  methods: string[];
}

type Claims = Record<string, unknown>;

/**
 * Exchanges the code of the callback for a token and checks it: issuer, audience, signature, nonce, times, PKCE and the `iss`
 * parameter. Asks the provider's user info for an address or groups that the token lacks. Throws a `ProviderError`.
 */
export async function exchangeCode(
  { secretBox, ...deps }: SsoDeps,
  connection: SsoConnection,
  { codeVerifier, nonce }: SsoAuthorization,
  callback: URL,
): Promise<ProvenClaims> {
  const { issuer, client_id: clientId, role_claim: roleClaim } = connection;
  const provider = await openProvider(deps, { issuer, clientId, clientSecret: openSecret(secretBox, connection) });
  const { client, configuration, metadata } = provider;
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: callback.searchParams.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const token = tokens.claims();
    if (token === undefined) throw new ProviderError('bad_token', 'there is no ID token');
    if (!isSubject(token.sub)) throw new ProviderError('bad_token', 'the subject is not 1 to 255 visible characters');
    const lacksGroups = roleClaim !== null && readClaim(token, roleClaim) === undefined;
    const asksMore = metadata.userinfo_endpoint !== undefined && (token.email === undefined || lacksGroups);
    const more: Claims = asksMore ? await client.fetchUserInfo(configuration, tokens.access_token, token.sub) : {};
    return readClaims(more, token, roleClaim);
  } catch (error) {
    throw asProviderError(error, provider.lastFailure(), 'token');
  }
}

/** OpenID Connect allows 255 ASCII characters. */
function isSubject(subject: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u.test(subject);
}

/** A year, so that every age is a time that can be stored. */
const ageSecondsMax = 31_536_000;
const groupsMax = 1000;
const methodsMax = 10;

/** `more`: of the user info. */
function readClaims(
  more: Claims,
  token: Claims & { iss: string; sub: string },
  roleClaim: string | null,
): ProvenClaims {
  // Both from one source: user info may name another address than the token.
  const { email, email_verified: verified } = token.email === undefined ? more : token;
  const { iat, auth_time: authenticated, amr } = token;
  const groups = roleClaim === null ? undefined : readClaim({ ...more, ...token }, roleClaim);
  const hasAge = typeof iat === 'number' && typeof authenticated === 'number';
  return {
    issuer: token.iss,
    subject: token.sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    isEmailVerified: readFlag(verified),
    groups:
      groups === undefined && isElsewhere({ ...more, ...token }, roleClaim)
        ? null
        : textsOf(groups).slice(0, groupsMax),
    ageSeconds: hasAge ? Math.min(Math.max(0, iat - authenticated), ageSecondsMax) : null,
    methods: textsOf(amr)
      .filter((method) => /^[\x21-\x7e]{1,40}$/.test(method))
      .slice(0, methodsMax),
  };
}

/** Whether the provider names another place for a claim (OpenID Connect Core, 5.6.2), as Entra does for more than 200 groups. */
function isElsewhere({ _claim_names: names }: Claims, claim: string | null): boolean {
  return claim !== null && typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
}

/** Some providers send it as text. What is neither true nor absent counts as false. */
function readFlag(value: unknown): boolean | null {
  return value === undefined || value === null ? null : value === true || value === 'true';
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A claim by its name, or by its path, as in `realm_access.roles`. */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found;
}
