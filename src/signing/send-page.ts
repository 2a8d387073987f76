import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);
/** Smaller pages fit into the first round trip, so compressing them gains nothing. */
const smallBytesMax = 8192;

/** Sends a page, compressed if the browser accepts it. The page of a long file is very repetitive. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding');
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!acceptsGzip || html.length <= smallBytesMax) return reply.send(html);
  return reply.header('content-encoding', 'gzip').send(await compress(html));
}
