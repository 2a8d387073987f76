import type { FastifyInstance, FastifyRequest } from 'fastify';
import { completeConnecting } from '../esign/complete-connecting.ts';
import { findConnection } from '../esign/connection.ts';
import { isAtLeast, readCaller } from './authorise.ts';
import { callbackPath } from './connection-endpoints.ts';
import { pageOrigin } from './console-api.ts';
import type { Caller, ConsoleMeans } from './console-endpoint.ts';
import { renderConnectionsPage } from './pages/connections-page.ts';
import { type NotConnected, renderNotConnectedPage } from './pages/not-connected-page.ts';
import { languageOf } from './preferences.ts';

const connectionsPath = '/console/connections';

/** What is connected, and where the e-signature vendor sends an owner back to with what they decided. */
export async function connectionPages(app: FastifyInstance, { means }: { means: ConsoleMeans }): Promise<void> {
  const callerOf = (request: FastifyRequest) =>
    readCaller(means.world, means.db, request.headers.cookie, means.origin());

  app.get<{ Querystring: { unrevoked?: string } }>(connectionsPath, async (request, reply) => {
    const caller = await callerOf(request);
    if (caller === null || caller.membership === null) {
      return reply.redirect(`/?to=${encodeURIComponent(connectionsPath)}`, 303);
    }
    const { account_id, account_name, role } = caller.membership;
    const view = {
      company: account_name,
      connection: await findConnection(means.db, account_id),
      vendorHost: means.esign.oauth?.host ?? null,
      isOwner: isAtLeast(role, 'owner'),
      isUnrevoked: request.query.unrevoked !== undefined,
    };
    return reply.send(renderConnectionsPage(languageOf(request), view));
  });

  app.get(callbackPath, async (request, reply) => {
    const caller = await callerOf(request);
    const outcome =
      caller === null ? 'signed_out' : await complete(means, caller, new URL(request.url, pageOrigin(means, request)));
    if (outcome === 'connected') return reply.redirect(connectionsPath, 303);
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

function complete(means: ConsoleMeans, { session, person, membership }: Caller, callback: URL) {
  return completeConnecting(means.esign, callback, {
    sessionId: session.id,
    personId: person.id,
    accountId: membership?.account_id ?? null,
    isOwner: membership !== null && isAtLeast(membership.role, 'owner'),
  });
}
