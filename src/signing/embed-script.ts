import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { readBuiltFile } from '../http/built-pages.ts';

/**
 * Serves `/embed.js`, with which other sites show a signing page in a frame. The address never changes, so browsers look for a new
 * one after an hour. Any site may load it: it holds nothing, and the signing page decides who may frame it.
 */
export async function embedScriptRoute(app: FastifyInstance): Promise<void> {
  const script = readBuiltFile('pages/embed.js');
  const etag = `"${createHash('sha256').update(script).digest('hex').slice(0, 10)}"`;
  app.get('/embed.js', async (request, reply) => {
    reply.type('text/javascript; charset=utf-8').headers({
      etag,
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(script);
  });
}
