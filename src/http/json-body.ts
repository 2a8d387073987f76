import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The request's body, which is JSON in UTF-8 whatever `Content-Type` says, as deep as it may be long. Undefined for an
 * empty one. Throws `invalid_json`, also for a compressed body: it is not unpacked.
 */
export function readJsonBody({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): unknown {
  const bytes = body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw new ApiError('invalid_json', {
      message: 'Compressed request bodies are not read. Send the JSON as it is, without Content-Encoding.',
    });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
}
