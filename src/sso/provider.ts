import type { Configuration, ServerMetadata } from 'openid-client';
import { checkPublicUrl, type PublicFetch } from '../public-fetch/public-fetch.ts';
import { AnswerTooLarge, createGuardedFetch } from './guarded-fetch.ts';
import { classify, type ProviderProblem } from './provider-problem.ts';

/** How this service is registered at a provider. */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Thrown when a provider can't be used. The message holds no secret and no address with a query. */
export class ProviderError extends Error {
  readonly problem: ProviderProblem;
  /** What the provider calls itself, for `other_issuer`. */
  readonly value: string | null;

  constructor(problem: ProviderProblem, reason: string, value: string | null = null) {
    super(reason);
    this.name = 'ProviderError';
    this.problem = problem;
    this.value = value;
  }
}

export interface ProviderDeps {
  publicFetch: PublicFetch;
  /** Allows http and private addresses. */
  allowPrivate: boolean;
}

type Client = typeof import('openid-client');

export interface OpenedProvider {
  client: Client;
  configuration: Configuration;
  metadata: ServerMetadata;
  /** Why the last failed request failed. The library hides it. */
  lastFailure(): unknown;
}

const answerWithinMs = 8000;
/** Clocks of providers may differ by this much. */
const clockToleranceSeconds = 60;

/**
 * Asymmetric algorithms only: with a symmetric one, anyone who knows the client secret could make tokens, and `none` proves
 * nothing.
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Reads the provider's discovery document. Throws a `ProviderError`. */
export async function openProvider(deps: ProviderDeps, given: ProviderClient): Promise<OpenedProvider> {
  const client = await import('openid-client');
  const fetchGuarded = createGuardedFetch(deps.publicFetch, answerWithinMs);
  // The library hides why a request failed.
  let failure: unknown = null;
  const customFetch = (url: string, options: Parameters<typeof fetchGuarded>[1]) =>
    fetchGuarded(url, options).catch((error) => {
      failure = error;
      throw error;
    });
  const options = {
    [client.customFetch]: customFetch as never,
    timeout: answerWithinMs / 1000,
    ...(deps.allowPrivate && { execute: [client.allowInsecureRequests] }),
  };
  try {
    const found = await client.discovery(new URL(given.issuer), given.clientId, undefined, undefined, options);
    const metadata = readMetadata(found.serverMetadata(), given.issuer, deps.allowPrivate);
    failure = null;
    const configuration = configure(client, metadata, given, options);
    return { client, configuration, metadata, lastFailure: () => failure };
  } catch (error) {
    throw asProviderError(error, failure, 'discovery');
  }
}

/** Checks that the provider's keys can be read too. Throws a `ProviderError`. */
export async function readKeys(deps: ProviderDeps, { metadata }: OpenedProvider): Promise<void> {
  const fetchGuarded = createGuardedFetch(deps.publicFetch, answerWithinMs);
  try {
    const answer = await fetchGuarded(String(metadata.jwks_uri), {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    const body = answer.status === 200 ? ((await answer.json()) as { keys?: unknown }) : {};
    if (Array.isArray(body.keys) && body.keys.length > 0) return;
  } catch (error) {
    throw asProviderError(error, error, 'keys');
  }
  throw new ProviderError('keys_unreachable', 'the keys are not a JSON Web Key Set');
}

/** `stage`: what was asked for. */
export function asProviderError(
  error: unknown,
  failure: unknown,
  stage: 'discovery' | 'keys' | 'token',
): ProviderError {
  if (error instanceof ProviderError) return error;
  const { problem, reason, value } = classify(failure ?? error, stage, failure instanceof AnswerTooLarge);
  return new ProviderError(problem, reason, value ?? null);
}

/**
 * Takes what this service uses of a discovery document. The issuer must be the very one that the owner entered: the library accepts
 * any tenant of some providers. Each address must be as public as the issuer.
 */
function readMetadata(document: ServerMetadata, issuer: string, allowPrivate: boolean): ServerMetadata {
  const named = typeof document.issuer === 'string' ? document.issuer : '';
  if (URL.parse(named)?.href !== new URL(issuer).href) {
    throw new ProviderError('other_issuer', 'the provider names another issuer', named.slice(0, 300));
  }
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  for (const name of endpoints) assertAddress(document[name], name, allowPrivate);
  if (document.userinfo_endpoint !== undefined) {
    assertAddress(document.userinfo_endpoint, 'userinfo_endpoint', allowPrivate);
  }
  const signed = document.id_token_signing_alg_values_supported ?? ['RS256'];
  const accepted = Array.isArray(signed) ? signed.filter((name) => algorithms.includes(String(name))) : [];
  if (accepted.length === 0) throw new ProviderError('no_algorithm', 'no accepted algorithm signs the tokens');
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = document;
  return {
    issuer: named,
    ...(authorization_endpoint && { authorization_endpoint }),
    ...(token_endpoint && { token_endpoint }),
    ...(jwks_uri && { jwks_uri }),
    ...(userinfo_endpoint && { userinfo_endpoint }),
    id_token_signing_alg_values_supported: accepted,
    authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
    ...(Array.isArray(document.scopes_supported) && { scopes_supported: document.scopes_supported }),
    ...(Array.isArray(document.token_endpoint_auth_methods_supported) && {
      token_endpoint_auth_methods_supported: document.token_endpoint_auth_methods_supported,
    }),
  };
}

/** The browser is sent to one of these addresses, and the client secret to another. */
function assertAddress(address: unknown, name: string, allowPrivate: boolean): void {
  const checked = typeof address === 'string' ? checkPublicUrl(address, { allowPrivate }) : { refused: 'is missing' };
  if ('refused' in checked) throw new ProviderError('incomplete', `${name} ${checked.refused}`, name);
}

function configure(
  client: Client,
  metadata: ServerMetadata,
  { clientId, clientSecret }: ProviderClient,
  options: { [key: symbol]: never; execute?: Array<(configuration: Configuration) => void> },
): Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  const proof = isPost ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret);
  const known = { [client.clockTolerance]: clockToleranceSeconds };
  const configuration = new client.Configuration(metadata, clientId, known, proof);
  configuration[client.customFetch] = options[client.customFetch] as never;
  configuration.timeout = answerWithinMs / 1000;
  for (const extend of options.execute ?? []) extend(configuration);
  // Checks the signature also of tokens that came straight from the provider.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}
