import { findConnection } from '../../esign/connection.ts';
import { disconnect } from '../../esign/disconnect.ts';
import { connectionJson } from '../../esign/json.ts';
import { startConnecting } from '../../esign/start-connecting.ts';
import { countTry } from '../../identity/guess-limit.ts';
import { type ConsoleDeps, forMembers, type MemberCall } from '../core/console-endpoint.ts';
import { ConsoleError } from '../core/console-error.ts';

/** The vendor redirects an owner to this path. `connection-pages.ts` serves it. */
export const callbackPath = '/console/connections/callback';

/** Connections to e-signature vendors. All members see whether there is one. */
export const connectionEndpoints = [
  forMembers('GET /connections', 'member', {}, list),
  forMembers('POST /connections/esign_vendor/start', 'owner', { needsFreshSignIn: true }, start),
  forMembers('DELETE /connections/esign_vendor', 'owner', {}, remove),
];

/** `is_available`: whether this service is registered with the vendor. */
async function list({ db, esign }: ConsoleDeps, { caller }: MemberCall) {
  const connection = await findConnection(db, caller.membership.account_id);
  return { data: [{ ...connectionJson(connection), is_available: esign.oauth !== null }] };
}

async function start({ world, db, esign }: ConsoleDeps, { caller, pageOrigin }: MemberCall) {
  await countTry(world, db, 'connecting', caller.person.id);
  const redirectTo = await startConnecting(esign, {
    sessionId: caller.session.id,
    accountId: caller.membership.account_id,
    redirectUri: pageOrigin + callbackPath,
  });
  if (redirectTo === null) throw new ConsoleError('connections_unavailable');
  return { redirect_to: redirectTo };
}

async function remove({ esign }: ConsoleDeps, { caller }: MemberCall) {
  const disconnected = await disconnect(esign, caller.membership.account_id, caller.person.id);
  if (disconnected === null) throw new ConsoleError('not_found');
  return disconnected;
}
