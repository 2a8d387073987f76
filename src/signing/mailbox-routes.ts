import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { listMailbox } from '../world/mailbox.ts';
import { mailboxContentSecurityPolicy, mailboxStylesheet, renderMailboxPage } from './mailbox-page.ts';

const messagesShown = 100;
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** The local mailbox as a page, for development: it shows signing links, so only to clients on this machine. */
export async function mailboxRoutes(app: FastifyInstance, options: { dir: string }): Promise<void> {
  app.addHook('onRequest', async (request) => {
    // Both must be local: behind a proxy on this machine the connection is local for everybody.
    if (!loopback.test(request.ip) || !loopback.test(request.socket.remoteAddress ?? '')) {
      throw new ApiError('route_not_found');
    }
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
