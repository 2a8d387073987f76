import { promisify } from 'node:util';
import { brotliCompress, gzip, type ZlibOptions } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptsEncoding } from '../http/accepts-encoding.ts';
import { signingAssets } from './pages/assets.ts';

/** Fonts are already compressed. */
const compressible = /^(text|image\/svg)/;

const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);
/** Each with its best compression. */
const encodings = [
  { encoding: 'br', compress: promisify<Buffer, Buffer>(brotliCompress) },
  { encoding: 'gzip', compress: (body: Buffer) => gzipped(body, { level: 9 }) },
] as const;

/**
 * Serves the signing page's stylesheets, scripts and fonts. Their names contain a hash of the content, so they never change. Each is
 * compressed once, when it is first asked for: that takes up to a tenth of a second, off the main thread.
 */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  for (const [name, { contentType, body, etag }] of signingAssets().files) {
    const compressed = new Map<string, Buffer>();
    app.get(`/assets/${name}`, async (request, reply) => {
      reply.type(contentType).headers({
        etag,
        vary: 'accept-encoding',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const accepted = encodings.find(({ encoding }) => acceptsEncoding(request.headers, encoding));
      if (accepted === undefined || !compressible.test(contentType)) return reply.send(body);
      const { encoding, compress } = accepted;
      const answer = compressed.get(encoding) ?? (await compress(body));
      compressed.set(encoding, answer);
      return reply.header('content-encoding', encoding).send(answer);
    });
  }
}
