import { promisify } from 'node:util';
import { brotliCompress, gzip, type ZlibOptions } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from '../http/accepts-encoding.ts';
import { type Asset, signingAssets } from './pages/assets.ts';

/** Fonts are already compressed. */
const compressible = /^(text|image\/svg)/;

const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);
/** Each with its best compression. */
const encodings = [
  { encoding: 'br', compress: promisify<Buffer, Buffer>(brotliCompress) },
  { encoding: 'gzip', compress: (body: Buffer) => gzipped(body, { level: 9 }) },
] as const;

const immutable = 'public, max-age=31536000, immutable';

/**
 * Serves the signing page's stylesheets, scripts and fonts. Their names contain a hash of the content, so they never change. Each is
 * compressed once, when it is first asked for: that takes up to a tenth of a second, off the main thread.
 *
 * A page that was opened before an upgrade asks for what it loads later with the hash of its own release. It gets the current file,
 * which is not cached under that name.
 */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  const { files, loadedLater } = signingAssets();
  for (const [name, asset] of files) {
    const send = createSend(asset);
    app.get(`/assets/${name}`, (request, reply) => send(request, reply.headers({ etag: asset.etag }), immutable));
    if (!loadedLater.includes(`/assets/${name}`)) continue;
    const withAnyHash = name.replace(/\.[0-9a-f]{10}\./, '.:hash(^[0-9a-f]{10}).');
    app.get(`/assets/${withAnyHash}`, (request, reply) => send(request, reply, 'no-store'));
  }
}

function createSend({ contentType, body }: Asset) {
  const compressed = new Map<string, Buffer>();
  return async (request: FastifyRequest, reply: FastifyReply, cacheControl: string) => {
    reply.type(contentType).headers({ vary: 'accept-encoding', 'cache-control': cacheControl });
    const accepted = encodings.find(({ encoding }) => acceptsEncoding(request.headers, encoding));
    if (accepted === undefined || !compressible.test(contentType)) return reply.send(body);
    const { encoding, compress } = accepted;
    const answer = compressed.get(encoding) ?? (await compress(body));
    compressed.set(encoding, answer);
    return reply.header('content-encoding', encoding).send(answer);
  };
}
