import { drawToken, hashToken } from '../identity/token.ts';
import { keepAuthorization } from './authorization.ts';
import type { EsignMeans } from './esign-means.ts';

/**
 * Where the vendor asks for consent; the browser goes there next. What comes back is taken only from the session that
 * asked, for this company, once and within ten minutes. Null: this service is not registered with the vendor.
 */
export async function startConnecting(
  { world, database, secretBox, oauth }: EsignMeans,
  { sessionId, accountId, redirectUri }: { sessionId: string; accountId: string; redirectUri: string },
): Promise<string | null> {
  if (oauth === null) return null;
  const state = drawToken(world.random);
  const codeVerifier = drawToken(world.random);
  await keepAuthorization(world, database, secretBox, {
    stateHash: hashToken(state),
    sessionId,
    accountId,
    codeVerifier,
  });
  return oauth.authorizationUrl({ redirectUri, state, codeVerifier });
}
