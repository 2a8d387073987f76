import type { PublicResponse } from '../../world/public-fetch.ts';

/** `Content-Length` in bytes, null where there is none, or where it is that of a compressed body. */
export function declaredLength({ headers }: PublicResponse): number | null {
  const length = headers['content-length'];
  const isCompressed = headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';
  return length !== undefined && /^\d{1,15}$/.test(length) && !isCompressed ? Number(length) : null;
}
