import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the request body as UTF-8 JSON, whatever its `Content-Type`. Returns undefined for an empty body. Throws
 * `invalid_json`, also for a compressed body.
 */
export function readJsonBody({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): unknown {
  const bytes = body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw new ApiError('invalid_json', {
      message: 'Compressed request bodies are not supported. Send plain JSON without Content-Encoding.',
    });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
}
