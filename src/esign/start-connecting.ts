import { drawToken, hashToken } from '../identity/token.ts';
import { storeAuthorization } from './authorization.ts';
import type { EsignDeps } from './esign-deps.ts';

/**
 * Returns the address of the vendor's consent page, for a redirect. The callback is accepted once, within ten minutes, and
 * only from the same session and account. Returns null if this service is not registered with the vendor.
 */
export async function startConnecting(
  { world, database, secretBox, oauth }: EsignDeps,
  { sessionId, accountId, redirectUri }: { sessionId: string; accountId: string; redirectUri: string },
): Promise<string | null> {
  if (oauth === null) return null;
  const state = drawToken(world.random);
  const codeVerifier = drawToken(world.random);
  await storeAuthorization(world, database, secretBox, {
    stateHash: hashToken(state),
    sessionId,
    accountId,
    codeVerifier,
  });
  return oauth.authorizationUrl({ redirectUri, state, codeVerifier });
}
