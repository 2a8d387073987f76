import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isLocalClient, isReadElsewhere } from '../http/local-client.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { readStylesheets, tokensCss } from '../http/stylesheet.ts';
import { listMailbox } from '../platform/mailbox.ts';
import { mailboxContentSecurityPolicy, renderMailboxPage } from './mailbox-page.ts';

const messagesShown = 100;
const stylesheet = readStylesheets(tokensCss, join(import.meta.dirname, 'mailbox.css'));

/**
 * Serves the local mailbox as a page, for development. It shows signing links and codes, so only direct requests from
 * this machine get it. All others get the page for an unknown address.
 */
export async function mailboxRoutes(app: FastifyInstance, options: { dir: string }): Promise<void> {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (isLocalClient(raw) && !isReadElsewhere(raw)) return;
    reply.callNotFound();
    return reply;
  });

  const config = { isHidden: true };
  app.get('/mailbox', { config }, async (_request, reply) => {
    const messages = await listMailbox(options.dir, { limit: messagesShown });
    return reply
      .headers({ ...pageHeaders, 'content-security-policy': mailboxContentSecurityPolicy })
      .send(renderMailboxPage(messages));
  });
  app.get('/mailbox.css', { config }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(stylesheet),
  );
}
