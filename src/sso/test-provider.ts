import { openProvider, type ProviderDeps, ProviderError, readKeys } from './provider.ts';
import type { ProviderProblem } from './provider-problem.ts';
import { readIssuer } from './read-input.ts';

/** `value`: the issuer that the provider names, or the address that is missing. */
export type ProviderTest =
  | { works: true }
  | { works: false; problem: ProviderProblem | 'invalid_issuer'; value: string | null };

/** Reads discovery document and keys of an issuer. Proves nothing about the client id and secret, which only a sign-in uses. */
export async function testProvider(deps: ProviderDeps, text: string): Promise<ProviderTest> {
  const issuer = readIssuer(text, deps.allowPrivate);
  if (issuer === null) return { works: false, problem: 'invalid_issuer', value: null };
  try {
    await readKeys(deps, await openProvider(deps, { issuer, clientId: 'test', clientSecret: 'test' }));
    return { works: true };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { works: false, problem: error.problem, value: error.value };
  }
}

/** One sentence for each problem, for the command line and the log. */
export const problemSentences: Record<ProviderProblem | 'invalid_issuer', string> = {
  invalid_issuer: 'the issuer must be a public https address without a query',
  not_public: 'the issuer, or an address in its discovery document, is not public',
  unknown_host: 'the host of the issuer does not exist in DNS',
  unreachable: 'the provider does not answer',
  bad_certificate: 'the certificate of the provider is not valid',
  too_large: 'the answer of the provider is too large',
  no_discovery: 'there is no discovery document at the issuer: check the address',
  other_issuer: 'the provider names another issuer: enter that one',
  incomplete: 'the discovery document lacks an address, or has one that is not public',
  no_algorithm: 'the provider signs with no algorithm that is accepted, such as RS256 or ES256',
  keys_unreachable: 'the keys of the provider cannot be read',
  client_refused: 'the provider refuses the client id or the client secret',
  code_refused: 'the provider refuses the code: it expired or was already used',
  declined: 'the provider declined the sign-in',
  provider_error: 'the provider reported an error',
  wrong_issuer: 'the answer is from another provider',
  bad_audience: 'the token is for another client',
  bad_nonce: 'the token is for another sign-in',
  bad_signature: 'the signature of the token is not valid',
  clock: 'the token is not valid at this time: the clocks differ, or it expired',
  bad_token: 'the token is not valid',
};
