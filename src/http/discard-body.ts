import type { FastifyReply, FastifyRequest } from 'fastify';

const discardedBytesMax = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of an oversized body, up to a limit, as after other early refusals. Many clients read the
 * answer only after they have sent the whole body.
 */
export function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length'] ?? 0) > discardedBytesMax) return;
  reply.removeHeader('connection');
  let bytes = 0;
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) request.raw.destroy();
  });
  request.raw.resume();
}
