import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../http/page.ts';
import { prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';
import { renderHomePage } from './home-page.ts';

export interface HomeOptions {
  /** Whether there is a local mailbox. It shows itself to this machine only, and so does the link to it. */
  showsMailbox: boolean;
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** GET /. Its icon is the one of the reference. */
export async function homeRoutes(app: FastifyInstance, options: HomeOptions): Promise<void> {
  const stylesheet = prepareAnswer('text/css; charset=utf-8', `${read('../docs/theme.css')}\n${read('home.css')}`);

  app.get('/', async (request, reply) => {
    const showsMailbox = options.showsMailbox && loopback.test(request.ip);
    return reply.headers(pageHeaders).send(renderHomePage({ showsMailbox }));
  });
  app.get('/home.css', async (request, reply) => sendPrepared(request, reply, stylesheet));
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
