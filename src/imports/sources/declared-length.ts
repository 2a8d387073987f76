import type { PublicResponse } from '../../public-fetch/public-fetch.ts';

/** Returns `Content-Length` in bytes. Null if it is missing or counts a compressed body. */
export function declaredLength({ headers }: PublicResponse): number | null {
  const length = headers['content-length'];
  const isCompressed = headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';
  return length !== undefined && /^\d{1,15}$/.test(length) && !isCompressed ? Number(length) : null;
}
