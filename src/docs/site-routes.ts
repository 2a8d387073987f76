import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type PreparedAnswer, prepareAnswer, sendPrepared } from '../http/prepared-answer.ts';

/** The directory of `docs/site/build.mjs`. */
const built = resolve(import.meta.dirname, '../../docs/site/dist');
/** The address that stands for this server in the pages. */
const exampleOrigin = 'https://sign.example.com';

const textTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
};

/**
 * Serves the documentation site below `/docs/`, with the address of this server in its examples. The reference and the OpenAPI
 * description of the site are those of an example: `docsRoutes` serves this server's own. Serves nothing if the site was not built.
 */
export async function siteRoutes(app: FastifyInstance, { origin }: { origin: () => string }): Promise<void> {
  const names = existsSync(built) ? readdirSync(built, { recursive: true, encoding: 'utf8' }) : [];
  const texts = new Set(names.filter((name) => Object.hasOwn(textTypes, extname(name))));
  const pictures = new Set(names.filter((name) => extname(name) === '.webp'));
  const prepared = new Map<string, PreparedAnswer>();

  app.get('/docs/reference.html', async (_request, reply) => reply.redirect('/docs', 308));
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'];
    if (pictures.has(name)) {
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=3600')
        .send(readFileSync(join(built, name)));
    }
    if (!texts.has(name)) return reply.callNotFound();
    const answer = prepared.get(name) ?? prepare(name, origin());
    prepared.set(name, answer);
    return sendPrepared(request, reply, answer);
  });
}

function prepare(name: string, origin: string): PreparedAnswer {
  const text = readFileSync(join(built, name), 'utf8').replaceAll(exampleOrigin, origin);
  return prepareAnswer(textTypes[extname(name)] as string, text);
}
