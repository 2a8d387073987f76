import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);
/** What fits into the first round trip gains nothing. */
const smallBytesMax = 8192;

/** A page of ours, compressed where the browser takes it: that of a long file is mostly one page like another. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding');
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!acceptsGzip || html.length <= smallBytesMax) return reply.send(html);
  return reply.header('content-encoding', 'gzip').send(await compress(html));
}
