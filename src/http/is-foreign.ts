import type { FastifyRequest } from 'fastify';

/**
 * Returns whether a browser reports that the request comes from another site's page. Programs send no such header and
 * carry no user's cookies. `publicUrl` is the origin of our pages, or null if every host is served. On the host of a company, only
 * its own pages may: those of PUBLIC_URL are another site there, and its pages are another site on PUBLIC_URL.
 */
export function isForeign(request: FastifyRequest, publicUrl: string | null): boolean {
  const own = request.customHost?.origin ?? publicUrl;
  const { 'sec-fetch-site': site, origin } = request.headers;
  return (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOurs(origin, request, own));
}

/**
 * Without a public URL, the origin must have the host of the request. The scheme is ignored, because a proxy may
 * terminate TLS.
 */
function isOurs(origin: string, request: FastifyRequest, own: string | null): boolean {
  if (own !== null) return origin === own;
  return /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, '') === request.host?.toLowerCase();
}
