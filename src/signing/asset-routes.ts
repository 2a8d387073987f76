import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { signingAssets } from './pages/assets.ts';

/** Fonts are already compressed. */
const compressible = /^(text|image\/svg)/;

/** Serves the signing page's stylesheets, scripts and fonts. Their names contain a hash of the content, so they never change. */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  for (const [name, { contentType, body, etag }] of signingAssets().files) {
    const gzipped = compressible.test(contentType) ? gzipSync(body, { level: 9 }) : null;
    app.get(`/assets/${name}`, async (request, reply) => {
      reply.type(contentType).headers({
        etag,
        vary: 'accept-encoding',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      return gzipped !== null && acceptsGzip
        ? reply.header('content-encoding', 'gzip').send(gzipped)
        : reply.send(body);
    });
  }
}
