import type { FastifyRequest } from 'fastify';
import { SigningError } from './signing-error.ts';

/**
 * Another site cannot make a visitor's browser sign: browsers say where a request comes from. Programs say nothing, and
 * hold no cookie of anybody. `publicUrl` is the origin of our pages; null where every host is served.
 */
export function assertFromOurPage(request: FastifyRequest, publicUrl: string | null): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOurs(origin, request, publicUrl));
  if (isForeign) throw new SigningError('malformed_request');
}

/** Without a public address the page is where the request went. Only the host counts: a proxy may have ended TLS. */
function isOurs(origin: string, request: FastifyRequest, publicUrl: string | null): boolean {
  if (publicUrl !== null) return origin === publicUrl;
  return /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, '') === request.host?.toLowerCase();
}
