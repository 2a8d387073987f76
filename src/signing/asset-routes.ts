import type { FastifyInstance } from 'fastify';
import { assets } from './pages/assets.ts';

/** The signing page's stylesheet, scripts and font. Their names carry a hash of their content, so they never change. */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  for (const [name, { contentType, body, etag }] of assets) {
    app.get(`/assets/${name}`, async (_request, reply) =>
      reply
        .type(contentType)
        .headers({
          etag,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
        .send(body),
    );
  }
}
