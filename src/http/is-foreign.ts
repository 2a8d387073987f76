import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser says that a request comes from another site's page. Programs say nothing, and hold nobody's cookies.
 * `publicUrl` is the origin of our pages; null where every host is served.
 */
export function isForeign(request: FastifyRequest, publicUrl: string | null): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  return (
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOurs(origin, request, publicUrl))
  );
}

/** Without a public address the page is where the request went. Only the host counts: a proxy may have ended TLS. */
function isOurs(origin: string, request: FastifyRequest, publicUrl: string | null): boolean {
  if (publicUrl !== null) return origin === publicUrl;
  return /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, '') === request.host?.toLowerCase();
}
