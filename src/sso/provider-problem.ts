import { PublicFetchError } from '../public-fetch/public-fetch.ts';

/** What is wrong with a provider or its answer. The settings and the sign-in page explain each in one sentence. */
export type ProviderProblem =
  /** The address is not public. */
  | 'not_public'
  | 'unknown_host'
  | 'unreachable'
  | 'bad_certificate'
  | 'too_large'
  /** There is no discovery document. */
  | 'no_discovery'
  | 'other_issuer'
  /** The discovery document lacks an address, or has one that is not public. */
  | 'incomplete'
  | 'no_algorithm'
  | 'keys_unreachable'
  /** The client id or secret is wrong, or the provider refuses this service. */
  | 'client_refused'
  /** The code is used, expired, or not for this service. */
  | 'code_refused'
  /** The provider does not know the person, or declined. */
  | 'declined'
  | 'provider_error'
  /** The answer is from another provider than it should be. */
  | 'wrong_issuer'
  | 'bad_audience'
  | 'bad_nonce'
  | 'bad_signature'
  | 'clock'
  | 'bad_token';

export interface Classified {
  problem: ProviderProblem;
  /** For the log: codes of the library, the provider or the network. Never a token. */
  reason: string;
  /** The issuer that the provider names. */
  value?: string;
}

const reasonLengthMax = 200;

/** Names what failed. `stage`: what was asked for. */
export function classify(error: unknown, stage: 'discovery' | 'keys' | 'token', isTooLarge: boolean): Classified {
  if (isTooLarge) return { problem: 'too_large', reason: 'the answer is larger than 512 KiB' };
  if (error instanceof PublicFetchError) return ofFetch(error);
  const { code, error: oauthCode, cause } = error as { code?: string; error?: string; cause?: unknown };
  const reason = [code, oauthCode, (error as Error).message].filter(Boolean).join(' ').slice(0, reasonLengthMax);
  if (stage === 'discovery') return ofDiscovery(code, cause, reason);
  if (stage === 'keys') return { problem: 'keys_unreachable', reason };
  return { problem: ofAnswer(code ?? '', oauthCode ?? '', cause), reason };
}

function ofDiscovery(code: string | undefined, cause: unknown, reason: string): Classified {
  const named = (cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  if (code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' || typeof named !== 'string') {
    return { problem: 'no_discovery', reason };
  }
  return { problem: 'other_issuer', reason, value: named.slice(0, issuerShownMax) };
}

const issuerShownMax = 300;

function ofFetch({ kind, message, detail }: PublicFetchError): Classified {
  const problems = {
    refused_url: 'not_public',
    not_public: 'not_public',
    dns: 'unknown_host',
    tls: 'bad_certificate',
    our_fault: 'unreachable',
    timeout: 'unreachable',
    connection: 'unreachable',
    protocol: 'unreachable',
    aborted: 'unreachable',
  } as const;
  const reason = [message, detail].filter(Boolean).join(': ').slice(0, reasonLengthMax);
  return { problem: problems[kind], reason };
}

function ofAnswer(code: string, oauthCode: string, cause: unknown): ProviderProblem {
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return oauthCode === 'access_denied' ? 'declined' : 'provider_error';
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') return oauthCode === 'invalid_grant' ? 'code_refused' : 'client_refused';
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unreachable';
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'client_refused';
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
  if (code === 'OAUTH_KEY_SELECTION_FAILED') return 'bad_signature';
  if (code === 'OAUTH_UNSUPPORTED_OPERATION') return 'bad_signature';
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') return 'unreachable';
  const message = cause instanceof Error ? cause.message : '';
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    if (message.includes('"aud"') || message.includes('"azp"')) return 'bad_audience';
    if (message.includes('nonce')) return 'bad_nonce';
    return message.includes('"iss"') ? 'wrong_issuer' : 'bad_token';
  }
  if (message.includes('"iss" (issuer)') && message.includes('response parameter')) return 'wrong_issuer';
  if (message.includes('"alg"') || message.includes('signature')) return 'bad_signature';
  return message.includes('nonce') ? 'bad_nonce' : 'bad_token';
}
