import type { FastifyRequest } from 'fastify';
import { allowUpload } from '../http/request-time.ts';

/** Up to this size, a body arrives in the time of every request, at the slowest rate at which a file may be sent. */
const smallBytesMax = 65_536;

/**
 * Returns a hook that gives a body with pictures or long texts the time of a file, which a slow network needs. `isKnown`: whether the
 * address of the request names something that exists. Small bodies don't ask it.
 */
export function allowLargeBodies<Request extends FastifyRequest>(isKnown: (request: Request) => Promise<boolean>) {
  return async (request: Request): Promise<void> => {
    const { raw } = request;
    // Without a length, a body may have any.
    const bytes = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (bytes > smallBytesMax && (await isKnown(request))) allowUpload(raw);
  };
}
