import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { listMailbox } from '../world/mailbox.ts';
import { mailboxContentSecurityPolicy, mailboxStylesheet, renderMailboxPage } from './mailbox-page.ts';

const messagesShown = 100;
const localHost = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/;
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** The local mailbox as a page, for development: it shows signing links, so only to clients on this machine. */
export async function mailboxRoutes(app: FastifyInstance, options: { dir: string }): Promise<void> {
  app.addHook('onRequest', async (request) => {
    if (!isLocal(request)) throw new ApiError('route_not_found');
  });

  app.get('/mailbox', async (_request, reply) => {
    const messages = await listMailbox(options.dir, { limit: messagesShown });
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', mailboxContentSecurityPolicy)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send(renderMailboxPage(messages));
  });
  app.get('/mailbox.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(mailboxStylesheet));
}

/**
 * Behind a proxy on this machine every connection is local: a forwarded request counts by what a trusted proxy says of
 * it. And the Host must be a local name, or a page elsewhere could have its own name resolve to this machine.
 */
function isLocal(request: FastifyRequest): boolean {
  const { remoteAddress = '' } = request.socket;
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((name) => name in request.headers);
  if (isForwarded && request.ip === remoteAddress) return false;
  return loopback.test(request.ip) && loopback.test(remoteAddress) && localHost.test(request.host);
}
