import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from './accepts-encoding.ts';
import { contentSecurityPolicy, htmlHeaders } from './security-headers.ts';

/** A text that is constant while the process runs. It is built, hashed and compressed once. */
export interface PreparedAnswer {
  type: string;
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

export function prepareAnswer(type: string, text: string): PreparedAnswer {
  const plain = Buffer.from(text);
  return {
    type,
    plain,
    gzipped: gzipSync(plain, { level: 9 }),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  };
}

/**
 * Sends a prepared answer. Browsers revalidate it each time and get 304 if it is unchanged, so an upgrade shows at
 * once.
 */
export function sendPrepared(request: FastifyRequest, reply: FastifyReply, answer: PreparedAnswer): FastifyReply {
  if (answer.type.startsWith('text/html')) reply.headers(htmlHeaders);
  reply.headers({
    'cache-control': 'public, no-cache',
    'content-security-policy': contentSecurityPolicy,
    etag: answer.etag,
    vary: 'accept-encoding',
  });
  // A proxy that compresses the answer marks its ETag as weak.
  if (request.headers['if-none-match']?.replace(/^W\//, '') === answer.etag) return reply.code(304).send();
  reply.type(answer.type);
  if (!acceptsEncoding(request.headers, 'gzip')) return reply.send(answer.plain);
  return reply.header('content-encoding', 'gzip').send(answer.gzipped);
}
