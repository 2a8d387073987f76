import type { FastifyInstance } from 'fastify';

/**
 * Records the routes registered on `app` from now on, except hidden ones (`config.isHidden`).
 * Returns a function that gives the `Allow` header for a request without a route: the methods that exist at its path.
 * It returns null if there are none, or if the method has a route and the thing requested doesn't exist.
 */
export function rememberMethods(app: FastifyInstance): (method: string, path: string) => string | null {
  const known: Array<{ pattern: RegExp; methods: string[] }> = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isHidden !== true) known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (requested, path) => {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods));
    return methods.size === 0 || methods.has(requested) ? null : [...methods].sort().join(', ');
  };
}

/** `/sign/:token` → `/^\/sign\/[^/]+$/`, and `*` for any rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Hides the existence of this route from strangers. */
    isHidden?: boolean;
  }
}
