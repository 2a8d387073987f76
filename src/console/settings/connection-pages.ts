import type { FastifyInstance } from 'fastify';
import { completeConnecting } from '../../esign/complete-connecting.ts';
import { isAtLeast, readCaller } from '../core/authorise.ts';
import { pageOrigin } from '../core/console-api.ts';
import type { Caller, ConsoleDeps } from '../core/console-endpoint.ts';
import { languageOf } from '../core/preferences.ts';
import { renderNotConnectedPage } from '../sign-in/pages/not-connected-page.ts';
import type { NotConnected } from '../sign-in/pages/not-connected-texts.ts';
import { callbackPath } from './connection-endpoints.ts';

/** Serves the page to which the e-signature vendor redirects an owner. It redirects to the connections in Settings. */
export async function connectionPages(app: FastifyInstance, { deps }: { deps: ConsoleDeps }): Promise<void> {
  // This GET completes the connection, so it has no HEAD.
  app.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await readCaller(deps.world, deps.db, request.headers.cookie, deps.origin());
    const outcome =
      caller === null ? 'signed_out' : await complete(deps, caller, new URL(request.url, pageOrigin(deps, request)));
    if (outcome === 'connected') return reply.redirect('/settings/connections', 303);
    return reply.code(statuses[outcome]).send(renderNotConnectedPage(languageOf(request), outcome));
  });
}

const statuses: Record<NotConnected, number> = {
  signed_out: 401,
  not_asked_for: 400,
  other_company: 409,
  forbidden: 403,
  declined: 200,
  refused: 502,
  unavailable: 502,
  no_account: 409,
};

function complete(deps: ConsoleDeps, { session, person, membership }: Caller, callback: URL) {
  return completeConnecting(deps.esign, callback, {
    sessionId: session.id,
    personId: person.id,
    accountId: membership?.account_id ?? null,
    memberId: membership?.member_id ?? null,
    isOwner: membership !== null && isAtLeast(membership.role, 'owner'),
  });
}
